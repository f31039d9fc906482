package portcullis.migration;

/** A documented difference from heimdall that can be seen in a configuration or a rule set. */
public enum Difference {
  NEGATED_METHODS("`methods: [\"!GET\"]` without `ALL`", "refused, as no method is left",
      "put `ALL` first: `[ALL, \"!GET\"]`"),
  ESCAPED_PARAMETER("`path_params` (`glob`, `regex`) and a value with `%40` and the like",
      "captures are compared decoded", "write `@` for `%40` and so on"),
  ENCODED_SLASHES("`/%2Fadmin`, `/admin%2Fx` and a rule for `/:page` with `allow_encoded_slashes: on`",
      "400, unless the decoded path is matched by the same rule",
      "keep it if upstreams decode slashes; `no_decode` otherwise"),
  OTHER_READINGS("`/admin;x`, `/admin.`, `Host: office.example:8080` and a rule for `/:page` or for all hosts",
      "400 where the more specific rule would decide the request under another reading",
      "nothing, or set `readings` of the rule if its upstream reads paths and hosts exactly"),
  BACKSLASH("a path with a backslash, plain or as `%5C`", "400 by default",
      "`readings: { backslash: exact }` if the upstream takes it literally"),
  GLOB("globs: a wildcard within braces (`{*,x}y`), three stars, an empty alternative",
      "matches strings that it describes and heimdall does not", "check which hosts or captures are meant"),
  AUTHENTICATOR_CONDITION("`if` of an authenticator step", "evaluated; 401 if no authenticator runs",
      "remove `if` to keep the step for all requests"),
  READ_BODY("a body that a rule reads", "up to 1 MB, else 413",
      "set `serve.request_limit.read_body` if larger bodies occur"),
  BODY_TOKEN("a token in a YAML body (`body_parameter`)", "read from JSON bodies and forms only",
      "let clients send the token in a header"),
  FORWARDED_FIELDS(
      "`X-Forwarded-Uri` that begins with `//` or cannot be parsed, unknown schemes, invalid methods, from a "
          + "trusted proxy",
      "400", "nothing, if the proxy in front sends valid fields"),
  PASSWORD_COLON("basic authentication: a password with a colon", "valid", "nothing"),
  PROTECTED_HEADER("a header that a finalizer of any rule sets",
      "the client's own header of that name is removed by every rule, look-alikes such as `X_User` too",
      "rename the header if some upstream expects the client's own"),
  PROTECTED_COOKIE("a cookie that a rule sets", "the client's own cookie of that name is removed",
      "rename the cookie if the upstream expects the client's own"),
  FORWARDED_RESPONSE("`forward_response_headers_to_upstream`, where the response lacks the header",
      "the client's own header is removed", "nothing"),
  LINE_BREAK("a line break in a value that a template inserts into a header", "500",
      "replace line breaks in the template if values may have them"),
  AUTH_METHOD("`auth_method` of the `oauth2_client_credentials` finalizer", "as configured",
      "`auth_method: request_body`, if the token endpoint does not accept basic authentication"),
  METADATA("endpoints that a metadata document names, with `http`", "refused with TLS enforcement",
      "publish `https` endpoints, or start with `--insecure-skip-egress-tls-enforcement`"),
  SILENT_ISSUER("`introspection_endpoint` without issuers, and a response with `iss`", "the issuer is not compared",
      "add `assertions.issuers`"),
  ISSUER_PATTERN("`assertions.issuers`", "`*` stands for one segment of a path",
      "nothing, unless `*` is meant literally"),
  IDENTITY_STATUS("`generic` authenticator, where the endpoint answers 404, 500, …",
      "an authentication error, 401", "let error handlers for `communication_error` handle `authentication_error` too"),
  URL_JSON("`.Request.URL \\| toJson`", "members in alphabetical order", "nothing, unless the order matters"),
  TYPE_NAMES("`typeOf` of the objects", "`*Request`, `*URL` without a package", "compare with the new names"),
  LAST_OF_NOTHING("`[].last()`", "an error, 500, for an empty list", "test `size(…) > 0` first"),
  BYTES("bytes that are not UTF-8, from `trunc` or `b64dec`", "U+FFFD", "nothing, if the values are text"),
  ENVIRONMENT("`env`, `expandenv`", "refused by name", "pass the value as a variable of the configuration, `${NAME}`"),
  COSTLY_FUNCTIONS("`getHostByName`, `genPrivateKey`, `genCA` and the like, `bcrypt`, `htpasswd`, `derivePassword`",
      "refused by name", "compute the value beforehand"),
  CHALLENGE("`www_authenticate`", "401 with a `WWW-Authenticate` challenge, so that browsers ask for a password",
      "`type: default` for a plain 401"),
  REDIRECT_HOST("a redirect whose host comes from a template",
      "only the host of the request, `allowed_hosts` and hosts in `values` are possible, else 500",
      "list the hosts under `allowed_hosts`"),
  VERBOSE("verbose responses", "escaped, without internal addresses and causes", "read details in the log"),
  STEP_ID("`id` of a step without `config`", "taken: the step's output has this name in `Outputs`",
      "refer to the output by the id of the step, or remove `id`"),
  DUPLICATE_STEP("the same step `id` twice", "refused", "give one of the steps another id"),
  KEY_TYPE("a key type among `allowed_algorithms`, `[RSA]`", "allows nothing, with a warning",
      "name algorithms: `RS256`, `PS256`"),
  NO_ALGORITHM("`allowed_algorithms: [none]`", "refused", "remove it"),
  CLOUD_PROVIDER("providers `cloud_blob` and `kubernetes`", "refused by name",
      "mount the rule sets and use `file_system`, or serve them and use `http_endpoint`"),
  EVERYONE_TRUSTED("a network of everyone (`0/0`) in `trusted_proxies`", "refused without `--insecure`",
      "list the addresses of the proxies in front"),
  UNREACHABLE_RULES("an `http_endpoint` that cannot be read", "its last good rules stay",
      "answer 404 or an empty body to remove them"),
  CHANGED_ORDER("order of changed rules", "that of the file", "nothing"),
  CACHE_KIND("`cache.config` without `type`", "in memory, with a warning", "add `type`"),
  LOG_DISABLED("`log.level: disabled`", "taken: nothing is logged", "nothing");

  private final String row;
  private final String here;
  private final String instead;

  Difference(String row, String here, String instead) {
    this.row = row;
    this.here = here;
    this.instead = instead;
  }

  /** Returns the first cell of its row in {@code config/docs/migration.md}. */
  public String row() {
    return row;
  }

  /** Returns what is so in Portcullis. */
  public String here() {
    return here;
  }

  /** Returns what to write instead; {@code nothing} if nothing has to be changed. */
  public String instead() {
    return instead;
  }
}

package portcullis.demo;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * An OpenID provider with one client, the proxy: discovery, authorization code with PKCE, user information and logout.
 * There are no passwords, and it keeps no sessions: whoever signs in chooses a person.
 */
final class LoginProvider {
  static final String CLIENT = "demo";
  static final String SECRET = "not-a-secret";

  private static final String FORM = """
      <h1>Who are you?</h1>
      <p class="lead">This stands in for the login page of an OpenID provider. There are no passwords here: choose \
      whom you want to be.</p>
      <form method="post" action="/authorize" class="people">
      {}{}
      </form>
      <p class="note">Then the provider sends you back to Portcullis with a code, which Portcullis redeems for your ID \
      token.</p>
      """;
  private static final String HIDDEN = "<input type=\"hidden\" name=\"{}\" value=\"{}\">\n";
  private static final String PERSON = """
      <button name="user" value="{}"><strong>{}</strong><span>{}</span></button>
      """;
  private static final String WRONG = """
      <h1>That is not a sign-in</h1>
      <p class="lead">{}. <a href="{}">Start at the first page</a>.</p>
      """;
  private static final List<String> KEPT = List.of("client_id", "redirect_uri", "response_type", "state", "nonce",
      "code_challenge", "code_challenge_method");
  private static final String SUCH = "Bearer ";

  private final Issuer issuer;
  private final Logins logins = new Logins();
  private final Set<String> origins;
  private final String home;

  /** @param origins where the proxy is reached by browsers; the first one is where links lead to */
  LoginProvider(Issuer issuer, List<String> origins) {
    this.issuer = issuer;
    this.origins = Set.copyOf(origins);
    this.home = origins.getFirst() + "/";
  }

  /** Returns what there is for clients (OpenID Connect Discovery 1.0, 3). */
  Response metadata() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("issuer", Value.of(issuer.name()));
    for (Map.Entry<String, String> endpoint : Map.of("authorization_endpoint", "/authorize", "token_endpoint",
        "/oauth/token", "userinfo_endpoint", "/userinfo", "end_session_endpoint", "/end", "jwks_uri", "/keys")
        .entrySet()) {
      out.put(endpoint.getKey(), Value.of(issuer.name() + endpoint.getValue()));
    }
    out.put("response_types_supported", Value.Array.ofStrings(List.of("code")));
    out.put("subject_types_supported", Value.Array.ofStrings(List.of("public")));
    out.put("id_token_signing_alg_values_supported", Value.Array.ofStrings(List.of("ES256")));
    out.put("code_challenge_methods_supported", Value.Array.ofStrings(List.of("S256")));
    out.put("authorization_response_iss_parameter_supported", Value.TRUE);
    return json(200, new Value.Dict(out));
  }

  /** Shows whom one can be; POST is the choice. */
  Response authorize(Visit visit) {
    Map<String, String> asked = new LinkedHashMap<>();
    KEPT.forEach(name -> (visit.method().equals("POST") ? visit.formField(name) : visit.parameter(name))
        .ifPresent(value -> asked.put(name, value)));
    String redirect = asked.getOrDefault("redirect_uri", "");
    if (!asked.getOrDefault("client_id", "").equals(CLIENT) || !isOfTheProxy(redirect, "callback")) {
      return Layout.provider(400, Html.of(WRONG, "The client is not known, or is somewhere else", home), Set.of());
    }
    if (!asked.getOrDefault("response_type", "").equals("code")
        || !asked.getOrDefault("code_challenge_method", "").equals("S256")) {
      return back(redirect, asked, Map.of("error", "invalid_request"));
    }
    if (!visit.method().equals("POST")) {
      return Layout.provider(200, form(asked), origins);
    }
    return visit.formField("user").flatMap(Person::withId)
        .map(person -> back(redirect, asked, Map.of("code", logins.begin(new Logins.Pending(person, redirect,
            asked.getOrDefault("code_challenge", ""), asked.getOrDefault("nonce", ""))))))
        .orElseGet(() -> back(redirect, asked, Map.of("error", "access_denied")));
  }

  private static Html form(Map<String, String> asked) {
    Html hidden = Html.join(asked.entrySet().stream()
        .map(field -> Html.of(HIDDEN, field.getKey(), field.getValue())).toList());
    return Html.of(FORM, hidden, Html.join(Person.ALL.stream().map(LoginProvider::choice).toList()));
  }

  private static Html choice(Person person) {
    String groups = person.groups().isEmpty() ? "in no group" : "in " + String.join(" and ", person.groups());
    return Html.of(PERSON, person.id(), person.name(), groups);
  }

  private boolean isOfTheProxy(String url, String endpoint) {
    return origins.stream().anyMatch(origin -> url.equals(origin + "/.portcullis/" + endpoint));
  }

  private Response back(String redirect, Map<String, String> asked, Map<String, String> found) {
    Map<String, String> all = new LinkedHashMap<>(found);
    all.put("state", asked.getOrDefault("state", ""));
    all.put("iss", issuer.name());
    return seeOther(redirect, all);
  }

  private static Response seeOther(String to, Map<String, String> parameters) {
    StringBuilder url = new StringBuilder(to);
    parameters.forEach((name, value) -> url.append(url.indexOf("?") < 0 ? '?' : '&').append(name).append('=')
        .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return Response.of(303, Fields.of("Location", url.toString(), "Cache-Control", "no-store"));
  }

  /** Redeems a code (RFC 6749, 4.1.3). */
  Response redeem(Visit visit) {
    if (!isClient(visit)) {
      return error(401, "invalid_client");
    }
    if (!visit.formField("grant_type").equals(Optional.of("authorization_code"))) {
      return error(400, "unsupported_grant_type");
    }
    return logins.redeem(visit.formField("code").orElse(""), visit.formField("redirect_uri").orElse(""),
        visit.formField("code_verifier").orElse("")).map(login -> {
          Map<String, Value> out = new LinkedHashMap<>();
          out.put("access_token", Value.of(issuer.token(login.person())));
          out.put("token_type", Value.of("Bearer"));
          out.put("id_token", Value.of(issuer.idToken(login.person(), CLIENT, login.nonce())));
          return json(200, new Value.Dict(out));
        }).orElseGet(() -> error(400, "invalid_grant"));
  }

  private static boolean isClient(Visit visit) {
    String field = visit.fields().first("Authorization").orElse("");
    if (!field.startsWith("Basic ")) {
      return false;
    }
    try {
      String pair = new String(Base64.getDecoder().decode(field.substring(6)), StandardCharsets.UTF_8);
      return URLDecoder.decode(pair, StandardCharsets.UTF_8).equals(CLIENT + ":" + SECRET);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** Returns the claims about the owner of a bearer token (OpenID Connect Core 1.0, 5.3). */
  Response userInfo(Visit visit) {
    String field = visit.fields().first("Authorization").orElse("");
    return issuer.person(field.startsWith(SUCH) ? field.substring(SUCH.length()) : "")
        .map(person -> json(200, person.claims()))
        .orElseGet(() -> error(401, "invalid_token").with("WWW-Authenticate", "Bearer"));
  }

  /** Sends the browser back: there is no session here that could be ended. */
  Response end(Visit visit) {
    String to = visit.parameter("post_logout_redirect_uri").orElse("");
    return isOfTheProxy(to, "logout") ? seeOther(to, Map.of("state", visit.parameter("state").orElse("")))
        : Layout.provider(400, Html.of(WRONG, "There is no session here to end", home), Set.of());
  }

  private static Response error(int status, String code) {
    return json(status, Value.dict("error", Value.of(code)));
  }

  private static Response json(int status, Value.Dict document) {
    return Response.of(status, "application/json", JsonText.plain(document)).with("Cache-Control", "no-store");
  }
}

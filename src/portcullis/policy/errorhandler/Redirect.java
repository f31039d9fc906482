package portcullis.policy.errorhandler;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Authority;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.TemplateVariables;
import portcullis.policy.endpoint.Urls;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.mechanism.Templates;
import portcullis.policy.mechanism.Values;

/**
 * Redirects the client (RFC 9110, 15.4): to a path of the requested host, or to configured hosts. If the host is a
 * template, the host of the request is allowed too. Values of the request cannot lead to another host.
 *
 * @param written the source of the template
 */
public record Redirect(Template to, String written, RedirectHosts hosts, Values values, int code)
    implements Mechanism.ErrorHandler {
  public static final MechanismType<Config, Mechanism.ErrorHandler> TYPE = MechanismType
      .fixed(Mechanism.ErrorHandler.class, "redirect", settings(), Redirect::make)
      .purpose("Redirects the client to another URL, such as a login page.")
      .fails(ErrorKind.INTERNAL, "a template fails, or the result leads to a host that is not allowed");

  private static final String WHAT = "'to' url";
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

  /**
   * The settings as they are configured.
   *
   * @param to a URL, or a path, whose parts may be templates of Request and Values
   * @param allowed hosts that a URL may be filled in with
   */
  public record Config(LocatedText to, int code, Values values, List<String> allowed) {}

  private static Decoder<Config> settings() {
    Key<LocatedText> to = Key.required("to", Decoders.located(),
        "the URL, or a path of the same host, a template of Request; query values need urlenc");
    Key<Integer> code = Key.withDefault("code", Decoders.number(301, 302), 302, "the status, 301 or 302");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that the URL reads as `Values`; where its host is a template, also hosts that it may have");
    Key<List<String>> allowed = Key.withDefault("allowed_hosts", Decoders.list(RedirectHosts.decoder()), List.of(),
        "the hosts that a URL with a template as its host may have besides the one of the request");
    return Decoders.object("settings", List.of(to, code, values, allowed),
        p -> new Config(p.get(to), p.get(code), p.get(values), p.get(allowed)));
  }

  private static Optional<Mechanism.ErrorHandler> make(Config config, MechanismContext context, Problems problems) {
    String url = config.to.text();
    if (!Urls.checkTarget(config.to, context.enforcement().egressTls(), problems)) {
      return Optional.empty();
    }
    RedirectHosts hosts = RedirectHosts.of(url, config.values, Set.copyOf(config.allowed));
    boolean unknown = hosts.isEmpty() && !Urls.isRelative(url);
    if (unknown) {
      problems.error(config.to.at(0, url.length()), config.to.path(), "the host of the URL is not known",
          "write it, or name the hosts that it may have as `allowed_hosts`");
    }
    return TemplateVariables.compile(config.to, problems).filter(_ -> !unknown)
        .map(to -> new Redirect(to, url, hosts, config.values, config.code));
  }

  @Override
  public Optional<HandlerResponse> answer(StepFailure stepFailure, PipelineState state) throws Failure {
    Value.Dict scope = values.in(state.errorScope());
    String field = Templates.field(Templates.text(to, scope, WHAT), WHAT);
    String location = Urls.escaped(field.getBytes(StandardCharsets.ISO_8859_1));
    if (!isAllowed(location, state.request().url().host())) {
      throw new Failure.Internal("failed to render " + WHAT + ": it leads elsewhere than the configuration says");
    }
    return Optional.of(HandlerResponse.with(Response.of(code, Fields.of("Location", location))));
  }

  /** Browsers take a backslash for a slash; a host ends at the first of {@code / ? #}. */
  private boolean isAllowed(String location, Authority request) {
    if (location.isEmpty() || location.indexOf('\\') >= 0 || location.startsWith("//")) {
      return false;
    }
    return SCHEME.matcher(location).matches() ? isAllowedUrl(location, request) : true;
  }

  private boolean isAllowedUrl(String location, Authority request) {
    boolean https = location.regionMatches(true, 0, "https://", 0, 8);
    if (!https && !location.regionMatches(true, 0, "http://", 0, 7)) {
      return false;
    }
    int host = https ? 8 : 7;
    int end = host;
    while (end < location.length() && "/?#".indexOf(location.charAt(end)) < 0) {
      end++;
    }
    boolean doubled = location.startsWith("//", end)
        && written.indexOf("//", Math.max(written.indexOf("://"), 0) + 3) < 0;
    return !doubled && hosts.allow(location.substring(host, end), request);
  }
}

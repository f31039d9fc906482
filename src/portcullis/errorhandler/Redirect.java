package portcullis.errorhandler;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.endpoint.UrlText;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Fault;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.Rendered;
import portcullis.mechanism.State;
import portcullis.mechanism.Tools;
import portcullis.mechanism.Values;
import portcullis.message.Answer;
import portcullis.message.Authority;
import portcullis.message.Fields;
import portcullis.source.LocatedText;
import portcullis.source.Problems;
import portcullis.template.Template;
import portcullis.value.Value;

/**
 * Sends the client somewhere else (RFC 9110, 15.4), to hosts only that the configuration writes: in the template, or as one
 * of the values. What the request fills in cannot change the host (S48).
 *
 * @param hosts with their ports, in lower case
 */
public record Redirect(Template to, String written, Set<String> hosts, Values values, int code) implements Mechanism.ErrorHandler {
  public static final MechanismType<Config, Mechanism.ErrorHandler> TYPE =
      MechanismType.fixed(Mechanism.ErrorHandler.class, "redirect", settings(), Redirect::make);

  private static final String WHAT = "'to' url";

  /** @param to a URL whose parts may be templates of Request and Values */
  public record Config(LocatedText to, int code, Values values) {}

  private static Decoder<Config> settings() {
    Key<LocatedText> to = Key.required("to", Decoders.located(), "the URL, a template of Request; query values need urlenc");
    Key<Integer> code = Key.standard("code", Decoders.number(301, 302), 302, "the status, 301 or 302");
    Key<Values> values = Key.standard("values", Values.decoder(), Values.NONE,
        "texts that the URL reads; where it does not write its host, the hosts that it may have");
    return Decoders.object("settings", List.of(to, code, values), p -> new Config(p.get(to), p.get(code), p.get(values)));
  }

  private static Optional<Mechanism.ErrorHandler> make(Config config, Tools tools, Problems problems) {
    if (!UrlText.check(config.to, tools.enforcement().egressTls(), problems)) {
      return Optional.empty();
    }
    Set<String> hosts = hosts(config);
    if (hosts.isEmpty()) {
      problems.error(config.to.at(0, config.to.text().length()), config.to.path(), "the host of the URL is not known",
          "write it, or name the hosts that it may have as `values`");
    }
    return Template.compile(config.to, problems).filter(_ -> !hosts.isEmpty())
        .map(to -> new Redirect(to, config.to.text(), hosts, config.values, config.code));
  }

  /** The one that is written, whole or up to a path that is filled in; where not all of it is, those among the values too. */
  private static Set<String> hosts(Config config) {
    String host = UrlText.authority(config.to.text());
    int end = host.indexOf("{{");
    if (end < 0) {
      return known(Stream.of(host));
    }
    Stream<String> begun = Stream.of(host.substring(0, end)).filter(text -> !text.endsWith(".") && !text.endsWith("-"));
    return known(Stream.concat(begun, config.values.templates().values().stream().flatMap(value -> value.literal().stream())));
  }

  private static Set<String> known(Stream<String> hosts) {
    return hosts.filter(text -> Authority.parse(text).isPresent()).map(text -> text.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Optional<Answer> answer(Fault fault, State state) throws Failure {
    Value.Dict scope = values.in(state.scope());
    String location = Rendered.field(Rendered.text(to, scope, WHAT), WHAT);
    if (!leadsWhereItMay(location)) {
      throw new Failure.Internal("failed to render " + WHAT + ": it leads elsewhere than the configuration says");
    }
    return Optional.of(Answer.of(code, Fields.of("Location", location)));
  }

  /** Browsers take a backslash for a slash, and leave out blanks; a host ends at the first of {@code / ? #}. */
  private boolean leadsWhereItMay(String location) {
    int host = location.indexOf("://") + 3;
    String scheme = location.substring(0, Math.max(host, 0)).toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("http://") || scheme.equals("https://");
    boolean odd = location.chars().anyMatch(c -> c == '\\' || c <= ' ');
    if (!web || odd) {
      return false;
    }
    int end = host;
    while (end < location.length() && "/?#".indexOf(location.charAt(end)) < 0) {
      end++;
    }
    boolean doubled = location.startsWith("//", end) && written.indexOf("//", host) < 0;
    return !doubled && hosts.contains(location.substring(host, end).toLowerCase(Locale.ROOT));
  }
}

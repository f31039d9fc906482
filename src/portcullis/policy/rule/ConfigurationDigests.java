package portcullis.policy.rule;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.MechanismKind;
import portcullis.policy.pipeline.RuleSetVersion;

/**
 * What a configuration says that decisions depend on, as digests: of its text, and of what concerns a rule, with the
 * values of variables, whatever its layout. Immutable.
 */
public final class ConfigurationDigests {
  /** Sections by which no decision is another one, and those of which only what a rule refers to counts. */
  private static final Set<String> APART = Set.of("version", "log", "tracing", "metrics", "profiling", "decision_log",
      "fleet", "providers", "management", "watch", "secrets_reload_enabled", "mechanisms", "default_rule");
  /** Settings of the main service by which no decision is another one. */
  private static final Set<String> APART_IN_SERVE = Set.of("host", "port", "timeout", "buffer_limit",
      "connections_limit", "respond", "request_id_enabled", "shutdown_delay");
  private static final Set<String> AUTHENTICATORS = Set.of(StepDraft.AUTHENTICATOR);
  private static final List<Set<String>> LATER = List.of(Set.of("authorizer", "contextualizer"), Set.of("finalizer"),
      Set.copyOf(StepDraft.ON_ERROR));
  private static final String SERVE = "serve";
  private static final int DIGITS = 32;
  private static final Definition NONE = new Definition("-", List.of());

  private final String text;
  private final Map<String, Definition> definitions = new HashMap<>();
  private final List<Node> defaultSteps;
  private final String settings;
  private final NamedFiles contents = new NamedFiles();

  /** The digest of what a definition says, and the files that it names. */
  private record Definition(String digest, List<Path> files) {}

  /**
   * What a rule does, with all that its steps refer to.
   *
   * @param authenticators the digest of what its authenticators do; empty if unknown
   * @param rule the digest of the whole; empty if unknown
   * @param contents the digest of the files that its authenticators name; empty if there are none, or they are unknown
   * @param files those files, as far as their contents may have changed since
   */
  public record Effect(String authenticators, String rule, String contents, List<Path> files) {
    /** Of lines of earlier versions, and where only a part of a line can be read. */
    public static final Effect UNKNOWN = new Effect("", "", "", List.of());

    /** Returns it with the contents that its files have now. */
    public Effect now(NamedFiles current) {
      return files.isEmpty() ? this : new Effect(authenticators, rule, current.digest(files), files);
    }
  }

  private ConfigurationDigests(String text, Node.Mapping configuration) {
    this.text = text;
    this.settings = RuleOrigin.digest(settings(configuration)); // it is part of the digests of each rule
    this.defaultSteps = configuration.get("default_rule").map(ConfigurationDigests::steps).orElse(List.of());
    if (configuration.get("mechanisms").orElse(configuration) instanceof Node.Mapping mechanisms) {
      for (MechanismKind<?> kind : Catalogue.KINDS) {
        if (mechanisms.get(kind.key()).orElse(mechanisms) instanceof Node.Sequence list) {
          list.items().forEach(entry -> define(kind.key(), entry));
        }
      }
    }
  }

  /** @param text the digest of its text */
  public static ConfigurationDigests of(String text, Node.Mapping configuration) {
    return new ConfigurationDigests(text, configuration);
  }

  private void define(String kind, Node entry) {
    if (entry instanceof Node.Mapping mapping && mapping.get("id").orElse(entry) instanceof Node.Scalar id) {
      definitions.putIfAbsent(kind + " " + id.text(),
          new Definition(RuleOrigin.digest(canonical(entry)), NamedFiles.in(entry)));
    }
  }

  private static String settings(Node.Mapping configuration) {
    Node.Mapping rest = without(configuration, APART::contains);
    String serve = rest.get(SERVE).map(node -> node instanceof Node.Mapping mapping
        ? without(mapping, APART_IN_SERVE::contains)
        : node).map(ConfigurationDigests::canonical).orElse("{}");
    return canonical(without(rest, SERVE::equals)) + "\n" + serve;
  }

  private static Node.Mapping without(Node.Mapping node, Predicate<String> left) {
    SequencedMap<String, Node.Member> members = new LinkedHashMap<>(node.members());
    members.keySet().removeIf(left);
    return new Node.Mapping(node.at(), node.where(), members);
  }

  /** Returns a node as JSON. */
  static String canonical(Node node) {
    return PlainValues.decoder().decode(node, new Problems()).map(JsonText::plain).orElse("");
  }

  /** Returns the digest of its text. */
  String text() {
    return text;
  }

  /** Returns what a rule does, or the default rule. @param canonical the rule as JSON */
  Effect effect(Node rule, String canonical, RuleSetVersion version) {
    List<Node> own = steps(rule);
    List<String> said = new ArrayList<>();
    Set<Path> files = new LinkedHashSet<>();
    add(AUTHENTICATORS, own, said, files);
    String authenticators = digest(version, said);
    LATER.forEach(stage -> add(stage, own, said, new LinkedHashSet<>()));
    said.add(canonical);
    return new Effect(authenticators, digest(version, said), "", List.copyOf(files)).now(contents);
  }

  /** Adds the steps of a stage: where a rule has none, they are those of the default rule. */
  private void add(Set<String> stage, List<Node> own, List<String> said, Set<Path> files) {
    List<Node> written = in(stage, own);
    (written.isEmpty() ? in(stage, defaultSteps) : written).forEach(step -> said.add(said(step, files)));
  }

  private static List<Node> in(Set<String> stage, List<Node> steps) {
    return steps.stream().filter(step -> step instanceof Node.Mapping one
        && stage.stream().anyMatch(kind -> one.get(kind).isPresent())).toList();
  }

  private String digest(RuleSetVersion version, List<String> said) {
    return RuleOrigin.digest(version.text() + "\n" + settings + "\n" + String.join("\n", said)).substring(0, DIGITS);
  }

  /** Returns a step, and the definitions that it names; adds their files. */
  private String said(Node step, Set<Path> files) {
    StringBuilder out = new StringBuilder(canonical(step));
    files.addAll(NamedFiles.in(step));
    if (step instanceof Node.Mapping mapping) {
      for (MechanismKind<?> kind : Catalogue.KINDS) {
        if (mapping.get(kind.stepKey()).orElse(mapping) instanceof Node.Scalar id) {
          Definition named = definitions.getOrDefault(kind.key() + " " + id.text(), NONE);
          out.append(' ').append(named.digest);
          files.addAll(named.files);
        }
      }
    }
    return out.toString();
  }

  private static List<Node> steps(Node rule) {
    List<Node> out = new ArrayList<>();
    if (rule instanceof Node.Mapping members) {
      for (String list : List.of("execute", "on_error")) {
        if (members.get(list).orElse(rule) instanceof Node.Sequence steps) {
          out.addAll(steps.items());
        }
      }
    }
    return out;
  }
}

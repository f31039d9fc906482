package portcullis.migration;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.config.Node;

/** Differences that a rule set shows. */
final class RuleChecks {
  private static final List<String> KINDS = List.of("authenticator", "authorizer", "contextualizer", "finalizer");

  private final Findings findings;
  private final List<Node> rules;

  private RuleChecks(List<Node> rules, Findings findings) {
    this.rules = rules;
    this.findings = findings;
  }

  static void check(Node ruleSet, Findings findings) {
    List<Node> rules = Stream.concat(Nodes.items(ruleSet, "rules").stream(),
        Nodes.items(ruleSet, "spec", "rules").stream()).toList();
    RuleChecks checks = new RuleChecks(rules, findings);
    rules.forEach(checks::rule);
    TextChecks.check(ruleSet, findings);
  }

  private void rule(Node rule) {
    methods(rule);
    if (Nodes.is(rule, "on", "allow_encoded_slashes")) {
      findings.add(Difference.ENCODED_SLASHES, Nodes.at(rule, "allow_encoded_slashes").orElseThrow());
    }
    for (Node route : routes(rule)) {
      Optional<Node.Scalar> path = Nodes.text(route, "path");
      path.filter(text -> text.text().matches("(?i).*(\\\\[^:*\\\\]|%5c).*"))
          .ifPresent(text -> findings.add(Difference.BACKSLASH, text));
      path.filter(text -> hidesAnother(rule, text.text()))
          .ifPresent(text -> findings.add(Difference.OTHER_READINGS, text));
      Nodes.items(route, "path_params").forEach(this::parameter);
    }
    Nodes.items(rule, "match", "hosts").stream().filter(host -> Nodes.is(host, "glob", "type"))
        .forEach(host -> Nodes.text(host, "value").ifPresent(this::glob));
    steps(rule, findings);
  }

  private static List<Node> routes(Node rule) {
    return Nodes.items(rule, "match", "routes");
  }

  private void methods(Node rule) {
    List<Node> methods = Nodes.items(rule, "match", "methods");
    boolean removesOnly = !methods.isEmpty()
        && methods.stream().allMatch(method -> method instanceof Node.Scalar text && text.text().startsWith("!"));
    if (removesOnly) {
      findings.add(Difference.NEGATED_METHODS, methods.getFirst());
    }
  }

  private void parameter(Node parameter) {
    Optional<Node.Scalar> value = Nodes.text(parameter, "value");
    boolean pattern = Nodes.is(parameter, "glob", "type") || Nodes.is(parameter, "regex", "type");
    value.filter(text -> pattern && text.text().matches(".*%[0-9A-Fa-f]{2}.*"))
        .ifPresent(text -> findings.add(Difference.ESCAPED_PARAMETER, text));
    if (Nodes.is(parameter, "glob", "type")) {
      value.ifPresent(this::glob);
    }
  }

  private void glob(Node.Scalar value) {
    if (value.text().matches(".*(\\{[^}]*\\*[^}]*}|\\*\\*\\*|\\{,|,,|,}).*")) {
      findings.add(Difference.GLOB, value);
    }
  }

  /** Returns whether the path has a wildcard that matches what another rule names literally. */
  private boolean hidesAnother(Node rule, String path) {
    String[] pattern = path.split("/", -1);
    return rules.stream().filter(other -> !other.equals(rule)).flatMap(other -> routes(other).stream())
        .flatMap(route -> Nodes.text(route, "path").stream())
        .anyMatch(text -> matches(pattern, text.text().split("/", -1)));
  }

  private static boolean matches(String[] pattern, String[] path) {
    boolean wildcard = false;
    for (int i = 1; i < pattern.length && i < path.length; i++) {
      if (pattern[i].startsWith("*")) {
        return true;
      }
      boolean literal = !path[i].startsWith(":") && !path[i].startsWith("*");
      if (pattern[i].startsWith(":") && literal) {
        wildcard = true;
      } else if (!pattern[i].equals(path[i])) {
        return false;
      }
    }
    return wildcard && pattern.length == path.length;
  }

  /** Checks the steps of a rule. */
  static void steps(Node rule, Findings findings) {
    Set<String> ids = new HashSet<>();
    for (Node step : Nodes.items(rule, "execute")) {
      if (Nodes.at(step, "authenticator").isPresent()) {
        Nodes.at(step, "if").ifPresent(condition -> findings.add(Difference.AUTHENTICATOR_CONDITION, condition));
        Nodes.at(step, "config").ifPresent(config -> ConfigurationChecks.assertions(config, findings));
      }
      if (Nodes.at(step, "finalizer").isPresent()) {
        Nodes.at(step, "config").ifPresent(config -> ConfigurationChecks.additions(config, findings));
      }
      Optional<Node.Scalar> id = Nodes.text(step, "id");
      if (Nodes.at(step, "config").isEmpty()) {
        id.ifPresent(text -> findings.add(Difference.STEP_ID, text));
      }
      id.or(() -> KINDS.stream().flatMap(kind -> Nodes.text(step, kind).stream()).findFirst())
          .filter(text -> !ids.add(text.text()) && id.isPresent())
          .ifPresent(text -> findings.add(Difference.DUPLICATE_STEP, text));
    }
  }
}

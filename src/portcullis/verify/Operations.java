package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Compares the operations of an OpenAPI document with the rules. */
final class Operations {
  static final String WITHOUT_RULE = "operation-without-rule";
  static final String WITHOUT_OPERATION = "rule-without-operation";

  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "options", "head", "patch",
      "trace");
  private static final Pattern PARAMETER = Pattern.compile("\\{[^/{}]+}");

  private final AnalyzedRules rules;
  private final String prefix;
  private final List<Operation> operations;
  private final Set<Place> origins = new LinkedHashSet<>();

  /** Where requests go to. */
  private record Place(String scheme, String host) {}

  /** @param path with the prefix; {@code {name}} for a parameter */
  record Operation(String method, String path, Origin at) {
    /** Returns whether it is for a path of a request. */
    boolean takes(String sample) {
      String[] parts = path.split("/", -1);
      String[] segments = sample.split("/", -1);
      boolean same = parts.length == segments.length;
      for (int i = 0; same && i < parts.length; i++) {
        boolean literal = !PARAMETER.matcher(parts[i]).find();
        same = literal ? parts[i].equals(segments[i]) : !segments[i].isEmpty() && !segments[i].contains("%7B");
      }
      return same;
    }
  }

  private Operations(AnalyzedRules rules, String prefix, List<Operation> operations) {
    this.rules = rules;
    this.prefix = prefix;
    this.operations = operations;
    rules.samples().forEach(sample -> origins.add(new Place(sample.scheme(), sample.host())));
    if (origins.isEmpty()) {
      origins.add(new Place("https", "app.example"));
    }
  }

  /** Reads the operations of a document; empty exactly if an error was added. */
  static Optional<List<Operation>> read(SourceFile file, String prefix, Problems problems) {
    Optional<Node> root = Yaml.read(file, problems);
    if (root.isEmpty()) {
      return Optional.empty();
    }
    Optional<Node> paths = root.get() instanceof Node.Mapping document ? document.get("paths") : Optional.empty();
    if (paths.isEmpty() || !(paths.get() instanceof Node.Mapping all)) {
      problems.error(root.get().at(), "", "the document has no `paths`", "name an OpenAPI document");
      return Optional.empty();
    }
    List<Operation> out = new ArrayList<>();
    for (Map.Entry<String, Node.Member> path : all.members().entrySet()) {
      if (path.getValue().value() instanceof Node.Mapping methods) {
        methods.members().entrySet().stream().filter(method -> METHODS.contains(method.getKey()))
            .forEach(method -> out.add(new Operation(method.getKey().toUpperCase(Locale.ROOT),
                prefix + path.getKey(), method.getValue().nameAt())));
      }
    }
    return Optional.of(out);
  }

  static List<Finding> of(AnalyzedRules rules, String prefix, List<Operation> operations) {
    Operations compared = new Operations(rules, prefix, operations);
    List<Finding> out = new ArrayList<>();
    operations.forEach(operation -> compared.withoutRule(operation).ifPresent(out::add));
    rules.reachable().forEach(sample -> compared.withoutOperation(sample).ifPresent(out::add));
    return out;
  }

  private Optional<Finding> withoutRule(Operation operation) {
    String path = PARAMETER.matcher(operation.path()).replaceAll("1");
    boolean routed = origins.stream().anyMatch(origin -> rules.rules().index()
        .find(Lookup.of(origin.scheme, operation.method(), origin.host, path)).isPresent());
    if (routed) {
      return Optional.empty();
    }
    Place first = origins.iterator().next();
    Probe probe = Probe.of(operation.method(), first.scheme + "://" + first.host + path);
    boolean decided = rules.check().anonymous(probe).rule().filter(rule -> !rule.isDefault()).isPresent();
    return decided ? Optional.empty()
        : Optional.of(new Finding(WITHOUT_RULE, Finding.Severity.WARNING, WITHOUT_RULE + "/"
            + operation.method() + " " + operation.path(), AnalyzedRules.shown(operation.at()), "",
            "no rule is for " + operation.method() + " " + operation.path(), probe.text(), List.of()));
  }

  private Optional<Finding> withoutOperation(RouteSample<Rule> sample) {
    if (!sample.path().startsWith(prefix)) {
      return Optional.empty();
    }
    List<String> extra = sample.methods().stream().filter(method -> operations.stream()
        .noneMatch(operation -> isFor(operation, method) && operation.takes(sample.path()))).toList();
    boolean some = sample.isAnyMethod() && extra.size() < sample.methods().size();
    return extra.isEmpty() || some ? Optional.empty()
        : Optional.of(new Finding(WITHOUT_OPERATION, Finding.Severity.WARNING, WITHOUT_OPERATION + "/"
            + sample.value().id() + "/" + sample.route().text(), rules.at(sample.value(), ""), sample.value().id(),
            "no operation is for " + AnalyzedRules.methods(sample, extra) + " " + AnalyzedRules.place(sample),
            Probe.of(extra.getFirst(), sample.url()).text(), List.of()));
  }

  /** Services answer HEAD as GET (RFC 9110, 9.3.2). */
  private static boolean isFor(Operation operation, String method) {
    return operation.method().equals(method) || method.equals("HEAD") && operation.method().equals("GET");
  }
}

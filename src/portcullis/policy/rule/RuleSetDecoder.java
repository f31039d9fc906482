package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PartialList;
import portcullis.config.Shape;
import portcullis.lang.source.Problems;
import portcullis.policy.pipeline.RuleSetVersion;

/**
 * Reads the rules of a file: a rule set, or objects of Kubernetes of kind {@code RuleSet} in one or several documents,
 * alone or in lists. Each rule is read by the version of its set.
 */
final class RuleSetDecoder {
  private static final String GROUP = "heimdall.dadrus.github.com/";
  private static final String RULE_SET = "RuleSet";
  private static final List<String> LISTS = List.of("List", "RuleSetList");
  private static final Key<String> API_VERSION = Key.required("apiVersion", Decoders.anyScalar(),
      "the format, `" + GROUP + "v1alpha4` or `" + GROUP + "v1beta1`");
  private static final Key<Optional<Node>> METADATA = Key.optional("metadata", Decoders.node(),
      "name, namespace and labels, which have no effect");

  private final Map<RuleSetVersion, Decoder<List<RuleDraft>>> plain = new EnumMap<>(RuleSetVersion.class);
  private final Map<RuleSetVersion, Decoder<List<RuleDraft>>> objects = new EnumMap<>(RuleSetVersion.class);

  /**
   * @param needsBackend whether every rule has to name an upstream
   * @param tlsOnly whether a rewrite to plain http is refused
   */
  RuleSetDecoder(boolean needsBackend, boolean tlsOnly) {
    for (RuleSetVersion version : RuleSetVersion.values()) {
      Decoder<RuleDraft> rule = RuleDraft.decoder(version, needsBackend, tlsOnly);
      plain.put(version, plain(version, rule));
      objects.put(version, object(rule));
    }
  }

  static Shape shape(RuleSetVersion version) {
    return plain(version, RuleDraft.decoder(version, false, false)).shape();
  }

  static Shape shape() {
    RuleSetDecoder all = new RuleSetDecoder(false, false);
    List<Shape> options = new ArrayList<>();
    all.plain.values().forEach(set -> options.add(set.shape()));
    all.objects.values().forEach(object -> options.add(object.shape()));
    return new Shape.Either(options);
  }

  private static Decoder<List<RuleDraft>> plain(RuleSetVersion version, Decoder<RuleDraft> rule) {
    Key<String> format = Key.required("version", Decoders.oneOf(version.text()), "the format");
    Key<Optional<String>> name = Key.optional("name", Decoders.anyScalar(), "a name for messages");
    Key<PartialList<RuleDraft>> rules = Key.required("rules", Decoders.some(rule, 1), "the rules");
    return Decoders.partial("a rule set", List.of(format, name, rules),
        (parts, _) -> Optional.of(parts.get(rules).items()));
  }

  private static Decoder<List<RuleDraft>> object(Decoder<RuleDraft> rule) {
    Key<PartialList<RuleDraft>> rules = Key.required("rules", Decoders.some(rule, 1), "the rules");
    Key<Optional<String>> authClass = Key.optional("authClassName", Decoders.anyScalar(),
        "which instances of heimdall it is for; has no effect");
    Decoder<PartialList<RuleDraft>> spec = Decoders.partial("a specification", List.of(authClass, rules),
        (parts, _) -> Optional.of(parts.get(rules)));
    Key<PartialList<RuleDraft>> specification = Key.required("spec", spec, "the rules");
    Key<String> kind = Key.required("kind", Decoders.oneOf(RULE_SET), "what it is");
    Key<Optional<Node>> status = Key.optional("status", Decoders.node(), "has no effect");
    return Decoders.partial("an object", List.of(API_VERSION, kind, METADATA, specification, status),
        (parts, _) -> Optional.of(parts.get(specification).items()));
  }

  /** Returns whether it is an object of Kubernetes. */
  static boolean isManifest(Node node) {
    return node instanceof Node.Mapping m && m.get("apiVersion").isPresent() && m.get("kind").isPresent();
  }

  /** Returns the rules of the documents of a file; empty where there are none or an error was added. */
  Optional<List<RuleDraft>> decode(List<Node> documents, Problems problems) {
    Node first = documents.getFirst();
    if (!isManifest(first)) {
      return version(first, problems).flatMap(version -> plain.get(version).decode(first, problems));
    }
    long before = problems.errors();
    List<RuleDraft> rules = new ArrayList<>();
    documents.forEach(document -> add(document, rules, problems));
    return rules.isEmpty() && problems.errors() == before ? Optional.empty() : Optional.of(rules);
  }

  /** Another version has other keys: naming them all would not help. */
  static Optional<RuleSetVersion> version(Node root, Problems problems) {
    Optional<Node> version = root instanceof Node.Mapping m ? m.get("version") : Optional.empty();
    if (version.isEmpty() || !(version.get() instanceof Node.Scalar s)) {
      return Optional.of(RuleSetVersion.ALPHA4); // by which the missing key is reported
    }
    Optional<RuleSetVersion> known = RuleSetVersion.of(s.text());
    if (known.isEmpty()) {
      problems.error(s.at(), s.path(), "unsupported rule set version `" + Decoders.shortened(s.text()) + "`",
          "right is one of: " + String.join(", ", RuleSetVersion.texts()));
    }
    return known;
  }

  private void add(Node document, List<RuleDraft> rules, Problems problems) {
    if (!isManifest(document)) {
      problems.error(document.at(), document.path(), "this is not an object of Kubernetes, as others of this file are",
          "give it `apiVersion` and `kind`, or put it into a file of its own");
      return;
    }
    Node.Mapping object = (Node.Mapping) document;
    String kind = text(object, "kind");
    if (LISTS.contains(kind)) {
      list(object, rules, problems);
    } else if (!kind.equals(RULE_SET)) {
      problems.warning(object.at(), object.path(), "an object of kind `" + Decoders.shortened(kind)
          + "` has no rules and is ignored", "");
    } else {
      SequencedMap<String, RuleSetVersion> versions = new LinkedHashMap<>();
      for (RuleSetVersion version : RuleSetVersion.values()) {
        versions.put(GROUP + "v" + version.text(), version);
      }
      Decoders.choice(versions).decode(object.get("apiVersion").orElseThrow(), problems)
          .flatMap(version -> objects.get(version).decode(object, problems)).ifPresent(rules::addAll);
    }
  }

  private void list(Node.Mapping list, List<RuleDraft> rules, Problems problems) {
    Key<List<Node>> items = Key.required("items", Decoders.list(Decoders.node()), "the objects");
    Key<Optional<Node>> kind = Key.optional("kind", Decoders.node(), "what it is");
    Decoders.object("a list of objects", List.of(API_VERSION, kind, METADATA, items), parts -> parts.get(items))
        .decode(list, problems).ifPresent(all -> all.forEach(item -> add(item, rules, problems)));
  }

  private static String text(Node.Mapping object, String key) {
    return object.get(key).map(node -> node instanceof Node.Scalar s ? s.text() : "").orElse("");
  }
}

package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.JsonLayout;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.config.SubstitutedSource;
import portcullis.config.Yaml;
import portcullis.config.YamlLayout;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.RuleSetVersion;

/**
 * Converts a rule set to the other version. What that version cannot express is an error, what means something else in
 * it a warning. Variables such as {@code ${HOST}} are kept as written; comments are not kept.
 */
public final class RuleSetConversion {
  private final RuleSetVersion target;
  private final boolean json;

  RuleSetConversion(RuleSetVersion target, boolean json) {
    this.target = target;
    this.json = json;
  }

  /** Returns the rule set in that version, as JSON if the file is, otherwise as YAML; empty if an error was added. */
  public static Optional<String> convert(SourceFile file, RuleSetVersion target, Problems problems) {
    boolean json = file.text().strip().startsWith("{");
    long before = problems.errors();
    List<Node> documents = Yaml.documents(SubstitutedSource.unchanged(file), _ -> true, problems);
    if (documents.size() != 1) {
      if (problems.errors() == before) {
        problems.error(new Origin.InFile(file, 1, 1, 1), "",
            documents.isEmpty() ? "the file holds no rule set" : "the file holds " + documents.size() + " documents",
            documents.isEmpty() ? "" : "convert each from a file of its own");
      }
      return Optional.empty();
    }
    Node root = documents.getFirst();
    if (RuleSetDecoder.isManifest(root)) {
      problems.error(root.at(), "", "an object of Kubernetes cannot be converted",
          "convert what is in its `spec`, with "
              + "`version` instead of `apiVersion`");
      return Optional.empty();
    }
    Optional<RuleSetVersion> source = RuleSetDecoder.version(root, problems);
    if (source.isPresent() && source.get() == target) {
      problems.error(root.at(), "version", "the rule set has version `" + target.text() + "` already", "");
      return Optional.empty();
    }
    Optional<Value.Dict> converted = source.flatMap(_ -> new RuleSetConversion(target, json).set().decode(root,
        problems));
    return converted.filter(_ -> problems.errors() == before)
        .map(set -> json ? JsonLayout.line(set) : YamlLayout.of(set));
  }

  private boolean toBeta() {
    return target == RuleSetVersion.BETA1;
  }

  Decoder<Value.Dict> set() {
    Key<String> version = Key.required("version", Decoders.anyScalar(), "the format");
    Key<Optional<String>> name = Key.optional("name", Decoders.anyScalar(), "a name for messages");
    Key<List<Value.Dict>> rules = Key.required("rules", Decoders.list(rule(), 1), "the rules");
    return Decoders.object("a rule set", List.of(version, name, rules), parts -> new Draft()
        .put("version", Value.of(target.text())).put("name", parts.get(name).map(Value::of))
        .put("rules", list(parts.get(rules), Function.identity())).dict());
  }

  private Decoder<Value.Dict> rule() {
    Key<String> id = Key.required("id", Decoders.nonEmpty(), "the rule's name");
    Key<Optional<String>> mode = Key.optional(RuleDraft.MODE, Decoders.oneOf("live", "shadow"),
        "`shadow` for a rule that decides nothing");
    Key<Optional<String>> slashes = Key.optional("allow_encoded_slashes", Decoders.oneOf("off", "on", "no_decode"),
        "how `%2F` in paths is handled");
    Key<Optional<Value>> readings = Key.optional("readings", PlainValues.decoder(),
        "the alternative readings of requests that the rule guards against");
    Key<Value.Dict> match = Key.required("match", match(), "the requests that the rule applies to");
    Key<Optional<Value.Dict>> backend = Key.optional("forward_to", backend(), "the upstream");
    Key<List<Value.Dict>> execute = Key.required("execute", Decoders.list(step(), 1), "the steps");
    Key<List<Value.Dict>> onError = Key.withDefault("on_error", Decoders.list(step()), List.of(),
        "what handles failures");
    return Decoders.checked("a rule", List.of(id, mode, slashes, readings, match, backend, execute, onError),
        (parts, problems) -> {
          if (parts.get(onError).size() > 1) {
            problems.warning(parts.at(onError), parts.node().path() + ".on_error", toBeta()
                ? "all of these error handlers whose condition is true will run, not only the first"
                : "only the first of these error handlers whose condition is true will run, not all",
                "give them conditions of which one is true at a time");
          }
          return Optional.of(new Draft().put("id", Value.of(parts.get(id)))
              .put(RuleDraft.MODE, parts.get(mode).map(Value::of))
              .put("allow_encoded_slashes", parts.get(slashes).map(Value::of)).put("readings", parts.get(readings))
              .put("match", parts.get(match)).put("forward_to", parts.get(backend))
              .put("execute", list(parts.get(execute), Function.identity()))
              .putList("on_error", list(parts.get(onError), Function.identity())).dict());
        });
  }

  private Decoder<Value.Dict> match() {
    if (toBeta()) {
      return conditions("routes", "path_params", "paths", "captures")
          .then((conditions, _, _) -> Optional.of(Value.dict("http", conditions)));
    }
    Key<Value.Dict> http = Key.required("http", conditions("paths", "captures", "routes", "path_params"),
        "which HTTP requests it is for");
    return Decoders.object("what the rule matches", List.of(http), parts -> parts.get(http));
  }

  private Decoder<Value.Dict> conditions(String paths, String captures, String newPaths, String newCaptures) {
    Key<List<Value.Dict>> routes = Key.required(paths, Decoders.list(path(captures, newCaptures)), "the paths");
    Key<Optional<String>> scheme = Key.optional("scheme", Decoders.oneOf("http", "https"), "the scheme").restricting();
    Key<List<String>> methods = Key.withDefault("methods", Decoders.list(Decoders.text()), List.of(), "the methods")
        .restricting();
    Key<List<Value>> hosts = Key.withDefault("hosts", Decoders.list(toBeta() ? typedHost() : plainHost()), List.of(),
        "the hosts").restricting();
    Key<Optional<Boolean>> backtracking = Key.optional("backtracking_enabled", Decoders.flag(), "has no effect");
    List<Key<?>> keys = new ArrayList<>(List.of(routes, scheme, methods, hosts));
    if (toBeta()) {
      keys.add(backtracking);
    }
    return Decoders.checked("what the rule matches", keys, (parts, problems) -> {
      if (toBeta() && parts.get(backtracking).isPresent()) {
        problems.warning(parts.at(backtracking), parts.node().path(),
            "`backtracking_enabled` is left out, as it has no effect", "");
      }
      return Optional.of(new Draft().put(newPaths, list(parts.get(routes), Function.identity()))
          .put("scheme", parts.get(scheme).map(Value::of)).putList("methods", list(parts.get(methods), Value::of))
          .putList("hosts", list(parts.get(hosts), Function.identity())).dict());
    });
  }

  private static Decoder<Value.Dict> path(String captures, String newCaptures) {
    Key<LocatedText> name = Key.required("name", Decoders.located(), "the name of the capture");
    Key<String> value = Key.required("value", Decoders.text(), "what it is compared with");
    Key<String> type = Key.required("type", Decoders.oneOf("exact", "glob", "regex"), "how it is compared");
    Decoder<Value.Dict> capture = Decoders.checked("a condition", List.of(name, value, type), (parts, problems) -> {
      if (parts.get(name).text().equals("*")) {
        problems.error(parts.at(name), parts.node().path(), "`*` names no capture", "give the wildcard a name");
        return Optional.empty();
      }
      return Optional.of(new Draft().put("name", Value.of(parts.get(name).text()))
          .put("value", Value.of(parts.get(value))).put("type", Value.of(parts.get(type))).dict());
    });
    Key<String> path = Key.required("path", Decoders.text(), "the path");
    Key<List<Value.Dict>> all = Key.withDefault(captures, Decoders.list(capture), List.of(), "conditions on captures")
        .restricting();
    return Decoders.object("a path", List.of(path, all), parts -> new Draft().put("path", Value.of(parts.get(path)))
        .putList(newCaptures, list(parts.get(all), Function.identity())).dict());
  }

  private static Decoder<Value> typedHost() {
    Key<String> type = Key.required("type", Decoders.oneOf("exact", "wildcard", "glob", "regex"), "how it is compared");
    Key<String> value = Key.required("value", Decoders.text(), "the host or pattern");
    return Decoders.checked("a host", List.of(type, value), (parts, problems) -> {
      if (!List.of("exact", "wildcard").contains(parts.get(type))) {
        problems.error(parts.at(type), parts.node().path(), "version `1beta1` has no hosts of type `" + parts.get(type)
            + "`", "use `exact` or `wildcard`, of which a rule may have several");
        return Optional.empty();
      }
      return Optional.of(Value.of(parts.get(value)));
    });
  }

  private static Decoder<Value> plainHost() {
    return Decoders.text().then((host, _, _) -> Optional
        .of(new Draft().put("value", Value.of(host)).put("type", Value.of("wildcard")).dict()));
  }

  private Decoder<Value.Dict> backend() {
    Key<String> scheme = Key.withDefault("scheme", Decoders.text(), "",
        "the scheme of the upstream; without it that of the request");
    Key<String> cut = Key.withDefault("strip_path_prefix", Decoders.text(), "",
        "a prefix that is removed from the path");
    Key<String> added = Key.withDefault("add_path_prefix", Decoders.text(), "", "a prefix that is added to the path");
    Key<List<String>> query = Key.withDefault("strip_query_parameters", Decoders.list(Decoders.text()), List.of(),
        "query parameters that are removed");
    Decoder<Value.Dict> rewrite = Decoders.object("a rewrite", List.of(scheme, cut, added, query), parts -> new Draft()
        .put("scheme", Value.of(parts.get(scheme))).put("strip_path_prefix", Value.of(parts.get(cut)))
        .put("add_path_prefix", Value.of(parts.get(added))).put("strip_query_parameters",
            json && parts.get(query).isEmpty() ? Value.NULL : list(parts.get(query), Value::of))
        .dict());
    Key<String> host = Key.required("host", Decoders.text(), "host and port of the upstream");
    Key<Optional<Boolean>> keeps = Key.optional("forward_host_header", Decoders.flag(), "whether it gets the Host");
    Key<Optional<Value.Dict>> rewritten = Key.optional("rewrite", rewrite, "changes of the URL");
    return Decoders.object("an upstream", List.of(host, keeps, rewritten), parts -> new Draft()
        .put("host", Value.of(parts.get(host))).put("forward_host_header", parts.get(keeps).map(Value::of))
        .put("rewrite", parts.get(rewritten)).dict());
  }

  private Decoder<Value.Dict> step() {
    List<Key<Optional<String>>> keys = new ArrayList<>();
    for (String name : List.of("id", "if", "authenticator", "authorizer", "contextualizer", "finalizer",
        "error_handler", "principal")) {
      keys.add(Key.optional(name, name.equals("id") || name.equals("principal") ? Decoders.anyScalar()
          : Decoders.text(), "of the step").restricting());
    }
    Decoder<Value> value = PlainValues.decoder().then((read, node, problems) -> Optional.of(plain(read, node,
        problems)));
    Key<Optional<Value>> config = Key.optional("config", value, "settings of the step");
    List<Key<?>> all = new ArrayList<>(keys);
    all.add(config);
    return Decoders.checked("a step", all, (parts, problems) -> {
      Map<String, Value> out = toBeta() ? new LinkedHashMap<>() : new TreeMap<>();
      keys.forEach(key -> parts.get(key).ifPresent(text -> out.put(key.name(), Value.of(text))));
      parts.get(config).ifPresent(settings -> out.put("config", settings));
      return isLossless(parts.node(), out, problems) ? Optional.of(new Value.Dict(out)) : Optional.empty();
    });
  }

  private boolean isLossless(Node.Mapping step, Map<String, Value> members, Problems problems) {
    Optional<Node> principal = step.get("principal").filter(node -> node instanceof Node.Scalar s
        && !s.text().isEmpty() && !s.text().equals(Subject.DEFAULT));
    if (principal.isPresent() && members.containsKey("authenticator")) {
      if (!toBeta()) {
        problems.error(principal.get().at(), principal.get().path(), "version `1alpha4` has no principals: the "
            + "authenticators would become one chain, of which one has to succeed", "");
        return false;
      }
      problems.warning(principal.get().at(), principal.get().path(),
          "`principal` will have an effect, which it has not in version `1alpha4`", "");
    }
    if (members.containsKey("authenticator") && members.containsKey("if")) {
      Node condition = step.get("if").orElseThrow();
      problems.error(condition.at(), condition.path(), "the condition of an authenticator would be lost: heimdall "
          + (toBeta() ? "takes a skipped authenticator of version `1beta1` for a success"
              : "ignores it in version `1alpha4`"),
          "remove the condition, or write two rules");
      return false;
    }
    return true;
  }

  /** Settings as they are written: members in alphabetical order, integers and times as heimdall does. */
  private static Value plain(Value value, Node node, Problems problems) {
    return switch (node) {
      case Node.Mapping m when value instanceof Value.Dict d -> {
        Map<String, Value> out = new TreeMap<>();
        d.members().forEach((name, member) -> out.put(name, plain(member, m.get(name).orElseThrow(), problems)));
        yield new Value.Dict(out);
      }
      case Node.Sequence s when value instanceof Value.Array a -> {
        List<Value> out = new ArrayList<>();
        a.items().forEach(item -> out.add(plain(item, s.items().get(out.size()), problems)));
        yield new Value.Array(out);
      }
      case Node.Scalar s when s.meaning() == Node.Meaning.INT && value instanceof Value.Null -> {
        problems.warning(s.at(), s.path(), "`" + s.text() + "` becomes a floating-point number, which is less precise",
            "put it in quotes");
        yield Value.of(Double.parseDouble(s.text()));
      }
      case Node.Scalar s when s.isPlain() && s.meaning() == Node.Meaning.TEXT
          && YamlTimestamp.of(s.text()).isPresent() -> {
        String time = YamlTimestamp.of(s.text()).orElseThrow();
        problems.warning(s.at(), s.path(), "`" + s.text() + "` is a time for heimdall and becomes `" + time + "`",
            "put it in quotes to keep it");
        yield Value.of(time);
      }
      case Node.Scalar s when value instanceof Value.Float f && !Double.isFinite(f.value()) -> {
        problems.error(s.at(), s.path(), "`" + s.text() + "` cannot be converted", "");
        yield value;
      }
      default -> value;
    };
  }

  private static <T> Value.Array list(List<T> items, Function<T, ? extends Value> value) {
    return new Value.Array(List.copyOf(items.stream().map(value).toList()));
  }

  /** A mapping in the order in which its members are put. */
  private static final class Draft {
    private final Map<String, Value> members = new LinkedHashMap<>();

    Draft put(String name, Value value) {
      members.put(name, value);
      return this;
    }

    Draft put(String name, Optional<? extends Value> value) {
      value.ifPresent(present -> members.put(name, present));
      return this;
    }

    /** Puts a list unless it is empty. */
    Draft putList(String name, Value.Array list) {
      return list.items().isEmpty() ? this : put(name, list);
    }

    Value.Dict dict() {
      return new Value.Dict(members);
    }
  }
}

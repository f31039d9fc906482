package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.PartialList;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.route.Conditions;
import portcullis.policy.route.EncodedSlashes;
import portcullis.policy.route.HostPattern;
import portcullis.policy.route.MethodSet;
import portcullis.policy.route.PathParameter;
import portcullis.policy.route.PathPattern;
import portcullis.policy.route.Route;
import portcullis.policy.route.Scheme;

/** The conditions of a rule as written: patterns are compiled once the rule's way with encoded slashes is known. */
record MatchDraft(PartialList<RouteDraft> routes, Scheme scheme, List<LocatedText> methods, List<HostPattern> hosts) {
  /** The draft of conditions that cannot be read. */
  static final MatchDraft UNREAD = new MatchDraft(PartialList.unread(), Scheme.ANY, List.of(), List.of());

  private static final Key<Optional<Boolean>> BACKTRACKING = Key.optional("backtracking_enabled", Decoders.flag(),
      "has no effect");

  /** A path, where it can be read, with conditions on its captures. */
  record RouteDraft(Optional<LocatedText> path, PartialList<ParameterDraft> parameters) {}

  /** A condition on a capture. */
  record ParameterDraft(LocatedText name, PathParameter.Type type, LocatedText value) {}

  static Decoder<MatchDraft> decoder(RuleSetVersion version) {
    if (version == RuleSetVersion.ALPHA4) {
      return conditions("routes", route("path_params"), host(), List.of(BACKTRACKING));
    }
    Key<MatchDraft> http = Key.required("http", conditions("paths", route("captures"), plainHost(), List.of()),
        "which HTTP requests it is for");
    return Decoders.partial("what the rule matches", List.of(http), (parts, _) -> Optional.of(parts.or(http, UNREAD)));
  }

  private static Decoder<MatchDraft> conditions(String paths, Decoder<RouteDraft> route, Decoder<HostPattern> host,
      List<Key<?>> more) {
    Key<PartialList<RouteDraft>> routes = Key.required(paths, Decoders.some(route, 0), "the paths");
    Key<Scheme> scheme = Key
        .withDefault("scheme", Decoders.choice(named(List.of(Scheme.HTTP, Scheme.HTTPS), Scheme::name)),
            Scheme.ANY, "the scheme")
        .restricting();
    Key<List<LocatedText>> methods = Key
        .withDefault("methods", Decoders.list(Decoders.located()), List.of(), "the methods")
        .restricting();
    Key<List<HostPattern>> hosts = Key.withDefault("hosts", Decoders.list(host), List.of(), "the hosts")
        .restricting();
    List<Key<?>> keys = new ArrayList<>(List.of(routes, scheme, methods, hosts));
    keys.addAll(more);
    return Decoders.partial("what the rule matches", keys,
        (parts, problems) -> {
          if (more.contains(BACKTRACKING) && parts.or(BACKTRACKING, Optional.empty()).isPresent()) {
            problems.warning(parts.at(BACKTRACKING), parts.node().path(), "`backtracking_enabled` has no effect",
                "remove it: less specific rules are always tried");
          }
          if (parts.or(routes, PartialList.unread()).all()
              && parts.or(routes, PartialList.unread()).items().isEmpty()) {
            problems.warning(parts.at(routes), parts.node().path(), "no " + paths + ", so that the rule never applies",
                "add a " + paths.substring(0, paths.length() - 1) + " or remove the rule");
          }
          return Optional.of(new MatchDraft(parts.or(routes, PartialList.unread()), parts.or(scheme, Scheme.ANY),
              parts.or(methods, List.of()),
              parts.or(hosts, List.of())));
        });
  }

  private static Decoder<RouteDraft> route(String captures) {
    Key<Optional<LocatedText>> path = Key.required("path", present(Decoders.located()), "the path, with wildcards "
        + "`:name`, `*name`");
    Key<PartialList<ParameterDraft>> parameters = Key
        .withDefault(captures, Decoders.some(parameter(), 0), PartialList.none(), "conditions on captures")
        .restricting();
    return Decoders.partial("a route", List.of(path, parameters), (parts, _) -> Optional.of(new RouteDraft(
        parts.or(path, Optional.empty()), parts.or(parameters, PartialList.unread()))));
  }

  /** Makes room for what is not there because it cannot be read. */
  static <T> Decoder<Optional<T>> present(Decoder<T> decoder) {
    return decoder.then((value, _, _) -> Optional.of(Optional.of(value)));
  }

  private static Decoder<ParameterDraft> parameter() {
    Key<LocatedText> name = Key.required("name", Decoders.located(), "the name of the capture");
    Key<PathParameter.Type> type = Key.required("type", Decoders.choice(named(List.of(PathParameter.Type.values()),
        PathParameter.Type::name)), "how it is compared");
    Key<LocatedText> value = Key.required("value", Decoders.located(), "what it is compared with");
    return Decoders.object("a condition", List.of(name, type, value),
        parts -> new ParameterDraft(parts.get(name), parts.get(type), parts.get(value)));
  }

  private static Decoder<HostPattern> host() {
    Key<HostPattern.Type> type = Key.required("type", Decoders.choice(named(List.of(HostPattern.Type.values()),
        HostPattern.Type::name)), "how it is compared");
    Key<LocatedText> value = Key.required("value", Decoders.located(), "the host or pattern");
    return Decoders.checked("a host", List.of(type, value), (parts, problems) -> {
      if (parts.get(type) == HostPattern.Type.GLOB || parts.get(type) == HostPattern.Type.REGEX) {
        problems.warning(parts.at(type), parts.node().path() + ".type",
            "hosts of type `" + parts.get(type).name().toLowerCase(Locale.ROOT)
                + "` are deprecated",
            "use `exact` or `wildcard`, of which a rule may have several");
      }
      return HostPattern.compile(parts.get(type), parts.get(value), problems);
    });
  }

  /** Returns a host as version {@code 1beta1} has it: {@code *}, {@code *.suffix} or one name. */
  private static Decoder<HostPattern> plainHost() {
    return Decoders.located().then((text, node, problems) -> {
      if (text.text().lastIndexOf('*') > 0) {
        problems.error(node.at(), node.path(), "invalid host `" + Decoders.shortened(text.text()) + "`",
            "a wildcard is the first label, as in `*.example.org`");
        return Optional.empty();
      }
      return HostPattern.compile(
          text.text().startsWith("*") ? HostPattern.Type.WILDCARD : HostPattern.Type.EXACT, text, problems);
    });
  }

  static <E> SequencedMap<String, E> named(List<E> values, Function<E, String> name) {
    SequencedMap<String, E> out = new LinkedHashMap<>();
    values.forEach(v -> out.put(name.apply(v).toLowerCase(Locale.ROOT), v));
    return out;
  }

  /** Returns the conditions that all routes share; empty exactly if a problem was added. */
  Optional<Conditions> conditions(EncodedSlashes slashes, Problems problems) {
    return MethodSet.compile(methods, problems).map(set -> new Conditions(scheme, set, hosts, slashes));
  }

  /** Returns the routes; those with problems are missing. */
  List<Route> compiled(EncodedSlashes slashes, Problems problems) {
    List<Route> out = new ArrayList<>();
    for (RouteDraft draft : routes.items()) {
      Optional<PathPattern> path = draft.path().flatMap(text -> PathPattern.compile(text, problems));
      List<PathParameter> parameters = new ArrayList<>();
      draft.parameters().items().forEach(
          p -> PathParameter.compile(p.name(), p.type(), p.value(), slashes, problems).ifPresent(parameters::add));
      path.flatMap(p -> Route.of(p, parameters, problems)).ifPresent(out::add);
    }
    return out;
  }
}

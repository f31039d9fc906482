package portcullis.verify;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.http.message.Grammar;
import portcullis.lang.expression.Comparison;
import portcullis.lang.expression.Expression;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.authorizer.Cel;
import portcullis.policy.mechanism.Checks;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;

/**
 * Requests and users for which steps of a pipeline may have another outcome: with the header fields, cookies,
 * parameters, captures, members of the body and attributes that its conditions and expressions read, and with the
 * constants that these are compared with. Which outcome they have shows when they are tried.
 */
record Alternatives(List<Comparison> comparisons) {
  static final Alternatives NONE = new Alternatives(List.of());

  /** The maximum number of values tried for each. */
  private static final int MOST = 12;
  private static final String OTHER = "other";

  static Alternatives of(Pipeline pipeline) {
    Set<Comparison> out = new LinkedHashSet<>();
    Stream.of(pipeline.authenticators(), pipeline.handlers(), pipeline.finalizers()).flatMap(List::stream)
        .forEach(step -> expressions(step).forEach(expression -> out.addAll(Comparison.of(expression.text()))));
    return new Alternatives(List.copyOf(out));
  }

  private static List<Expression> expressions(Step<?> step) {
    List<Expression> out = new ArrayList<>(step.condition().stream().toList());
    if (step.mechanism() instanceof Cel cel) {
      cel.config().expressions().stream().map(Checks.Check::expression).forEach(out::add);
    }
    return out;
  }

  /**
   * Returns requests like this one with one of the values, and one with a value for each.
   *
   * @param route the path of the route that it is for, as written
   */
  List<Probe> probes(Probe plain, String route) {
    Set<Probe> out = new LinkedHashSet<>();
    Probe all = plain;
    for (Comparison comparison : comparisons) {
      Optional<Probe> more = Optional.empty();
      for (String value : strings(comparison.constants())) {
        probe(plain, route, comparison.path(), value).ifPresent(out::add);
        more = more.isPresent() ? more : probe(all, route, comparison.path(), value);
      }
      all = more.orElse(all);
    }
    List<Probe> tried = new ArrayList<>(out.stream().limit(MOST).toList());
    if (!all.equals(plain) && !out.contains(all)) {
      tried.add(all);
    }
    tried.remove(plain);
    return tried;
  }

  private static Set<String> strings(List<Value> constants) {
    Set<String> out = new LinkedHashSet<>();
    for (Value constant : constants) {
      out.add(constant instanceof Value.Str(String text) ? text : JsonText.plain(constant));
    }
    out.remove("");
    out.add(OTHER);
    return out;
  }

  private static Optional<Probe> probe(Probe plain, String route, List<String> path, String value) {
    if (!path.getFirst().equals("Request") || path.size() < 3 || value.chars().anyMatch(Character::isISOControl)) {
      return Optional.empty();
    }
    String name = path.get(2);
    boolean token = Grammar.isToken(name);
    boolean entry = path.size() == 4;
    return switch (path.get(1) + (path.get(1).equals("URL") ? "." + name : "")) {
      case "Header" -> token ? Optional.of(plain.with("-H", name + ": " + value)) : Optional.empty();
      case "Cookie" -> token ? Optional.of(plain.with("-b", name + "=" + value)) : Optional.empty();
      case "Body" -> plain.options().contains("-d") ? Optional.empty()
          : Optional.of(body(plain, path.subList(2, path.size()), value));
      case "URL.Query" -> entry ? Optional.of(queried(plain, path.get(3), value)) : Optional.empty();
      case "URL.Captures" -> entry ? captured(plain, route, path.get(3), value) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Probe queried(Probe plain, String name, String value) {
    return plain.withUrl(plain.url() + (plain.url().contains("?") ? "&" : "?") + encoded(name) + "=" + encoded(value));
  }

  private static Probe body(Probe plain, List<String> names, String text) {
    Value value = Value.of(text);
    for (String name : names.reversed()) {
      value = Value.dict(name, value);
    }
    return plain.with("-H", "Content-Type: application/json").with("-d", JsonText.plain(value));
  }

  /** Returns the request with another segment in place of what a wildcard takes. */
  private static Optional<Probe> captured(Probe plain, String route, String capture, String value) {
    List<String> pattern = List.of(route.split("/", -1));
    int at = Math.max(pattern.indexOf(":" + capture), pattern.indexOf("*" + capture));
    int begin = plain.url().indexOf('/', plain.url().indexOf("//") + 2);
    List<String> segments = new ArrayList<>(List.of(plain.url().substring(begin).split("/", -1)));
    if (at < 0 || at >= segments.size() || plain.url().contains("?")) {
      return Optional.empty();
    }
    segments.set(at, encoded(value));
    return Optional.of(plain.withUrl(plain.url().substring(0, begin) + String.join("/", segments)));
  }

  /** Returns users with one of the attributes, and one with all of them. */
  List<Subject> subjects() {
    Set<Subject> out = new LinkedHashSet<>();
    Map<String, Value> all = new LinkedHashMap<>();
    for (Comparison comparison : comparisons) {
      if (!comparison.path().getFirst().equals("Subject")) {
        continue;
      }
      if (comparison.path().equals(List.of("Subject", "ID"))) {
        comparison.constants().stream().filter(Value.Str.class::isInstance)
            .forEach(id -> out.add(new Subject(((Value.Str) id).value(), Value.Dict.EMPTY)));
      } else if (comparison.path().size() > 2 && comparison.path().get(1).equals("Attributes")) {
        attributes(comparison).forEach(attributes -> {
          out.add(new Subject(AccessCheck.SOMEBODY.id(), attributes));
          attributes.members().forEach(all::putIfAbsent);
        });
      }
    }
    List<Subject> tried = new ArrayList<>(out.stream().limit(MOST).toList());
    if (all.size() > 1) {
      tried.add(new Subject(AccessCheck.SOMEBODY.id(), new Value.Dict(all)));
    }
    return tried;
  }

  private static List<Value.Dict> attributes(Comparison comparison) {
    List<Value> values = new ArrayList<>();
    if (comparison.isList()) {
      values.add(new Value.Array(comparison.constants()));
    }
    values.addAll(comparison.constants());
    if (comparison.constants().isEmpty()) {
      values.addAll(List.of(Value.TRUE, Value.of(OTHER)));
    }
    List<Value.Dict> out = new ArrayList<>();
    for (Value value : values) {
      Value nested = value;
      for (String name : comparison.path().subList(2, comparison.path().size()).reversed()) {
        nested = new Value.Dict(Map.of(name, nested));
      }
      out.add((Value.Dict) nested);
    }
    return out;
  }

  /** Percent-encodes everything but letters and digits. */
  static String encoded(String text) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9';
      out.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b));
    }
    return out.toString();
  }
}

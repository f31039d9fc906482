package portcullis.http.message;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** The parameters of a query as templates read them: {@code .Query.Get "page"}, {@code index .Query.page 0}. */
record QueryValues(Value.Dict values) implements HostObject {
  private static final Set<String> FUNCTIONS = Set.of("Get", "Has", "Encode", "Add", "Set", "Del");

  private static final Set<String> CHANGES = Set.of("Add", "Set", "Del");

  @Override
  public String name() {
    return "Query";
  }

  @Override
  public Set<String> members() {
    return values.members().keySet();
  }

  @Override
  public Set<String> functions() {
    return FUNCTIONS;
  }

  @Override
  public Optional<Value> member(String name) {
    return FUNCTIONS.contains(name) ? Optional.empty() : values.get(name);
  }

  /** Returns all parameters; a missing one is not an error. */
  public Optional<Value.Dict> entries() {
    return Optional.of(values);
  }

  /**
   * {@code Get}: the first value of a name, else the empty text. {@code Has}: whether there is one. {@code Encode}: the
   * query, sorted by name. A parameter of such a name does not hide the function.
   */
  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    if (function.equals("Encode")) {
      Arguments.none(function, arguments);
      return Value.of(encoded());
    }
    if (CHANGES.contains(function)) {
      throw new ValueException("`" + function + "` would change the request, which is not possible");
    }
    Optional<Value> found = values.get(Arguments.text(function, arguments));
    if (function.equals("Has")) {
      return Value.of(found.isPresent());
    }
    return found.map(value -> value instanceof Value.Array all ? all.items().getFirst() : value)
        .orElse(Value.EMPTY_STRING);
  }

  @Override
  public String text() {
    return new TreeMap<>(values.members()).entrySet().stream().map(QueryValues::shown)
        .collect(Collectors.joining(" ", "map[", "]"));
  }

  private String encoded() {
    StringBuilder out = new StringBuilder();
    new TreeMap<>(values.members()).forEach((name, value) -> {
      for (Value each : value instanceof Value.Array array ? array.items() : List.of(value)) {
        String text = each instanceof Value.Str(String t) ? t : "";
        out.append(out.isEmpty() ? "" : "&").append(form(name)).append('=').append(form(text));
      }
    });
    return out.toString();
  }

  private static String form(String text) {
    return Escapes.form(Grammar.wire(text));
  }

  private static String shown(Map.Entry<String, Value> parameter) {
    List<Value> all = parameter.getValue() instanceof Value.Array array ? array.items() : List.of();
    return all.stream().map(v -> v instanceof Value.Str(String text) ? text : "")
        .collect(Collectors.joining(" ", parameter.getKey() + ":[", "]"));
  }
}

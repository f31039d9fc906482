package portcullis.lang.expression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** An object that an expression made, such as {@code subject.Subject{ID: 'x'}}; members that it omits are empty. */
record Struct(String name, Map<String, Value> values) implements HostObject {
  Struct {
    values = Map.copyOf(values);
  }

  @Override
  public Set<String> members() {
    return Structs.members(name).keySet();
  }

  @Override
  public Set<String> functions() {
    return Set.of();
  }

  @Override
  public Optional<Value> member(String member) {
    String type = Structs.members(name).get(member);
    return type == null ? Optional.empty() : Optional.of(values.getOrDefault(member, empty(type)));
  }

  private static Value empty(String type) {
    return type.equals("string") ? Value.EMPTY_STRING
        : type.startsWith("list") ? Value.Array.EMPTY
            : type.startsWith("map") ? Value.Dict.EMPTY : new Struct(type, Map.of());
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    throw new ValueException("no function `" + function + "` in " + name);
  }

  @Override
  public String text() {
    return JsonText.plain(this);
  }
}

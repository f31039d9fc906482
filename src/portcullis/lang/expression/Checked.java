package portcullis.lang.expression;

import java.util.Map;
import java.util.Optional;

/**
 * The types and names that the checker determined for the parts of an expression.
 *
 * @param types by the number of the part
 * @param names what a part names that is more than a member: {@code google.protobuf.Duration}
 * @param functions what a call with a target calls, where the target is part of the name, not an argument:
 * {@code math.abs}
 */
record Checked(Map<Integer, Type> types, Map<Integer, String> names, Map<Integer, String> functions) {
  Checked {
    types = Map.copyOf(types);
    names = Map.copyOf(names);
    functions = Map.copyOf(functions);
  }

  Type type(Syntax part) {
    return types.get(part.id());
  }

  Optional<String> name(Syntax part) {
    return Optional.ofNullable(names.get(part.id()));
  }

  Optional<String> namespaced(Syntax.Call call) {
    return Optional.ofNullable(functions.get(call.id()));
  }
}

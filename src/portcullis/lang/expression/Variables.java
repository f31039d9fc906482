package portcullis.lang.expression;

import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** Finds the variables of an expression by name: {@code Request}, {@code Subject} and so on. */
@FunctionalInterface
public interface Variables {
  /** Returns the value; empty if the variable is not known at this point. */
  Optional<Value> find(String name);

  /** Returns variables with these values; the map is not changed afterwards. */
  static Variables of(Map<String, Value> values) {
    return name -> Optional.ofNullable(values.get(name));
  }
}

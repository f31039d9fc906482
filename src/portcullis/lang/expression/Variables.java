package portcullis.lang.expression;

import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** What an expression can read, by the name of the variable: {@code Request}, {@code Subject} and so on. */
@FunctionalInterface
public interface Variables {
  /** The value; empty where the variable is not known at this point. */
  Optional<Value> find(String name);

  /** These; the map is not changed afterwards. */
  static Variables of(Map<String, Value> values) {
    return name -> Optional.ofNullable(values.get(name));
  }
}

package portcullis.lang.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds a table of functions by name. */
final class FunctionSet {
  private final Map<String, Function> byName = new LinkedHashMap<>();

  /** @param names the aliases of one function, separated by blanks */
  FunctionSet with(String names, Function.Body body, Param... parameters) {
    return with(names, body, false, parameters);
  }

  /** Adds a function that takes any number of arguments for its last parameter. */
  FunctionSet variadic(String names, Function.Body body, Param... parameters) {
    return with(names, body, true, parameters);
  }

  private FunctionSet with(String names, Function.Body body, boolean variadic, Param... parameters) {
    for (String name : names.split(" ")) {
      byName.put(name, new Function(name, List.of(parameters), variadic, body));
    }
    return this;
  }

  FunctionSet with(Map<String, Function> others) {
    byName.putAll(others);
    return this;
  }

  Map<String, Function> functions() {
    return Map.copyOf(byName);
  }
}

package portcullis.lang.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions by name, as they are put together. */
final class FunctionSet {
  private final Map<String, Function> byName = new LinkedHashMap<>();

  /** @param names of one function, separated by blanks */
  FunctionSet with(String names, Function.Body body, Slot... slots) {
    return with(names, body, false, slots);
  }

  /** One that takes any number of arguments for its last slot. */
  FunctionSet variadic(String names, Function.Body body, Slot... slots) {
    return with(names, body, true, slots);
  }

  private FunctionSet with(String names, Function.Body body, boolean variadic, Slot... slots) {
    for (String name : names.split(" ")) {
      byName.put(name, new Function(name, List.of(slots), variadic, body));
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

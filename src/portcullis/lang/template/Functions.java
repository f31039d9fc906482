package portcullis.lang.template;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of all functions that templates can call. */
final class Functions {
  private static final Map<String, Function> ALL = new FunctionSet()
      .with(Builtins.ALL).with(Comparison.ALL).with(FlowFunctions.ALL)
      .with(TextFunctions.ALL).with(CaseFunctions.ALL).with(Splitting.ALL)
      .with(ListFunctions.ALL).with(DictFunctions.ALL).with(NumberFunctions.ALL)
      .with(JsonFunctions.ALL).with(EncodingFunctions.ALL).with(RegexFunctions.ALL)
      .with(DateFunctions.ALL).with(VersionFunctions.ALL).with(UrlFunctions.ALL).with(PathFunctions.ALL)
      .with(CryptoFunctions.ALL).with(RandomFunctions.ALL)
      .functions();

  private Functions() {}

  static Optional<Function> named(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  static Set<String> names() {
    return ALL.keySet();
  }
}

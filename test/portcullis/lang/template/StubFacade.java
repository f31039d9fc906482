package portcullis.lang.template;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.Facade;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** An object of given members and functions; one with entries is a map. */
record StubFacade(String name, Map<String, Value> values, Map<String, Code> code, String text,
    Optional<Value.Dict> entries)
    implements Facade {
  @FunctionalInterface
  interface Code {
    Value call(List<Value> arguments) throws ValueFault;
  }

  StubFacade(String name, Map<String, Value> values, Map<String, Code> code, String text) {
    this(name, values, code, text, Optional.empty());
  }

  @Override
  public Set<String> members() {
    return values.keySet();
  }

  @Override
  public Set<String> functions() {
    return code.keySet();
  }

  @Override
  public Optional<Value> member(String member) {
    return Optional.ofNullable(values.get(member));
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueFault {
    return code.get(function).call(arguments);
  }

  /** A function without arguments. */
  static Code answer(Value value) {
    return arguments -> {
      if (!arguments.isEmpty()) {
        throw new ValueFault("takes no arguments");
      }
      return value;
    };
  }

  /** The one argument, which is a text. */
  static String argument(List<Value> arguments) throws ValueFault {
    if (arguments.size() == 1 && arguments.getFirst() instanceof Value.Text text) {
      return text.value();
    }
    throw new ValueFault("takes one text");
  }
}

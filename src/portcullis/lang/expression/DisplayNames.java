package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;

/** The names of parts of expressions in messages. */
final class DisplayNames {
  private static final int LONGEST = 60;

  private DisplayNames() {}

  /** Returns the name of a type, truncated if it is long. */
  static String type(Type type) {
    return cut(type.toString());
  }

  /** Returns a part of the expression for a message: one line, truncated if it is long. */
  static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "\ufffd");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }

  /** Returns an operator or function as written: {@code +} for {@code _+_}. */
  static String operator(String function) {
    return switch (function) {
      case "_?_:_" -> "? :";
      case "_[_]" -> "[ ]";
      case "@in" -> "in";
      case "@sortBy" -> "sortBy";
      case "math.@max" -> "math.greatest";
      case "math.@min" -> "math.least";
      case "-_", "!_" -> function.substring(0, 1);
      default -> function.startsWith("_") ? function.substring(1, function.length() - 1) : function;
    };
  }

  /** Returns a hint for operands of these types; empty if there is none. */
  static String mixed(List<String> types) {
    if (types.contains("double") && (types.contains("int") || types.contains("uint"))) {
      return "numbers of different types do not mix: write `1.0` for `1`, or convert";
    }
    return types.contains("int") && types.contains("uint") ? "numbers of different types do not mix: convert one" : "";
  }

  /**
   * Returns the operand of a member as written, such as {@code Subject.Attributes}; {@code the value} if it is not a
   * path.
   */
  static String path(Syntax operand) {
    return written(operand).filter(p -> p.length() <= LONGEST).map(DisplayNames::cut).orElse("the value");
  }

  private static Optional<String> written(Syntax part) {
    return switch (part) {
      case Syntax.Name name -> Optional.of(name.name());
      case Syntax.Select select -> written(select.operand()).map(p -> p + "." + select.member());
      case Syntax.Call call when call.function().equals("_[_]") -> written(call.arguments().getFirst())
          .flatMap(p -> index(call.arguments().getLast()).map(i -> p + "[" + i + "]"));
      case Syntax.Call call when call.arguments().isEmpty() && call.target().isPresent() ->
        written(call.target().get()).map(p -> p + "." + call.function() + "()");
      default -> Optional.empty();
    };
  }

  private static Optional<String> index(Syntax index) {
    return switch (index) {
      case Syntax.Constant(_, Val.Text text) -> Optional.of("'" + text.value() + "'");
      case Syntax.Constant(_, Val.Int number) -> Optional.of(Long.toString(number.value()));
      default -> Optional.empty();
    };
  }
}

package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;

/**
 * The calls that are more than calls: {@code has}, the loops, and {@code math.greatest} with any number of arguments.
 */
final class Macros {
  /** The name of cel-go's accumulator variable, which is reserved. */
  private static final String TAKEN = "__result__";

  private final Parser parser;

  Macros(Parser parser) {
    this.parser = parser;
  }

  /** Expands {@code name(arguments)}; returns an empty optional for a plain call. */
  Optional<Syntax> ofFunction(String name, List<Syntax> arguments) throws SyntaxError {
    if (!name.equals("has") || arguments.size() != 1) {
      return Optional.empty();
    }
    if (arguments.getFirst() instanceof Syntax.Select select) {
      return Optional.of(new Syntax.Has(select.id(), select.operand(), select.member()));
    }
    if (arguments.getFirst() instanceof Syntax.Has has) {
      return Optional.of(has);
    }
    throw error(arguments.getFirst(), "`has` tests a member", "write it as `has(a.b)`");
  }

  private SyntaxError error(Syntax part, String message, String hint) {
    return new SyntaxError(parser.place(part), message, hint);
  }

  /** Expands {@code target.name(arguments)}; returns an empty optional for a plain call. */
  Optional<Syntax> ofReceiver(int id, Syntax target, String name, List<Syntax> arguments) throws SyntaxError {
    boolean two = arguments.size() == 2;
    return switch (name) {
      case "all" -> two ? loop(id, Syntax.LoopKind.ALL, target, arguments) : Optional.empty();
      case "exists" -> two ? loop(id, Syntax.LoopKind.EXISTS, target, arguments) : Optional.empty();
      case "exists_one" -> two ? loop(id, Syntax.LoopKind.EXISTS_ONE, target, arguments) : Optional.empty();
      case "filter" -> two ? loop(id, Syntax.LoopKind.FILTER, target, arguments) : Optional.empty();
      case "map" -> two || arguments.size() == 3 ? loop(id, Syntax.LoopKind.MAP, target, arguments) : Optional.empty();
      case "sortBy" -> two ? loop(id, Syntax.LoopKind.SORT_BY, target, arguments) : Optional.empty();
      case "greatest" ->
        isMath(target) ? Optional.of(extreme(id, target, name, "math.@max", arguments)) : Optional.empty();
      case "least" ->
        isMath(target) ? Optional.of(extreme(id, target, name, "math.@min", arguments)) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Returns the syntax of a macro; empty if there is none. */
  static Optional<String> usage(String name) {
    return switch (name) {
      case "has" -> Optional.of("has(a.b)");
      case "all", "exists", "exists_one", "filter" -> Optional.of("list." + name + "(x, condition)");
      case "map" -> Optional.of("list.map(x, value)");
      case "sortBy" -> Optional.of("list.sortBy(x, key)");
      case "greatest", "least" -> Optional.of("math." + name + "(a, b)");
      default -> Optional.empty();
    };
  }

  private Optional<Syntax> loop(int id, Syntax.LoopKind kind, Syntax range, List<Syntax> arguments)
      throws SyntaxError {
    boolean isVariable = arguments.getFirst() instanceof Syntax.Name(_, String name)
        && !name.startsWith(".") && !name.equals(TAKEN);
    if (!isVariable || !(arguments.getFirst() instanceof Syntax.Name variable)) {
      throw error(arguments.getFirst(), "the first argument is the name of a variable", "");
    }
    Optional<Syntax> filter = arguments.size() == 3 ? Optional.of(arguments.get(1)) : Optional.empty();
    return Optional.of(
        new Syntax.Loop(id, kind, range, variable.id(), variable.name(), filter, arguments.getLast()));
  }

  private static boolean isMath(Syntax target) {
    return target instanceof Syntax.Name name && name.name().equals("math");
  }

  private Syntax extreme(int id, Syntax target, String name, String function, List<Syntax> arguments)
      throws SyntaxError {
    if (arguments.isEmpty()) {
      throw error(target, "`math." + name + "` needs an argument", "");
    }
    Optional<Syntax> bad = arguments.size() == 1 ? badSingle(arguments.getFirst())
        : arguments.stream().filter(a -> !mayBeNumber(a)).findFirst();
    if (bad.isPresent()) {
      throw error(bad.get(), "`math." + name + "` takes numbers or one list of numbers", "");
    }
    List<Syntax> operands = arguments.size() <= 2 ? arguments
        : List.of(new Syntax.ListOf(parser.number(parser.place(target)), arguments));
    return new Syntax.Call(id, Optional.empty(), function, operands);
  }

  private static Optional<Syntax> badSingle(Syntax argument) {
    if (argument instanceof Syntax.ListOf list) {
      return list.elements().isEmpty() ? Optional.of(list)
          : list.elements().stream().filter(e -> !mayBeNumber(e)).findFirst();
    }
    return mayBeNumber(argument) ? Optional.empty() : Optional.of(argument);
  }

  private static boolean mayBeNumber(Syntax argument) {
    return switch (argument) {
      case Syntax.Constant constant -> Order.isNumber(constant.value());
      case Syntax.ListOf _, Syntax.MapOf _, Syntax.ObjectOf _ -> false;
      case Syntax.Name _, Syntax.Select _, Syntax.Has _, Syntax.Call _, Syntax.Logic _, Syntax.Loop _ -> true;
    };
  }
}

package portcullis.lang.template;

import java.util.List;

/** An operand of a command. */
sealed interface Term {
  Span at();

  /** {@code .} */
  record Dot(Span at) implements Term {}

  /** {@code nil} */
  record Nil(Span at) implements Term {}

  /** A string, {@code true} or {@code false}. */
  record Literal(Span at, Item item) implements Term {}

  record Number(Span at, NumberLiteral literal) implements Term {}

  /** {@code .a.b} */
  record Field(Span at, List<String> names) implements Term {}

  /**
   * {@code $x.a.b}
   *
   * @param slot of its value; {@link Scope#NOWHERE} for one that is assigned but not declared
   */
  record Variable(Span at, String name, int slot, List<String> names) implements Term {}

  /** The name of a function. */
  record Name(Span at, Function function) implements Term {}

  /** {@code (pipeline).a.b} and {@code function.a.b} */
  record Chain(Span at, Term of, List<String> names) implements Term {}

  /** A pipeline in parentheses. */
  record Group(Span at, Pipeline pipeline) implements Term {}
}

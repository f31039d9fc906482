package portcullis.lang.template;

import java.util.List;

/**
 * Commands, each of which gets the result of the one before as its last argument.
 *
 * @param slots the variables that are set to its value; {@link Scope#NOWHERE} for one that is not declared
 * @param assigns whether the variables were declared before
 * @param commands at least one
 */
record Pipeline(Span at, List<Integer> slots, boolean assigns, List<Command> commands) {
  /**
   * A term with its arguments.
   *
   * @param terms at least one
   */
  record Command(Span at, List<Term> terms) {}

  /** Returns whether it is one literal, and so part of the template's own text. */
  boolean isLiteral() {
    return commands.size() == 1 && commands.getFirst().terms().size() == 1
        && commands.getFirst().terms().getFirst() instanceof Term.Literal;
  }
}

package portcullis.lang.template;

import java.util.List;

/**
 * Commands, each of which is given what the one before it made.
 *
 * @param slots the variables that are set to its value; {@link Scope#NOWHERE} for one that is not declared
 * @param assigns whether the variables were declared before
 * @param commands one at least
 */
record Pipeline(Span at, List<Integer> slots, boolean assigns, List<Command> commands) {
  /**
   * A term with its arguments.
   *
   * @param terms one at least
   */
  record Command(Span at, List<Term> terms) {}

  /** Whether it is one literal, and so text of the template as much as what stands around it. */
  boolean isLiteral() {
    return commands.size() == 1 && commands.getFirst().terms().size() == 1
        && commands.getFirst().terms().getFirst() instanceof Term.Literal;
  }
}

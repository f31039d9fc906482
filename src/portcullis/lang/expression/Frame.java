package portcullis.lang.expression;

import java.util.Optional;

/**
 * One evaluation: the variables, those of the loops that are under way, and the meter. Mutable, for one thread.
 *
 * @param locals by the number that the planner gave the loop
 */
record Frame(Roots roots, Val[] locals, Meter meter) {
  /** The variables, as the expression sees them. */
  @FunctionalInterface
  interface Roots {
    Optional<Val> find(String name);
  }
}

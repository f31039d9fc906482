package portcullis.lang.expression;

import java.util.Optional;

/**
 * One evaluation: the variables, those of the loops that are under way, and the meter. Mutable, for one thread.
 *
 * @param locals by the number that the planner gave the loop
 */
record Frame(Roots roots, Val[] locals, Meter meter) {
  /** Finds the variables by name. */
  @FunctionalInterface
  interface Roots {
    Optional<Val> find(String name);
  }
}

package portcullis.expression;

/**
 * One evaluation: the variables, those of the loops that are under way, and the meter. Mutable, for one thread.
 *
 * @param locals by the number that the planner gave the loop
 */
record Frame(Variables variables, Val[] locals, Meter meter) {}

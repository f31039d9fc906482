package portcullis.policy.pipeline;

/** Told of one request's rule and of the steps of its run, on the run's thread; what it throws ends the run. */
public interface Observer {
  /** One that is told nothing, at no cost. */
  Observer NOBODY = new Observer() {
    @Override
    public void begun(Step<?> step) {
      // nobody asks
    }

    @Override
    public void ended(StepReport report) {
      // nobody asks
    }
  };

  /**
   * The rule is found.
   *
   * @param source of its rule set
   * @param route the path that fits, as the rule writes it; empty for the default rule
   */
  default void ruled(String source, String rule, String route) {
    // not everybody asks
  }

  /** A step is taken up; its condition comes first. */
  void begun(Step<?> step);

  /** The step that began last is over; each that begins ends, before the next begins. */
  void ended(StepReport report);
}

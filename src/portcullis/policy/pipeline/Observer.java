package portcullis.policy.pipeline;

import portcullis.http.message.Request;
import portcullis.policy.mechanism.Subject;

/** Is notified of the rule and the steps of one request, on its thread; an exception ends the run. */
public interface Observer {
  /** An observer that ignores everything. */
  Observer NONE = new Observer() {
    @Override
    public void begun(Step<?> step) {
      // ignored
    }

    @Override
    public void ended(StepReport report) {
      // ignored
    }
  };

  /** Called before anything is decided. */
  default void requested(Request request) {
    // optional
  }

  /**
   * Called when the rule is found.
   *
   * @param source of its rule set
   * @param route the matching path as the rule writes it; empty for the default rule
   */
  default void ruled(String source, String rule, String route) {
    // optional
  }

  /** Called when authenticators have determined the subject. */
  default void authenticated(Subject subject) {
    // optional
  }

  /** Called before a step and its condition. */
  void begun(Step<?> step);

  /** Called after each step, before the next one begins. */
  void ended(StepReport report);
}

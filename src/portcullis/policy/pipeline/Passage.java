package portcullis.policy.pipeline;

import java.util.Optional;
import portcullis.policy.mechanism.Fault;
import portcullis.policy.mechanism.Handled;
import portcullis.policy.mechanism.State;

/** How a request came through a pipeline. */
public sealed interface Passage {
  /** All steps let it pass. */
  record Passed(State state) implements Passage {}

  /**
   * A step failed.
   *
   * @param fault the failure that counts: that of the step, or that of the handler which was to answer for it
   * @param answer what an error handler says; empty where the answer is that of the failure's kind
   */
  record Failed(Fault fault, Optional<Handled> answer) implements Passage {}
}

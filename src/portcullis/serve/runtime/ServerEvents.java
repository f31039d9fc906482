package portcullis.serve.runtime;

import portcullis.lang.source.Problems;
import portcullis.serve.service.StatusSource;

/** Listens to the events of a run, besides what is logged. */
public interface ServerEvents {
  /**
   * Called once the services accept requests.
   *
   * @param status may be called at any time until the end
   */
  void started(StatusSource status);

  /** Called when the run has ended, in any case; the process may exit as soon as this returns. */
  void ended();

  /** Called where the configuration or the rules are invalid. */
  void invalid(Problems problems);

  /** Called with an error of startup, or of writing the log. */
  void failed(String message);
}

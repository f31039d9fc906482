package portcullis.serve.runtime;

import portcullis.lang.source.Problems;

/** Receives what happens to a run of the services, beside what is logged. */
public interface ServerEvents {
  /** Called once the services accept requests. */
  void started();

  /** Called when the run has ended, in any case; the process may exit as soon as this returns. */
  void ended();

  /** Called where the configuration or the rules are invalid. */
  void invalid(Problems problems);

  /** Called with an error of the start, or of the log itself. */
  void failed(String message);
}

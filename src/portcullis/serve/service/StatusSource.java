package portcullis.serve.service;

import java.util.List;

/** The current status of the program; called for each request, by any thread. */
public interface StatusSource {
  /** Returns why the program is not ready, each reason in a few words; empty if it is ready. */
  List<String> unreadyReasons();

  /** Returns the report for operators. */
  StatusReport report();
}

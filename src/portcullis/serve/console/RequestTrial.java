package portcullis.serve.console;

import java.util.List;
import java.util.Optional;
import portcullis.serve.explain.Explanation;
import portcullis.serve.service.DryRun;

/** Decides requests by the rules in use, to show how; nothing is sent to upstreams. Thread safe. */
@FunctionalInterface
public interface RequestTrial {
  /**
   * How a request was decided.
   *
   * @param unanswered calls of remote services for which no answer was given, without their queries
   */
  record Result(Explanation explanation, List<String> unanswered) {}

  /**
   * Decides a request.
   *
   * @param answers in place of remote services'; empty if these are called
   * @return empty if too many requests are tried at once
   */
  Optional<Result> of(DryRun.Draft request, Optional<List<StubAnswer>> answers) throws InterruptedException;
}

package portcullis.policy.replay;

import java.time.Duration;
import java.util.Optional;
import portcullis.http.message.Fields;

/** An answer in place of a remote service's. */
public interface CannedAnswer {
  /** The failure of a call without a response. */
  enum Failure {
    /** No connection can be opened. */
    REFUSED,
    /** The connection breaks off. */
    RESET,
    /** No answer in time. */
    TIMEOUT
  }

  /** Returns whether it answers that call. */
  boolean fits(Call call);

  int status();

  Fields fields();

  byte[] body();

  /** Returns after which time the answer would come; nothing waits for it, but limits on time apply. */
  default Duration delay() {
    return Duration.ZERO;
  }

  /** Returns how the call fails in place of an answer. */
  default Optional<Failure> failure() {
    return Optional.empty();
  }
}

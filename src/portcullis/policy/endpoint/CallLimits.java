package portcullis.policy.endpoint;

import java.time.Duration;

/**
 * What a call to a remote party is bounded by, beside the client's own limit for a connection to come about.
 *
 * @param head how long the head of the answer may take once the call is sent
 * @param pause how long the answer's body may say nothing
 * @param whole how long all of it may take; looked at between two reads, of which each may wait for a pause
 * @param maxBytes of the answer's body
 */
public record CallLimits(Duration head, Duration pause, Duration whole, int maxBytes) {
  public static final CallLimits STANDARD = new CallLimits(Duration.ofSeconds(10), Duration.ofSeconds(5),
      Duration.ofSeconds(30), 1 << 20);

  /** The same for answers of up to so many bytes. */
  public CallLimits upTo(int bytes) {
    return new CallLimits(head, pause, whole, bytes);
  }
}

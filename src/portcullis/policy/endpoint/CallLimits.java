package portcullis.policy.endpoint;

import java.time.Duration;

/**
 * The limits of a call to a remote service, besides the connect timeout of the HTTP client.
 *
 * @param head maximum time from the request to the head of the response
 * @param pause maximum time without data in the body of the response
 * @param whole maximum time of the whole call; checked between two reads, each of which may wait for a pause
 * @param maxBytes of the body of the response
 */
public record CallLimits(Duration head, Duration pause, Duration whole, int maxBytes) {
  public static final CallLimits DEFAULT = new CallLimits(Duration.ofSeconds(10), Duration.ofSeconds(5),
      Duration.ofSeconds(30), 1 << 20);

  /** Returns a copy for responses of up to so many bytes. */
  public CallLimits upTo(int bytes) {
    return new CallLimits(head, pause, whole, bytes);
  }
}

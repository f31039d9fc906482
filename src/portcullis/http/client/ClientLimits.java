package portcullis.http.client;

import java.time.Duration;

/**
 * The limits of a client.
 *
 * @param maxConnections to one origin; further requests wait for one
 * @param maxIdlePerHost unused connections kept to one origin
 * @param maxIdle unused connections kept in all; beyond it the one unused for longest is closed
 * @param idle how long an unused connection is kept
 * @param connect how long a connection may take to come about: waiting for a free one, name, TCP and TLS together
 * @param head how long the head of an answer may take once the request is sent, where the request says nothing
 * @param maxHeadBytes of one answer's head, also of its trailers
 * @param maxHeadFields lines of one answer's head, also of its trailers
 * @param bodyIdle how long a read of an answer's body or a write of a request may wait, where the request says nothing
 * @param maxBufferedBytes of an answer's body that a handler collects; a stream has no limit
 * @param waitingThreads how many requests wait with a thread each for heads over HTTP/1.1: further ones can give it up,
 *     for which each needs a timer
 */
public record ClientLimits(
    int maxConnections,
    int maxIdlePerHost,
    int maxIdle,
    Duration idle,
    Duration connect,
    Duration head,
    int maxHeadBytes,
    int maxHeadFields,
    Duration bodyIdle,
    long maxBufferedBytes,
    int waitingThreads) {
  private static final int FEW = 128;

  public static final ClientLimits DEFAULT = new ClientLimits(1024, 100, 200, Duration.ofSeconds(90),
      Duration.ofSeconds(10),
      Duration.ofSeconds(10), 256 * 1024, 1000, Duration.ofSeconds(60), 16 << 20);

  public ClientLimits {
    boolean counts = maxConnections > 0 && maxIdlePerHost >= 0 && maxIdle >= 0 && maxBufferedBytes >= 0;
    if (!counts || !positive(idle, connect, head, bodyIdle)) {
      throw new IllegalArgumentException("limits leave no room for an exchange");
    }
  }

  public ClientLimits(int maxConnections, int maxIdlePerHost, int maxIdle, Duration idle, Duration connect,
      Duration head, int maxHeadBytes, int maxHeadFields, Duration bodyIdle, long maxBufferedBytes) {
    this(maxConnections, maxIdlePerHost, maxIdle, idle, connect, head, maxHeadBytes, maxHeadFields, bodyIdle,
        maxBufferedBytes, FEW);
  }

  public ClientLimits withWaitingThreads(int most) {
    return new ClientLimits(maxConnections, maxIdlePerHost, maxIdle, idle, connect, head, maxHeadBytes, maxHeadFields,
        bodyIdle, maxBufferedBytes, most);
  }

  public ClientLimits withConnections(int most, int mostIdlePerHost, int mostIdle) {
    return new ClientLimits(most, mostIdlePerHost, mostIdle, idle, connect, head, maxHeadBytes, maxHeadFields, bodyIdle,
        maxBufferedBytes, waitingThreads);
  }

  private static boolean positive(Duration... times) {
    for (Duration time : times) {
      if (time.isNegative() || time.isZero()) {
        return false;
      }
    }
    return true;
  }
}

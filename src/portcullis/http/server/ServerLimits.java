package portcullis.http.server;

import java.time.Duration;
import portcullis.http.message.TrustedProxies;
import portcullis.http.wire.HeadLimits;

/**
 * The limits of a server for one client and for all clients together.
 *
 * @param head of a request, and of a trailer section
 * @param maxBodyBytes of a request
 * @param proxies peers that stand for many clients: not they have a share, but the clients they name
 */
public record ServerLimits(HeadLimits head, long maxBodyBytes, Waits waits, Counts counts, TrustedProxies proxies) {
  public static final ServerLimits DEFAULT = new ServerLimits(new HeadLimits(16384, 128), Long.MAX_VALUE,
      Waits.DEFAULT, Counts.NONE, TrustedProxies.NONE);

  /**
   * The timeouts of a server. A client that exceeds one is disconnected, with 408 if a request was in progress.
   *
   * @param handshake until TLS is set up
   * @param firstByte of the first request on a connection
   * @param idle between two requests of one connection
   * @param head from a request's first byte to the end of its head
   * @param body for each next byte of a body
   * @param minBodyRate bytes a second that a body must keep up in the mean, after {@code body} has passed once; 0 for
   * none
   * @param request from a request's first byte to the end of its body, whatever its rate; zero for no such end
   * @param write until the client takes 64 KB of the answer, or the rest of it
   */
  public record Waits(Duration handshake, Duration firstByte, Duration idle, Duration head, Duration body,
      int minBodyRate,
      Duration request, Duration write) {
    public static final Waits DEFAULT = new Waits(Duration.ofSeconds(10), Duration.ofSeconds(10),
        Duration.ofSeconds(120),
        Duration.ofSeconds(5), Duration.ofSeconds(10), 240, Duration.ZERO, Duration.ofSeconds(10));

    /** Returns timeouts for an allowed gRPC call, in which both sides may pause as long as a connection may be idle. */
    Waits forCalls() {
      return new Waits(handshake, firstByte, idle, head, idle, 0, Duration.ZERO, idle);
    }
  }

  /**
   * The maximum numbers at a time; 0 for no limit. Connections beyond them are closed, requests are answered with 503.
   *
   * @param peerConnections from one peer, an IPv4 address or a /64 of IPv6
   * @param requests being handled, tunnels included
   * @param peerShare percentage of connections, and of requests, that a peer may have while it is alone; the more
   * others
   *     have, the less
   */
  public record Counts(int connections, int peerConnections, int requests, int peerShare) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);
  }

  public ServerLimits withMaxBodyBytes(long bytes) {
    return new ServerLimits(head, bytes, waits, counts, proxies);
  }

  public ServerLimits withWaits(Waits times) {
    return new ServerLimits(head, maxBodyBytes, times, counts, proxies);
  }

  public ServerLimits withCounts(Counts numbers) {
    return new ServerLimits(head, maxBodyBytes, waits, numbers, proxies);
  }

  public ServerLimits withProxies(TrustedProxies peers) {
    return new ServerLimits(head, maxBodyBytes, waits, counts, peers);
  }
}

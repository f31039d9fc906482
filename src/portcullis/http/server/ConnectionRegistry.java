package portcullis.http.server;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;

/**
 * The sockets that are open, counted in all and for each peer: an IPv4 address or a /64 of IPv6. Where one more finds
 * no room, connections that wait for their clients are ended for it. For any threads.
 */
final class ConnectionRegistry {
  private final ServerLimits.Counts limits;
  private final TrustedProxies proxies;
  private final PeerQuota share;
  private final LoadShedder shedder;
  private final LoadShedder ownShedder;
  private final Map<Network, Integer> peers = new HashMap<>();
  private final Set<ClientConnection> connections = new HashSet<>();

  /** A socket from its acceptance to its end. */
  interface ClientConnection extends ClientWaits {
    InetAddress address();

    /** Returns the peer that it counts for. */
    Network peer();

    /** Lets its next response of HTTP/1 be its last; must not block. */
    void endAfterResponse();

    /** Asks it to end soon; must not block. */
    void drain();

    /** Ends it; must not block. */
    void drop();
  }

  ConnectionRegistry(ServerLimits limits) {
    this.limits = limits.counts();
    this.proxies = limits.proxies();
    this.share = new PeerQuota(this.limits.connections(), this.limits.peerShare());
    this.shedder = new LoadShedder(this.limits.connections());
    this.ownShedder = new LoadShedder(this.limits.connections());
  }

  /** Lets one in; otherwise the reason why not. */
  synchronized Optional<String> enter(ClientConnection connection) {
    int same = peers.getOrDefault(connection.peer(), 0);
    boolean proxy = proxies.trusts(connection.address());
    if (limits.peerConnections() > 0 && same >= limits.peerConnections()) {
      return Optional.of("more connections at once than a peer may have");
    }
    if (!proxy && !share.allows(connections.size(), same)) {
      boolean below = same < connections.size() / peers.size();
      if (!ownShedder.makeRoom(() -> waiting(Optional.of(connection.peer()))) && !(below && makeRoom())) {
        return Optional.of("more connections at once than a peer's share");
      }
    } else if (!share.hasRoom(connections.size()) && !makeRoom()) {
      return Optional.of("more connections at once than allowed");
    }
    connections.add(connection);
    peers.put(connection.peer(), same + 1);
    return Optional.empty();
  }

  private boolean makeRoom() {
    return shedder.makeRoom(() -> waiting(Optional.empty()));
  }

  /** Returns those that wait for their clients, of one peer or all; ending one takes it out. */
  private List<LoadShedder.Candidate> waiting(Optional<Network> of) {
    List<LoadShedder.Candidate> out = new ArrayList<>();
    for (ClientConnection connection : connections) {
      if (of.isEmpty() || of.get().equals(connection.peer())) {
        connection.connection().ifPresent(wait -> out.add(candidate(connection, wait)));
      }
    }
    return out;
  }

  private LoadShedder.Candidate candidate(ClientConnection connection, ClientWait wait) {
    ClientWait ending = new ClientWait(wait.since(), wait.slow(), wait.expected(), () -> {
      leave(connection);
      wait.end().run();
    });
    return new LoadShedder.Candidate(connection.peer(), proxies.trusts(connection.address()), ending);
  }

  /** Returns the connections that wait for their clients. */
  synchronized List<LoadShedder.Candidate> waitingConnections() {
    return waiting(Optional.empty());
  }

  /** Returns the requests and tunnels whose clients have sent nothing for at least a second, or next to nothing. */
  List<LoadShedder.Candidate> waitingRequests() {
    long latest = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
    List<LoadShedder.Candidate> out = new ArrayList<>();
    for (ClientConnection connection : present()) {
      for (ClientWait wait : connection.requests()) {
        if (wait.slow() || wait.since() - latest <= 0) {
          out.add(new LoadShedder.Candidate(connection.peer(), proxies.trusts(connection.address()), wait));
        }
      }
    }
    return out;
  }

  synchronized void leave(ClientConnection connection) {
    if (connections.remove(connection)) {
      peers.computeIfPresent(connection.peer(), (_, n) -> n == 1 ? null : n - 1);
      notifyAll();
    }
  }

  synchronized int size() {
    return connections.size();
  }

  /** Returns all that are there now. */
  synchronized List<ClientConnection> present() {
    return List.copyOf(connections);
  }

  /**
   * Waits until there are no connections.
   *
   * @return false if there still are connections when the time is over
   */
  synchronized boolean awaitEmpty(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    long left = nanos;
    while (!connections.isEmpty() && left > 0) {
      wait(left / 1_000_000 + 1);
      left = end - System.nanoTime();
    }
    return connections.isEmpty();
  }
}

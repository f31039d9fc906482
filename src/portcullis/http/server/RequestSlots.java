package portcullis.http.server;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import portcullis.http.message.Fields;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;

/**
 * The places for requests that are handled at once. While many are free nobody is counted, which costs next to nothing;
 * of the rest each client gets its share. For any threads.
 */
final class RequestSlots {
  /** A place that was asked for; given back where it was taken. */
  sealed interface Slot {
    /** One of those that are not counted. */
    record Uncounted() implements Slot {}

    /** One of a client's share. */
    record Counted(Network client) implements Slot {}

    /** None, and why. */
    record Refused(String reason) implements Slot {}
  }

  private static final Slot UNCOUNTED = new Slot.Uncounted();

  private final int limit;
  private final TrustedProxies proxies;
  private final int uncounted;
  private final PeerShare share;
  private final Supplier<List<Shedder.Candidate>> waiting;
  private final Shedder shedder;
  private final Shedder ownShedder;
  private final AtomicInteger taken = new AtomicInteger();
  private final Map<Network, Integer> clients = new HashMap<>();

  /** @param waiting the requests that wait for their clients */
  RequestSlots(ServerLimits limits, Supplier<List<Shedder.Candidate>> waiting) {
    PeerShare whole = new PeerShare(limits.counts().requests(), limits.counts().peerShare());
    this.limit = whole.limit() == 0 ? Integer.MAX_VALUE : whole.limit();
    this.uncounted = whole.uncounted();
    this.share = whole.counted();
    this.proxies = limits.proxies();
    this.waiting = waiting;
    this.shedder = new Shedder(whole.limit());
    this.ownShedder = new Shedder(whole.limit());
  }

  Slot take(InetAddress peer, Fields fields) {
    int now = taken.incrementAndGet();
    if (now <= uncounted) {
      return UNCOUNTED;
    }
    Slot slot = taken(peer, fields, now);
    if (slot instanceof Slot.Refused) {
      taken.decrementAndGet();
    }
    return slot;
  }

  private Slot taken(InetAddress peer, Fields fields, int now) {
    boolean room = now <= limit || shedder.makeRoom(waiting::get);
    Optional<Network> client = proxies.client(peer, fields).map(Network::ofPeer);
    if (!room) {
      return new Slot.Refused("more requests at once than allowed");
    }
    if (client.isEmpty() || share.percent() == 0) {
      return UNCOUNTED;
    }
    if (enter(client.get(), Math.min(now, limit), false)) {
      return new Slot.Counted(client.get());
    }
    if (Network.ofPeer(peer).equals(client.get()) && ownShedder.makeRoom(() -> waitingOf(client.get()))) {
      enter(client.get(), now, true);
      return new Slot.Counted(client.get());
    }
    return new Slot.Refused("more requests at once than a client's share");
  }

  private List<Shedder.Candidate> waitingOf(Network client) {
    return waiting.get().stream().filter(candidate -> candidate.peer().equals(client)).toList();
  }

  private synchronized boolean enter(Network client, int now, boolean anyway) {
    int own = clients.getOrDefault(client, 0);
    if (!anyway && !share.allows(now - 1 - uncounted, own)) {
      return false;
    }
    clients.put(client, own + 1);
    return true;
  }

  void release(Slot slot) {
    switch (slot) {
      case Slot.Uncounted() -> taken.decrementAndGet();
      case Slot.Counted(Network client) -> {
        taken.decrementAndGet();
        leave(client);
      }
      case Slot.Refused(String _) -> {
      }
    }
  }

  private synchronized void leave(Network client) {
    clients.computeIfPresent(client, (_, n) -> n == 1 ? null : n - 1);
  }
}

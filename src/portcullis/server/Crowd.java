package portcullis.server;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sockets that are open, counted in all and for each peer. For any threads. */
final class Crowd {
  private final ServerLimits.Counts limits;
  private final Map<InetAddress, Integer> peers = new HashMap<>();
  private final Set<Guest> guests = new HashSet<>();

  /** A socket from its acceptance to its end. */
  interface Guest {
    InetAddress address();

    /** Asks it to end soon; must not block. */
    void drain();

    /** Ends it; must not block. */
    void drop();
  }

  Crowd(ServerLimits.Counts limits) {
    this.limits = limits;
  }

  /** False where there are too many already. */
  synchronized boolean enter(Guest guest) {
    int same = peers.getOrDefault(guest.address(), 0);
    boolean full = limits.connections() > 0 && guests.size() >= limits.connections();
    if (full || limits.peerConnections() > 0 && same >= limits.peerConnections()) {
      return false;
    }
    guests.add(guest);
    peers.put(guest.address(), same + 1);
    return true;
  }

  synchronized void leave(Guest guest) {
    if (guests.remove(guest)) {
      peers.computeIfPresent(guest.address(), (_, n) -> n == 1 ? null : n - 1);
      notifyAll();
    }
  }

  synchronized int size() {
    return guests.size();
  }

  /** All that are there now. */
  synchronized List<Guest> present() {
    return List.copyOf(guests);
  }

  /**
   * Waits until nobody is there.
   *
   * @return false where somebody still is when the time is over
   */
  synchronized boolean awaitEmpty(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    long left = nanos;
    while (!guests.isEmpty() && left > 0) {
      wait(left / 1_000_000 + 1);
      left = end - System.nanoTime();
    }
    return guests.isEmpty();
  }
}

package portcullis.http.server;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import portcullis.http.message.Fields;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;

/**
 * Limits how many requests are handled at once. While most slots are free, taking one is a single atomic step; of the
 * rest each client gets its share. A client within its share queues for a moment where all slots are taken, and
 * requests that wait for their clients are ended to make room. For any threads.
 */
final class RequestSlots {
  /** The result of taking a slot, which the request gives to {@link #release} at its end. */
  sealed interface Slot {
    /** A slot that counts for no client. */
    record Uncounted() implements Slot {}

    /** A slot of a client's share. */
    record Counted(Network client) implements Slot {}

    /** No slot, with the reason. */
    record Refused(String reason) implements Slot {}
  }

  /** The requests that wait for their clients, and how many of each peer. */
  private record Found(List<LoadShedder.Candidate> all, Map<Network, Integer> ofPeers) {
    static Found of(List<LoadShedder.Candidate> all) {
      Map<Network, Integer> sizes = new HashMap<>();
      all.forEach(candidate -> sizes.merge(candidate.peer(), 1, Integer::sum));
      return new Found(all, sizes);
    }

    int ofOthers(Optional<Network> client) {
      return all.size() - client.map(c -> ofPeers.getOrDefault(c, 0)).orElse(0);
    }
  }

  private static final Slot UNCOUNTED = new Slot.Uncounted();
  private static final long QUEUE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_MILLIS = 20;
  private static final long SEARCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final int limit;
  private final TrustedProxies proxies;
  private final int uncounted;
  private final PeerQuota share;
  private final int queueLimit;
  private final Supplier<List<LoadShedder.Candidate>> waiting;
  private final LoadShedder shedder;
  private final LoadShedder ownShedder;
  private final AtomicInteger taken = new AtomicInteger();
  private final Map<Network, Integer> clients = new HashMap<>();
  private final Map<Optional<Network>, Integer> queue = new HashMap<>();
  private final Object searches = new Object();
  private Found found = Found.of(List.of());
  private long nextSearch = System.nanoTime();
  private volatile int queued;

  /** @param waiting finds the requests that wait for their clients */
  RequestSlots(ServerLimits limits, Supplier<List<LoadShedder.Candidate>> waiting) {
    PeerQuota whole = new PeerQuota(limits.counts().requests(), limits.counts().peerShare());
    this.limit = whole.limit() == 0 ? Integer.MAX_VALUE : whole.limit();
    this.uncounted = whole.uncounted();
    this.share = whole.counted();
    this.queueLimit = Math.max(64, whole.limit() / 8);
    this.proxies = limits.proxies();
    this.waiting = waiting;
    this.shedder = new LoadShedder(whole.limit());
    this.ownShedder = new LoadShedder(whole.limit());
  }

  /** Takes a slot; a client within its share waits for one, for at most a second. */
  Slot take(InetAddress peer, Fields fields) {
    if (increase(uncounted)) {
      return UNCOUNTED;
    }
    Optional<Network> client = share.percent() == 0 ? Optional.empty()
        : proxies.share(peer, fields);
    boolean direct = client.isPresent() && !proxies.trusts(peer);
    long end = System.nanoTime() + QUEUE_NANOS;
    boolean queues = false;
    Optional<Slot> slot = granted(client, 0);
    while (slot.isEmpty()) {
      int idle = waiting().ofOthers(client);
      boolean within = isWithinShare(client, idle);
      boolean freed = within ? shedder.makeRoom(() -> waiting().all())
          : direct && ownShedder.makeRoom(() -> waitingOf(client.get()));
      queues |= within || freed;
      if (!queues || System.nanoTime() - end >= 0 || !mayQueue(client)) {
        return new Slot.Refused("more requests at once than " + (within ? "allowed" : "a client's share"));
      }
      slot = queued(client, idle);
    }
    return slot.get();
  }

  /** Takes another slot if fewer than that many are taken. */
  private boolean increase(int below) {
    int now = taken.get();
    while (now < below) {
      if (taken.compareAndSet(now, now + 1)) {
        return true;
      }
      now = taken.get();
    }
    return false;
  }

  private synchronized Optional<Slot> granted(Optional<Network> client, int idle) {
    if (!isWithinShare(client, idle) || !isNext(client) || !increase(limit)) {
      return Optional.empty();
    }
    client.ifPresent(c -> clients.merge(c, 1, Integer::sum));
    return Optional.of(client.<Slot>map(Slot.Counted::new).orElse(UNCOUNTED));
  }

  /** Returns whether no client that queues has fewer slots. */
  private boolean isNext(Optional<Network> client) {
    int own = slotsOf(client);
    return queue.keySet().stream().allMatch(other -> slotsOf(other) >= own);
  }

  private int slotsOf(Optional<Network> client) {
    return client.isEmpty() ? 0 : clients.getOrDefault(client.get(), 0);
  }

  /** @param idle taken slots that count as free, as others' requests hold them that can be ended */
  private synchronized boolean isWithinShare(Optional<Network> client, int idle) {
    return client.isEmpty()
        || share.allows(Math.max(0, taken.get() - uncounted - idle), slotsOf(client));
  }

  /** Returns the requests that wait for their clients, as they were a hundredth of a second ago at most. */
  private Found waiting() {
    synchronized (searches) {
      if (System.nanoTime() - nextSearch >= 0) {
        found = Found.of(waiting.get());
        nextSearch = System.nanoTime() + SEARCH_NANOS;
      }
      return found;
    }
  }

  private List<LoadShedder.Candidate> waitingOf(Network client) {
    return waiting().all().stream().filter(candidate -> candidate.peer().equals(client)).toList();
  }

  /** The queue is bounded, for a single client too; the first request of a client may always wait. */
  private synchronized boolean mayQueue(Optional<Network> client) {
    int own = queue.getOrDefault(client, 0);
    boolean first = client.isPresent() && own + slotsOf(client) == 0;
    return first || queued < queueLimit && own < queueLimit / 2;
  }

  /** Waits a moment for a slot. */
  private synchronized Optional<Slot> queued(Optional<Network> client, int idle) {
    queued++;
    queue.merge(client, 1, Integer::sum);
    try {
      wait(POLL_MILLIS);
      return granted(client, idle);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(new Slot.Refused("the server is stopping"));
    } finally {
      queued--;
      queue.computeIfPresent(client, (_, n) -> n == 1 ? null : n - 1);
    }
  }

  /** Returns the number of slots that are taken. */
  int count() {
    return taken.get();
  }

  void release(Slot slot) {
    if (slot instanceof Slot.Refused) {
      return;
    }
    taken.decrementAndGet();
    if (slot instanceof Slot.Counted || queued > 0) {
      released(slot);
    }
  }

  private synchronized void released(Slot slot) {
    if (slot instanceof Slot.Counted(Network client)) {
      clients.computeIfPresent(client, (_, n) -> n == 1 ? null : n - 1);
    }
    notifyAll();
  }
}

package portcullis.serve.service;

import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import portcullis.http.server.PeerQuota;
import portcullis.lang.address.Network;

/**
 * Divides what an upstream can process at once among clients, where the connections to it are limited, so that the
 * silent calls and tunnels of one client do not occupy them all. A request beyond the share of its client waits for an
 * earlier one of its client to end, as requests wait for a free connection. For any threads.
 */
final class UpstreamShares {
  /** A place of a client at an upstream, from {@link #take} on. */
  interface Place extends AutoCloseable {
    /**
     * Waits for the place.
     *
     * @throws HttpConnectTimeoutException if the client's share stays used up for too long
     */
    void take() throws HttpConnectTimeoutException, InterruptedException;

    @Override
    void close();
  }

  /** A place that is not counted. */
  static final Place UNCOUNTED = new Place() {
    @Override
    public void take() {}

    @Override
    public void close() {}
  };

  /** The requests of one client at an upstream. */
  private static final class Share {
    private final Condition freed;
    private int taken;
    private int waiting;

    Share(Condition freed) {
      this.freed = freed;
    }
  }

  /** The requests at an upstream. */
  private static final class Upstream {
    private final Map<Network, Share> shares = new HashMap<>();
    private int taken;
  }

  private final int percent;
  private final long patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Upstream> upstreams = new HashMap<>();

  /**
   * Creates the shares of a listener.
   *
   * @param percent of an upstream's places that a client may have while it is alone; 0 for all of them
   * @param patience how long a request waits for one
   */
  UpstreamShares(int percent, Duration patience) {
    this.percent = percent;
    this.patience = patience.toNanos();
  }

  /**
   * Returns a place that has not been taken yet.
   *
   * @param places how many requests the upstream can process at once, as far as that is known now
   * @param client empty for one that is not known, which has no share
   */
  Place place(String upstream, IntSupplier places, Supplier<Optional<Network>> client) {
    if (percent == 0 || places.getAsInt() == Integer.MAX_VALUE) {
      return UNCOUNTED;
    }
    return client.get().<Place>map(known -> new Counted(upstream, places, known)).orElse(UNCOUNTED);
  }

  private final class Counted implements Place {
    private final String upstream;
    private final IntSupplier places;
    private final Network client;
    private boolean taken;

    Counted(String upstream, IntSupplier places, Network client) {
      this.upstream = upstream;
      this.places = places;
      this.client = client;
    }

    @Override
    public void take() throws HttpConnectTimeoutException, InterruptedException {
      lock.lock();
      try {
        Upstream there = upstreams.computeIfAbsent(upstream, _ -> new Upstream());
        Share own = there.shares.computeIfAbsent(client, _ -> new Share(lock.newCondition()));
        own.waiting++;
        try {
          await(there, own);
          there.taken++;
          own.taken++;
          taken = true;
        } finally {
          own.waiting--;
          forget(there, own);
        }
      } finally {
        lock.unlock();
      }
    }

    /** Waits for a place; a signal that comes as this wait ends goes to the next one (see {@code Condition}). */
    private void await(Upstream there, Share own) throws HttpConnectTimeoutException, InterruptedException {
      long left = patience;
      while (!new PeerQuota(places.getAsInt(), percent).allows(there.taken, own.taken)) {
        if (left <= 0) {
          throw new HttpConnectTimeoutException("no connection to `" + upstream
              + "` of this client's share became free in time");
        }
        left = own.freed.awaitNanos(left);
      }
    }

    private void forget(Upstream there, Share own) {
      if (own.taken + own.waiting == 0) {
        there.shares.remove(client);
      }
      if (there.shares.isEmpty()) {
        upstreams.remove(upstream);
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (taken) {
          taken = false;
          Upstream there = upstreams.get(upstream);
          Share own = there.shares.get(client);
          there.taken--;
          own.taken--;
          forget(there, own);
          there.shares.values().forEach(share -> share.freed.signal());
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns how many upstreams have requests, for tests. */
  int upstreams() {
    lock.lock();
    try {
      return upstreams.size();
    } finally {
      lock.unlock();
    }
  }
}

package portcullis.http.client;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.wire.ByteArrayPool;
import portcullis.http.wire.DeadlineTimer;

/**
 * The pool of all connections, idle and in use; thread safe. The most recently used one is taken first, so that surplus
 * connections reach their idle timeout.
 */
final class Pool {
  private final ClientLimits limits;
  private final Dialer dialer;
  private final DeadlineTimer watch;
  private final ByteArrayPool spares = new ByteArrayPool();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<Route, OriginPool> origins = new HashMap<>();
  private final Set<Connection> idle = new LinkedHashSet<>();
  private final Set<Occupant> open = new HashSet<>();
  private boolean shut;
  private boolean aborted;

  Pool(ClientLimits limits, Dialer dialer, DeadlineTimer watch) {
    this.limits = limits;
    this.dialer = dialer;
    this.watch = watch;
  }

  /**
   * Takes a connection for one exchange, which ends in {@link #release}, {@link #leave} or {@link #discard}.
   *
   * @param fresh whether an idle HTTP/1.1 connection must not be taken
   * @param end of the wait, by {@link System#nanoTime}
   */
  Carrier take(Route route, boolean fresh, long end) throws IOException, InterruptedException {
    while (true) {
      Optional<Carrier> there = reserve(route, fresh, end);
      if (there.isEmpty()) {
        return open(route, end);
      }
      if (there.get() instanceof Http2Connection || there.get().wake()) {
        return there.get();
      }
      discard(there.get());
    }
  }

  /** Returns a connection with a free place; empty if a new one has been counted instead and is to be opened. */
  private Optional<Carrier> reserve(Route route, boolean fresh, long end) throws IOException, InterruptedException {
    lock.lock();
    try {
      while (true) {
        refuseWhenShut();
        OriginPool origin = origins.computeIfAbsent(route, _ -> new OriginPool(route, lock.newCondition()));
        Optional<Carrier> found = found(origin, fresh);
        if (found.isPresent() || origin.opens(limits.maxConnections())) {
          return found;
        }
        if (origin.idle().isEmpty()) {
          await(origin, end);
        } else {
          evict(origin.idle().getFirst());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<Carrier> found(OriginPool origin, boolean fresh) {
    Optional<Http2Connection> shared = origin.sharedWithRoom();
    if (shared.isPresent() || fresh || origin.idle().isEmpty()) {
      return shared.map(connection -> connection);
    }
    Connection resting = origin.idle().removeLast();
    idle.remove(resting);
    return Optional.of(resting);
  }

  private void refuseWhenShut() throws UnreachableException {
    if (shut) {
      throw new UnreachableException("the client has been shut down");
    }
  }

  private void await(OriginPool origin, long end) throws IOException, InterruptedException {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new ConnectTimeoutException(
          "no connection to `" + origin.route().origin().authority() + "` became free in time");
    }
    try {
      origin.await(left);
    } finally {
      dropWhenUnused(origin);
    }
  }

  private void dropWhenUnused(OriginPool origin) {
    if (origin.isUnused()) {
      origins.remove(origin.route());
      ended.signalAll();
    }
  }

  private Carrier open(Route route, long end) throws IOException, InterruptedException {
    boolean done = false;
    try {
      Transport link = dialer.dial(route, end);
      Carrier carrier = route.isHttp2(link)
          ? Http2Connection.begin(route, link, watch, this, limits)
          : new Connection(shared(route), link, this, spares);
      done = true;
      return opened(carrier);
    } finally {
      if (!done) {
        failed(route);
      }
    }
  }

  /** Returns the route as all its connections have it, so that each keeps none of its own. */
  private Route shared(Route route) {
    lock.lock();
    try {
      return origins.get(route).route();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a deadline of a connection that ends it. */
  DeadlineTimer.Deadline deadline(Connection connection) {
    return watch.deadline(() -> late(connection));
  }

  private void failed(Route route) {
    lock.lock();
    try {
      OriginPool origin = origins.get(route);
      origin.failed();
      dropWhenUnused(origin);
    } finally {
      lock.unlock();
    }
  }

  private Carrier opened(Carrier carrier) {
    lock.lock();
    try {
      open.add(carrier);
      if (carrier instanceof Http2Connection shared) {
        shared.wake();
      }
      origins.get(carrier.route()).opened(carrier);
      if (aborted) {
        carrier.abort();
      }
      return carrier;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back a connection whose exchange has ended properly. */
  void release(Connection connection) {
    lock.lock();
    try {
      OriginPool origin = origins.get(connection.route());
      if (shut || origin.idle().size() >= limits.maxIdlePerHost() && !origin.isAwaited() || limits.maxIdle() == 0) {
        open.remove(connection);
        connection.close();
        closed(connection.route());
        return;
      }
      connection.rest(limits.idle().toNanos());
      origin.idle().addLast(connection);
      idle.add(connection);
      origin.freed();
      if (idle.size() > limits.maxIdle()) {
        evict(idle.iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Frees the place of an exchange on a shared connection. */
  void leave(Http2Connection connection) {
    boolean useless = connection.rest(limits.idle().toNanos());
    lock.lock();
    try {
      if (useless || shut && connection.isIdle()) {
        discard(connection);
      } else if (open.contains(connection)) {
        origins.get(connection.route()).freed();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Leaves the channel of a connection in use to others, until they close what is returned; its place stays taken. */
  RelayedConnection handOver(Connection connection, SocketChannel channel) {
    connection.deadline().close();
    connection.out().release();
    lock.lock();
    try {
      boolean isOpen = open.remove(connection);
      RelayedConnection left = new RelayedConnection(connection.route(), channel, this);
      if (isOpen) {
        open.add(left);
      }
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a connection that is in use or cannot be used any more. */
  void discard(Occupant connection) {
    connection.abort();
    lock.lock();
    try {
      if (open.remove(connection)) {
        origins.get(connection.route()).shared().remove(connection);
        closed(connection.route());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Run by the timer: ends a connection whose deadline has passed, in use or not. */
  void late(Carrier carrier) {
    lock.lock();
    try {
      if (carrier instanceof Connection connection && idle.contains(connection)) {
        evict(connection);
        return;
      }
    } finally {
      lock.unlock();
    }
    carrier.abort();
  }

  /** Ends an unused connection; the lock is held. */
  private void evict(Connection connection) {
    idle.remove(connection);
    open.remove(connection);
    origins.get(connection.route()).idle().remove(connection);
    connection.close();
    closed(connection.route());
  }

  private void closed(Route route) {
    lock.lock();
    try {
      OriginPool origin = origins.get(route);
      origin.closed();
      dropWhenUnused(origin);
    } finally {
      lock.unlock();
    }
  }

  /** Opens no more connections and closes idle ones; exchanges under way continue. */
  void shut() {
    lock.lock();
    try {
      shut = true;
      List.copyOf(idle).forEach(this::evict);
      List.copyOf(open).stream().filter(carrier -> carrier instanceof Http2Connection shared && shared.isIdle())
          .forEach(this::discard);
      origins.values().forEach(OriginPool::giveUp);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Aborts all exchanges. */
  void abort() {
    lock.lock();
    try {
      aborted = true;
      open.forEach(Occupant::abort);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is shut and every connection has ended; returns false if the time is over first. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    long left = nanos;
    lock.lock();
    try {
      while (!shut || !origins.isEmpty()) {
        if (left <= 0) {
          return false;
        }
        left = ended.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  boolean isEnded() {
    lock.lock();
    try {
      return shut && origins.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many exchanges a route can carry at once; the greatest number where that is not known or bounded. */
  int places(Route route) {
    if (limits.maxConnections() == Integer.MAX_VALUE) {
      return Integer.MAX_VALUE;
    }
    lock.lock();
    try {
      OriginPool origin = origins.get(route);
      boolean onlyHttp1 = route.protocols() == Route.Protocols.HTTP_1;
      return origin == null ? onlyHttp1 ? limits.maxConnections() : Integer.MAX_VALUE
          : origin.places(limits.maxConnections());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of connections, idle and in use. */
  int size() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }
}

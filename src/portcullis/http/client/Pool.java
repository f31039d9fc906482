package portcullis.http.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.wire.Watch;

/**
 * All connections, unused and in use; for any threads. The one used last is taken first, so that what is not needed
 * ages.
 */
final class Pool {
  private final ClientLimits limits;
  private final Dialer dialer;
  private final Watch watch;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<Route, Lane> lanes = new HashMap<>();
  private final Set<Connection> idle = new LinkedHashSet<>();
  private final Set<Carrier> open = new HashSet<>();
  private boolean shut;
  private boolean aborted;

  Pool(ClientLimits limits, Dialer dialer, Watch watch) {
    this.limits = limits;
    this.dialer = dialer;
    this.watch = watch;
  }

  /**
   * What carries one exchange, which ends in {@link #release}, {@link #leave} or {@link #discard}.
   *
   * @param fresh never a connection for itself that has been used
   * @param end when it must be there, by {@link System#nanoTime}
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

  /** A connection with room; empty where there is none, and a new one has been counted. */
  private Optional<Carrier> reserve(Route route, boolean fresh, long end) throws IOException, InterruptedException {
    lock.lock();
    try {
      while (true) {
        refuseWhenShut();
        Lane lane = lanes.computeIfAbsent(route, _ -> new Lane(route, lock.newCondition()));
        Optional<Carrier> found = found(lane, fresh);
        if (found.isPresent() || lane.opens(limits.maxConnections())) {
          return found;
        }
        if (lane.idle().isEmpty()) {
          await(lane, end);
        } else {
          evict(lane.idle().getFirst());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<Carrier> found(Lane lane, boolean fresh) {
    Optional<Http2Connection> shared = lane.sharedWithRoom();
    if (shared.isPresent() || fresh || lane.idle().isEmpty()) {
      return shared.map(connection -> connection);
    }
    Connection resting = lane.idle().removeLast();
    idle.remove(resting);
    return Optional.of(resting);
  }

  private void refuseWhenShut() throws Unreachable {
    if (shut) {
      throw new Unreachable("the client has been shut down");
    }
  }

  private void await(Lane lane, long end) throws IOException, InterruptedException {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new ConnectLate("no connection to `" + lane.route().origin().authority() + "` became free in time");
    }
    try {
      lane.await(left);
    } finally {
      dropWhenUnused(lane);
    }
  }

  private void dropWhenUnused(Lane lane) {
    if (lane.isUnused()) {
      lanes.remove(lane.route());
      ended.signalAll();
    }
  }

  private Carrier open(Route route, long end) throws IOException, InterruptedException {
    boolean done = false;
    try {
      Link link = dialer.dial(route, end);
      Carrier carrier = route.isHttp2(link)
          ? Http2Connection.begin(route, link, watch, this, limits)
          : new Connection(route, link, watch, this);
      done = true;
      return opened(carrier);
    } finally {
      if (!done) {
        failed(route);
      }
    }
  }

  private void failed(Route route) {
    lock.lock();
    try {
      Lane lane = lanes.get(route);
      lane.failed();
      dropWhenUnused(lane);
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
      lanes.get(carrier.route()).opened(carrier);
      if (aborted) {
        carrier.abort();
      }
      return carrier;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back a connection whose exchange has come to a proper end. */
  void release(Connection connection) {
    lock.lock();
    try {
      Lane lane = lanes.get(connection.route());
      if (shut || lane.idle().size() >= limits.maxIdlePerHost() && !lane.isAwaited() || limits.maxIdle() == 0) {
        open.remove(connection);
        connection.close();
        closed(connection.route());
        return;
      }
      connection.rest(limits.idle().toNanos());
      lane.idle().addLast(connection);
      idle.add(connection);
      lane.freed();
      if (idle.size() > limits.maxIdle()) {
        evict(idle.iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  /** A shared connection has one exchange less. */
  void leave(Http2Connection connection) {
    boolean useless = connection.rest(limits.idle().toNanos());
    lock.lock();
    try {
      if (useless || shut && connection.isIdle()) {
        discard(connection);
      } else if (open.contains(connection)) {
        lanes.get(connection.route()).freed();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends a connection in use, or of no use any more. */
  void discard(Carrier carrier) {
    carrier.abort();
    lock.lock();
    try {
      if (open.remove(carrier)) {
        lanes.get(carrier.route()).shared().remove(carrier);
        closed(carrier.route());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Run by the watch: ends a connection whose deadline has passed, in use or not. */
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
    lanes.get(connection.route()).idle().remove(connection);
    connection.close();
    closed(connection.route());
  }

  private void closed(Route route) {
    lock.lock();
    try {
      Lane lane = lanes.get(route);
      lane.closed();
      dropWhenUnused(lane);
    } finally {
      lock.unlock();
    }
  }

  /** No more connections from now on, and none is kept; what is under way goes on. */
  void shut() {
    lock.lock();
    try {
      shut = true;
      List.copyOf(idle).forEach(this::evict);
      List.copyOf(open).stream().filter(carrier -> carrier instanceof Http2Connection shared && shared.isIdle())
          .forEach(this::discard);
      lanes.values().forEach(Lane::giveUp);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends everything under way. */
  void abort() {
    lock.lock();
    try {
      aborted = true;
      open.forEach(Carrier::abort);
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is shut, and every connection ended within that time. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    long left = nanos;
    lock.lock();
    try {
      while (!shut || !lanes.isEmpty()) {
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
      return shut && lanes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Connections in use and not, for {@link WireClient#connections}. */
  int size() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }
}

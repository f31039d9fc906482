package portcullis.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.wire.Watch;

/** All connections, unused and in use; for any threads. The one used last is taken first, so that what is not needed ages. */
final class Pool {
  /** Connections of one route. */
  private static final class Lane {
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final Condition freed;
    private int open;
    private int waiting;

    Lane(Condition freed) {
      this.freed = freed;
    }
  }

  private final ClientLimits limits;
  private final Dialer dialer;
  private final Watch watch;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<Route, Lane> lanes = new HashMap<>();
  private final Set<Connection> idle = new LinkedHashSet<>();
  private final Set<Connection> busy = new HashSet<>();
  private boolean shut;
  private boolean aborted;

  Pool(ClientLimits limits, Dialer dialer, Watch watch) {
    this.limits = limits;
    this.dialer = dialer;
    this.watch = watch;
  }

  /**
   * A connection for one exchange, which ends in {@link #release} or {@link #discard}.
   *
   * @param fresh never one that has been used
   * @param end when it must be there, by {@link System#nanoTime}
   */
  Connection take(Route route, boolean fresh, long end) throws IOException, InterruptedException {
    while (true) {
      Optional<Connection> resting = reserve(route, fresh, end);
      if (resting.isEmpty()) {
        return open(route, end);
      }
      if (resting.get().wake()) {
        return resting.get();
      }
      discard(resting.get());
    }
  }

  /** An unused connection; empty where there is none, and room for a new one has been kept. */
  private Optional<Connection> reserve(Route route, boolean fresh, long end) throws IOException, InterruptedException {
    lock.lock();
    try {
      refuseWhenShut();
      Lane lane = lanes.computeIfAbsent(route, _ -> new Lane(lock.newCondition()));
      while (fresh || lane.idle.isEmpty()) {
        if (lane.open < limits.maxConnections()) {
          lane.open++;
          return Optional.empty();
        }
        if (!lane.idle.isEmpty()) {
          evict(lane.idle.getFirst());
        } else {
          await(route, lane, end);
        }
      }
      Connection resting = lane.idle.removeLast();
      idle.remove(resting);
      busy.add(resting);
      return Optional.of(resting);
    } finally {
      lock.unlock();
    }
  }

  private void refuseWhenShut() throws Unreachable {
    if (shut) {
      throw new Unreachable("the client has been shut down");
    }
  }

  private void await(Route route, Lane lane, long end) throws IOException, InterruptedException {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new ConnectLate("no connection to `" + route.origin().authority() + "` became free in time");
    }
    lane.waiting++;
    try {
      lane.freed.awaitNanos(left);
      refuseWhenShut();
    } finally {
      lane.waiting--;
      dropWhenUnused(route, lane);
    }
    lanes.putIfAbsent(route, lane);
  }

  private void dropWhenUnused(Route route, Lane lane) {
    if (lane.open == 0 && lane.waiting == 0) {
      lanes.remove(route);
    }
  }

  private Connection open(Route route, long end) throws IOException, InterruptedException {
    boolean done = false;
    try {
      Connection connection = new Connection(route, dialer.dial(route, end), watch, this);
      done = true;
      return opened(connection);
    } finally {
      if (!done) {
        free(route);
      }
    }
  }

  private Connection opened(Connection connection) {
    lock.lock();
    try {
      busy.add(connection);
      if (aborted) {
        connection.link().abort();
      }
      return connection;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back a connection whose exchange has come to a proper end. */
  void release(Connection connection) {
    lock.lock();
    try {
      Lane lane = lanes.get(connection.route());
      busy.remove(connection);
      if (shut || lane.idle.size() >= limits.maxIdlePerHost() && lane.waiting == 0 || limits.maxIdle() == 0) {
        connection.close();
        free(connection.route());
        return;
      }
      connection.rest(limits.idle().toNanos());
      lane.idle.addLast(connection);
      idle.add(connection);
      lane.freed.signal();
      if (idle.size() > limits.maxIdle()) {
        evict(idle.iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends a connection in use. */
  void discard(Connection connection) {
    connection.abort();
    lock.lock();
    try {
      if (busy.remove(connection)) {
        free(connection.route());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Run by the watch: ends a connection whose deadline has passed, in use or not. */
  void late(Connection connection) {
    lock.lock();
    try {
      if (idle.contains(connection)) {
        evict(connection);
        return;
      }
    } finally {
      lock.unlock();
    }
    connection.link().abort();
  }

  /** Ends an unused connection; the lock is held. */
  private void evict(Connection connection) {
    idle.remove(connection);
    lanes.get(connection.route()).idle.remove(connection);
    connection.close();
    free(connection.route());
  }

  private void free(Route route) {
    lock.lock();
    try {
      Lane lane = lanes.get(route);
      lane.open--;
      lane.freed.signal();
      dropWhenUnused(route, lane);
      ended.signalAll();
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
      lanes.values().forEach(lane -> lane.freed.signalAll());
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
      busy.forEach(connection -> connection.link().abort());
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
      return busy.size() + idle.size();
    } finally {
      lock.unlock();
    }
  }
}

package portcullis.http.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/** The connections of one route. Mutable; the pool's lock guards it. */
final class OriginPool {
  private final Route route;
  private final Condition freed;
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final List<Http2Connection> shared = new ArrayList<>();
  private boolean known;
  private int open;
  private int opening;
  private int waiting;

  /** @param freed signalled when a place may have become free */
  OriginPool(Route route, Condition freed) {
    this.route = route;
    this.freed = freed;
    this.known = route.protocols() == Route.Protocols.HTTP_1;
  }

  Route route() {
    return route;
  }

  Deque<Connection> idle() {
    return idle;
  }

  List<Http2Connection> shared() {
    return shared;
  }

  Optional<Http2Connection> sharedWithRoom() {
    for (Http2Connection connection : shared) {
      if (connection.wake()) {
        return Optional.of(connection);
      }
    }
    return Optional.empty();
  }

  /**
   * Counts one more connection; returns false if there are that many already, or if one is being opened that all
   * waiting requests may share.
   */
  boolean opens(int most) {
    boolean shares = !known || !shared.isEmpty();
    if (open >= most || shares && opening > 0) {
      return false;
    }
    open++;
    opening++;
    return true;
  }

  /** Records that a connection has been opened. */
  void opened(Carrier carrier) {
    opening--;
    switch (carrier) {
      case Connection _ -> known = true;
      case Http2Connection connection -> shared.add(connection);
    }
    freed.signalAll();
  }

  /** Records that a connection could not be opened. */
  void failed() {
    opening--;
    open--;
    freed.signalAll();
  }

  /** Returns how many exchanges that many connections carry at once; the greatest number while that is not known. */
  int places(int connections) {
    if (!shared.isEmpty()) {
      return (int) Math.min(Integer.MAX_VALUE, (long) connections * shared.getFirst().places());
    }
    return known ? connections : Integer.MAX_VALUE;
  }

  void closed() {
    open--;
    freed.signal();
  }

  /** Waits for {@link #freed}. */
  void await(long nanos) throws InterruptedException {
    waiting++;
    try {
      freed.awaitNanos(nanos);
    } finally {
      waiting--;
    }
  }

  void freed() {
    freed.signal();
  }

  void giveUp() {
    freed.signalAll();
  }

  boolean isAwaited() {
    return waiting > 0;
  }

  boolean isUnused() {
    return open == 0 && waiting == 0;
  }
}

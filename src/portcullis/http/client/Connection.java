package portcullis.http.client;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.wire.ByteArrayPool;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/**
 * A connection that carries one exchange of HTTP/1.1 after the other (RFC 9112, 9.3). It belongs to one exchange, or
 * rests in the pool; its deadline is that of the one or the other.
 */
final class Connection implements Carrier {
  private final Route route;
  private final Transport link;
  private final WireInput in;
  private final WireOutput out;
  private final Pool pool;
  /** Empty while its exchange is paused. */
  private volatile Optional<DeadlineTimer.Deadline> deadline;
  private boolean used;

  /** Creates a connection; a wait beyond its deadline ends in {@link Pool#late}. */
  Connection(Route route, Transport link, Pool pool, ByteArrayPool spares) {
    this.route = route;
    this.link = link;
    this.in = new WireInput(link.input());
    this.out = new WireOutput(link.output(), spares);
    this.pool = pool;
    this.deadline = Optional.of(pool.deadline(this));
  }

  @Override
  public Route route() {
    return route;
  }

  Transport link() {
    return link;
  }

  WireInput in() {
    return in;
  }

  WireOutput out() {
    return out;
  }

  DeadlineTimer.Deadline deadline() {
    return deadline.orElseThrow();
  }

  /** Returns whether it has carried an exchange before. */
  boolean isUsed() {
    return used;
  }

  /** Lays it to rest for that long, after an exchange whose both messages have come to their end. */
  void rest(long nanos) {
    used = true;
    out.shrink();
    deadline().set(nanos);
  }

  /** Gives back what it needs only while it is used, within an exchange in which nothing happens for now. */
  void pause() {
    in.release();
    out.release();
    deadline().close();
    deadline = Optional.empty();
  }

  /** Is used again. */
  void resume() {
    if (deadline.isEmpty()) {
      deadline = Optional.of(pool.deadline(this));
    }
  }

  /** Waits until something can be read, or its end has come, at most that long; returns false if nothing came. */
  boolean comes(int millis) throws IOException {
    link.readLimit(millis);
    try {
      return in.comes();
    } finally {
      link.readLimit(0);
    }
  }

  @Override
  public boolean wake() {
    return deadline().clear() && link.isQuiet();
  }

  /** Closes the connection while no exchange uses it. */
  void close() {
    deadline.ifPresent(DeadlineTimer.Deadline::close);
    link.close();
  }

  @Override
  public void abort() {
    deadline.ifPresent(DeadlineTimer.Deadline::close);
    link.abort();
  }
}

package portcullis.http.server;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import portcullis.http.wire.DeadlineTimer;

/**
 * Detects that a client disconnects while its request is being handled. It starts after a delay, so that a request that
 * is answered soon costs no more than a deadline. For the thread that handles the request; the timer's thread detects.
 */
final class DisconnectDetector {
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(100);
  // a connection that is being read cannot be relayed, so that an upstream has more time to switch protocols
  private static final long UPGRADE_PATIENCE = TimeUnit.SECONDS.toNanos(1);

  // twice what a response waits before it tries to be paused again
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(800);

  private final DeadlineTimer watch;
  private final TimedInput input;
  private Optional<DeadlineTimer.Deadline> deadline = Optional.empty();
  private BooleanSupplier whole = () -> false;
  private Runnable left = () -> {};
  private long patience = PATIENCE;
  private boolean armed;
  private boolean closed;

  DisconnectDetector(DeadlineTimer watch, TimedInput input) {
    this.watch = watch;
    this.input = input;
  }

  /**
   * Begins to wait.
   *
   * @param whole returns whether all of the request has been read: until then the reader notices a disconnect itself
   * @param left run where the client leaves, perhaps after {@link #end}; must not block
   * @param upgrade whether the connection may become a tunnel
   */
  synchronized void begin(BooleanSupplier whole, Runnable left, boolean upgrade) {
    patience = upgrade ? UPGRADE_PATIENCE : PATIENCE;
    this.whole = whole;
    this.left = left;
    armed = !closed;
    set();
  }

  private void set() {
    boolean set = !armed || deadline.isPresent() && deadline.get().set(patience);
    if (!set) {
      deadline.ifPresent(DeadlineTimer.Deadline::close);
      DeadlineTimer.Deadline next = watch.deadline(this::late);
      next.set(patience);
      deadline = Optional.of(next);
    }
  }

  private synchronized void late() {
    if (armed && whole.getAsBoolean()) {
      armed = false;
      input.readAhead(left);
    } else {
      set();
    }
  }

  /** Stops reading; the connection is read by others from now on. */
  synchronized void end() {
    if (armed) {
      armed = false;
      deadline.ifPresent(DeadlineTimer.Deadline::clear);
    }
  }

  /** Looks again unless the exchange is paused by then, or this is called once more. */
  synchronized void later(Runnable left) {
    this.left = left;
    armed = !closed;
    patience = AGAIN;
    set();
  }

  /** Treats the client as if it had left, as its connection is closed by others than the thread of its request. */
  synchronized void leave() {
    if (armed) {
      armed = false;
      left.run();
    }
  }

  /** Looks never again. */
  synchronized void close() {
    closed = true;
    armed = false;
    deadline.ifPresent(DeadlineTimer.Deadline::close);
  }
}

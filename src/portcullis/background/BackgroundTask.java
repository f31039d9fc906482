package portcullis.background;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A task that no error ends: it runs on its own thread, one round after the other. A round that throws, whatever it is,
 * is reported, and the next one begins after a pause, which doubles with each failure in a row from 50 ms up to 5 s. It
 * ends after a round that returns false, or by {@link #close}. Thread safe.
 */
public final class BackgroundTask implements AutoCloseable {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Round round;
  private final Thread thread;
  private volatile boolean closed;

  /** One round of the work; true where another one is to follow. It is interrupted when the task is closed. */
  @FunctionalInterface
  public interface Round {
    boolean run() throws Exception;
  }

  /** @param threads makes the thread; its name is what errors are reported under */
  public BackgroundTask(Thread.Builder threads, Round round) {
    this.round = round;
    this.thread = threads.unstarted(this::run);
  }

  /** Returns a task that has been started. */
  public static BackgroundTask start(Thread.Builder threads, Round round) {
    BackgroundTask task = new BackgroundTask(threads, round);
    task.start();
    return task;
  }

  public void start() {
    thread.start();
  }

  private void run() {
    long pause = SHORTEST_PAUSE.toNanos();
    boolean more = true;
    while (more && !closed) {
      try {
        more = round.run();
        pause = SHORTEST_PAUSE.toNanos();
      } catch (Throwable error) {
        if (!closed) {
          Thread.interrupted(); // only close interrupts for good
          report(error);
          LockSupport.parkNanos(this, pause);
          pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
        }
      }
    }
  }

  /** Runs one part of a round; an error in it is reported and does not end the round. */
  public static void guarded(Runnable part) {
    try {
      part.run();
    } catch (Throwable error) {
      report(error);
    }
  }

  /** Reports an error to the handler for uncaught exceptions; the thread continues. */
  private static void report(Throwable error) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    } catch (Throwable _) {
      // there is no memory for a report: the JVM does not report errors of a handler either
    }
  }

  /** Ends a wait in {@link LockSupport#park} early. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Returns whether the task is running. */
  public boolean isAlive() {
    return thread.isAlive();
  }

  /** Waits for its end, for that long at most; an interrupt ends the wait. */
  public void join(Duration time) {
    try {
      thread.join(time);
    } catch (IllegalThreadStateException _) {
      // it has never been started
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}

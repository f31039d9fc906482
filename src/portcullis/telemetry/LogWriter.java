package portcullis.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * Writes lines on a thread of its own, in their order, so that no request waits for a slow reader: at once, or, where there are
 * many, those of a millisecond together. The queue holds 65,536 lines, those included that are
 * promised a place; thread safe. {@link #close} writes what is left.
 */
public final class LogWriter implements AutoCloseable {
  private static final int LONGEST_QUEUE = 65_536;
  private static final long LONGEST_WAIT_MILLIS = 100;
  private static final int BATCH_BYTES = 64 << 10;
  private static final long PAUSE_NANOS = 1_000_000;
  /** Writes without a pause in between, as long as there are fewer than a thousand a second. */
  private static final int QUICK_WRITES = 16;
  private static final LineBuffer END = new LineBuffer(0);

  private final Queue<LineBuffer> queue = new ConcurrentLinkedQueue<>();
  private final Semaphore room;
  private final AtomicLong dropped = new AtomicLong();
  private final OutputStream out;
  private final LineBuffer batch = new LineBuffer(2 * BATCH_BYTES);
  private final Thread thread;
  private long due = System.nanoTime();
  private volatile boolean idle;
  private volatile LongFunction<LineBuffer> notice = count -> new LineBuffer(64).number(count).ascii(" log lines were dropped\n");

  public LogWriter(OutputStream out) {
    this(out, LONGEST_QUEUE);
  }

  LogWriter(OutputStream out, int most) {
    this.out = out;
    this.room = new Semaphore(most);
    this.thread = Thread.ofPlatform().name("log writer").daemon().start(this::write);
  }

  /** How it is said in the log that so many lines are missing from it. */
  void notice(LongFunction<LineBuffer> line) {
    notice = line;
  }

  /** Takes the line; where the queue is full it is dropped and counted. */
  void offer(LineBuffer line) {
    if (room.tryAcquire()) {
      add(line);
    } else {
      dropped.incrementAndGet();
    }
  }

  /**
   * Takes a line that must not be lost, and keeps a place for another one, which has to be handed to {@link #owed}. Waits up
   * to 100 ms for room; false where there was none.
   */
  boolean insist(LineBuffer line) {
    try {
      if (!room.tryAcquire(2) && !room.tryAcquire(2, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        dropped.incrementAndGet();
        return false;
      }
      add(line);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes the line that has a place since {@link #insist}. */
  void owed(LineBuffer line) {
    add(line);
  }

  /** How many lines were dropped so far. */
  public long dropped() {
    return dropped.get();
  }

  private void add(LineBuffer line) {
    queue.add(line);
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
  }

  private void write() {
    long told = 0;
    for (LineBuffer line = queue.poll(); line != END; line = queue.poll()) {
      int lines = 0;
      for (; line != null && line != END; line = batch.length() < BATCH_BYTES ? queue.poll() : null) {
        batch.all(line);
        lines++;
      }
      boolean full = batch.length() >= BATCH_BYTES;
      told = flush(told);
      room.release(lines);
      if (line == END) {
        break;
      }
      if (!full) {
        pause(lines > 0);
      }
    }
    flush(told);
  }

  /** Leaves the processor to the requests: for a moment if there is much to write, else until there is something. */
  private void pause(boolean wrote) {
    if (wrote) {
      long now = System.nanoTime();
      due = Math.max(due - now, 0) + now + PAUSE_NANOS;
      if (due - now > QUICK_WRITES * PAUSE_NANOS) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
      return;
    }
    idle = true;
    if (queue.isEmpty()) {
      LockSupport.park(this);
    }
    idle = false;
  }

  /** Writes the batch, and behind it how many lines were dropped that nobody was told of yet; returns how many are told of. */
  private long flush(long told) {
    long now = dropped.get();
    if (now > told) {
      batch.all(notice.apply(now - told));
    }
    if (batch.length() > 0) {
      try {
        batch.writeTo(out);
        out.flush();
      } catch (IOException _) {
        // nobody reads the log any more; there is no other place to say so
        dropped.incrementAndGet();
      }
      batch.clear(2 * BATCH_BYTES);
    }
    return now;
  }

  /** Ends the thread once everything is written, or after five seconds. */
  @Override
  public void close() {
    add(END);
    try {
      thread.join(5_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

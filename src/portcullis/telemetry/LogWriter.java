package portcullis.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * Writes lines on a thread of its own, in their order, so that no request waits for a slow reader: at once, or, where there are
 * many, those of a millisecond together. Up to 65,536 lines wait, those included that are promised a place. A line is copied
 * when it is handed in. Thread safe. {@link #close} writes what is left.
 */
public final class LogWriter implements AutoCloseable {
  private static final int MOST_LINES = 65_536;
  private static final long LONGEST_WAIT_MILLIS = 100;
  private static final int CHUNK_BYTES = 128 << 10;
  private static final int MOST_SPARES = 4;
  private static final long PAUSE_NANOS = 1_000_000;
  private static final long INSTANT_NANOS = 20_000;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  /** Writes without a pause in between, as long as there are fewer than a thousand a second. */
  private static final int QUICK_WRITES = 16;
  private static final long COURTESY_NANOS = 20_000_000;

  private final AtomicReference<LogChunk> current = new AtomicReference<>(new LogChunk(new byte[CHUNK_BYTES]));
  private final ArrayBlockingQueue<byte[]> spares = new ArrayBlockingQueue<>(MOST_SPARES);
  private final Semaphore room;
  private final AtomicLong dropped = new AtomicLong();
  private final OutputStream out;
  private final long courtesy;
  private final Thread thread;
  private long due = System.nanoTime();
  private volatile boolean idle;
  private volatile boolean quick = true;
  private volatile boolean closed;
  private volatile LongFunction<LineBuffer> notice = count -> new LineBuffer(64).number(count).ascii(" log lines were dropped\n");

  public LogWriter(OutputStream out) {
    this(out, MOST_LINES, COURTESY_NANOS);
  }

  /** @param courtesy how long the end of a request waits for its line to be written, in nanoseconds */
  LogWriter(OutputStream out, int most, long courtesy) {
    this.out = out;
    this.courtesy = courtesy;
    this.room = new Semaphore(most);
    this.thread = Thread.ofPlatform().name("log writer").daemon().start(this::write);
  }

  /** How it is said in the log that so many lines are missing from it. */
  void notice(LongFunction<LineBuffer> line) {
    notice = line;
  }

  /** Takes the line; where there is no room it is dropped and counted. */
  void offer(LineBuffer line) {
    if (room.tryAcquire()) {
      add(line, 0);
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
      add(line, 0);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Takes the line that has a place since {@link #insist}: what the buffer has from there on. Where there is little to write it
   * is waited for, 20 ms at most and by one thread a write, so that who gets an answer finds its line.
   */
  void owed(LineBuffer line, int from) {
    LogChunk chunk = add(line, from);
    if (quick) {
      chunk.await(courtesy);
    }
  }

  /** How many lines were dropped so far. */
  public long dropped() {
    return dropped.get();
  }

  /** Returns where the line is now. */
  private LogChunk add(LineBuffer line, int from) {
    LogChunk chunk = current.get();
    while (!chunk.put(line, from)) {
      follow(chunk, line.length() - from);
      chunk = current.get();
    }
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
    return chunk;
  }

  /** Seals a chunk and sees to it that another takes its place, which has room for so many bytes if it is made here. */
  private void follow(LogChunk chunk, int bytes) {
    chunk.seal();
    if (current.get() != chunk) {
      return;
    }
    byte[] spare = bytes > CHUNK_BYTES ? null : spares.poll();
    LogChunk fresh = new LogChunk(spare == null ? new byte[Math.max(CHUNK_BYTES, bytes)] : spare);
    if (current.compareAndSet(chunk, fresh)) {
      chunk.next(fresh);
    } else {
      spare(fresh);
    }
  }

  private void spare(LogChunk chunk) {
    if (chunk.array().length == CHUNK_BYTES) {
      spares.offer(chunk.array()); // beyond the most there are, it is left to the collector
    }
  }

  private void write() {
    long told = 0;
    LogChunk chunk = current.get();
    boolean last = false;
    while (!last || chunk != current.get() || !chunk.isEmpty()) {
      last = closed;
      boolean more = chunk != current.get();
      boolean wrote = !chunk.isEmpty();
      if (more || wrote) {
        chunk = written(chunk);
      }
      told = told(told);
      if (!more && !last) {
        pause(chunk, wrote);
      }
    }
  }

  /** Writes what is in a chunk; returns the one that follows it. */
  private LogChunk written(LogChunk chunk) {
    follow(chunk, 0);
    long patience = System.nanoTime() + PATIENCE_NANOS;
    while ((chunk.next() == null || !chunk.isWhole()) && System.nanoTime() < patience) {
      LockSupport.parkNanos(this, INSTANT_NANOS); // for a thread that was stopped halfway; one that died there is not awaited
    }
    LogChunk next = chunk.next() == null ? current.get() : chunk.next();
    try {
      chunk.writeTo(out);
      out.flush();
    } catch (IOException _) {
      // nobody reads the log any more; there is no other place to say so
      dropped.incrementAndGet();
    }
    chunk.written();
    room.release(chunk.lines());
    chunk.next(null); // or, once old, it would keep all that follow
    if (chunk.isWhole()) {
      spare(chunk);
    }
    return next;
  }

  /** Leaves the processor to the requests: for a moment if there is much to write, else until there is something. */
  private void pause(LogChunk chunk, boolean wrote) {
    if (wrote) {
      long now = System.nanoTime();
      due = Math.max(due - now, 0) + now + PAUSE_NANOS;
      quick = due - now <= QUICK_WRITES * PAUSE_NANOS;
      if (!quick) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
      return;
    }
    idle = true;
    if (chunk.isEmpty() && chunk == current.get() && !closed) {
      LockSupport.park(this);
    }
    idle = false;
  }

  /** Says how many lines were dropped that nobody was told of yet; returns how many are told of. */
  private long told(long before) {
    long now = dropped.get();
    if (now > before) {
      try {
        notice.apply(now - before).writeTo(out);
        out.flush();
      } catch (IOException _) {
        // as above
      }
    }
    return now;
  }

  /** Ends the thread once everything is written, or after five seconds. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(5_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

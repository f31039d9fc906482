package portcullis.observe.telemetry;

import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import portcullis.background.BackgroundTask;

/**
 * Writes lines on a thread of its own, in their order, so that no request waits for a slow reader: at once, or, where
 * there are many, those of a millisecond together. Up to 65,536 lines wait, those included that are promised a place. A
 * line is copied when it is handed in. Every line that is not written is counted, for want of room and where the output
 * fails, as on a full disk; how many there were is written as soon as that can be. Thread safe. {@link #close} writes
 * what is left.
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
  /** After which a notice that could not be written is tried again. */
  private static final long NOTICE_NANOS = 1_000_000_000;
  private static final Duration LONGEST_END = Duration.ofSeconds(5);
  private static final String TOO_FAST = "they came faster than they are read";

  private final AtomicReference<LogChunk> current = new AtomicReference<>(new LogChunk(new byte[CHUNK_BYTES]));
  private final ArrayBlockingQueue<byte[]> spares = new ArrayBlockingQueue<>(MOST_SPARES);
  private final Semaphore room;
  private final AtomicLong dropped = new AtomicLong();
  private final LogOutput out;
  private final Consumer<String> alarm;
  private final long courtesy;
  private final BackgroundTask task;
  /** What is written next: from the first chunk on, whenever the thread begins. */
  private LogChunk chunk = current.get();
  private long reported;
  private String reason = TOO_FAST;
  private boolean failing;
  private long due = System.nanoTime();
  private volatile boolean idle;
  private volatile boolean quick = true;
  private volatile boolean closed;
  private volatile Notice notice = (count, _) -> new LineBuffer(64).number(count).ascii(" log lines were dropped\n");

  /** Reports to nobody else where the output fails. */
  public LogWriter(OutputStream out) {
    this(out, _ -> {});
  }

  /** @param alarm called with the reason when the output begins to fail */
  public LogWriter(OutputStream out, Consumer<String> alarm) {
    this(out, alarm, MOST_LINES, COURTESY_NANOS);
  }

  /** @param courtesy how long the end of a request waits for its line to be written, in nanoseconds */
  LogWriter(OutputStream out, Consumer<String> alarm, int most, long courtesy) {
    this.out = new LogOutput(out);
    this.alarm = alarm;
    this.courtesy = courtesy;
    this.room = new Semaphore(most);
    this.task = new BackgroundTask(Thread.ofPlatform().name("log writer").daemon(), this::round);
    task.start();
  }

  /** The line that says how many lines are missing from the log, and why. */
  interface Notice {
    LineBuffer line(long count, String reason);
  }

  void notice(Notice line) {
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
   * Takes a line that must not be lost, and keeps a place for another one, which has to be handed to {@link #owed}.
   * Waits up to 100 ms for room; false where there was none, both lines then count as dropped.
   */
  boolean insist(LineBuffer line) {
    try {
      if (!room.tryAcquire(2) && !room.tryAcquire(2, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        dropped.addAndGet(2);
        return false;
      }
      add(line, 0);
      return true;
    } catch (InterruptedException _) {
      dropped.addAndGet(2);
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Takes the line that has a place since {@link #insist}: what the buffer has from there on. Where there is little to
   * write it is waited for, 20 ms at most and by one thread a write, so that who gets an answer finds its line.
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
      task.wake();
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

  private boolean round() {
    boolean last = closed;
    boolean more = chunk != current.get();
    boolean wrote = !chunk.isEmpty();
    if (more || wrote) {
      chunk = written(chunk);
    }
    report();
    boolean done = last && chunk == current.get() && chunk.isEmpty();
    if (!more && !last) {
      pause(chunk, wrote);
    }
    return !done;
  }

  /** Writes what is in a chunk; returns the one that follows it. */
  private LogChunk written(LogChunk chunk) {
    follow(chunk, 0);
    long patience = System.nanoTime() + PATIENCE_NANOS;
    while ((chunk.next() == null || !chunk.isWhole()) && System.nanoTime() < patience) {
      // for a thread that was stopped halfway; one that died there is not awaited
      LockSupport.parkNanos(this, INSTANT_NANOS);
    }
    LogChunk next = chunk.next() == null ? current.get() : chunk.next();
    int lines = chunk.lines();
    dropped.addAndGet(lines - Math.min(lines, chunk.writeTo(out)));
    chunk.written();
    room.release(lines);
    watch(out.fault());
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
      if (dropped.get() > reported) {
        LockSupport.parkNanos(this, NOTICE_NANOS);
      } else {
        LockSupport.park(this);
      }
    }
    idle = false;
  }

  private void watch(Optional<String> fault) {
    reason = fault.orElse(reason);
    if (fault.isPresent() && !failing) {
      BackgroundTask.guarded(() -> alarm.accept(fault.get()));
    }
    failing = fault.isPresent();
  }

  /** Writes how many lines were dropped since that was written last. */
  private void report() {
    long now = dropped.get();
    if (now > reported && notice.line(now - reported, reason).writeTo(out) > 0) {
      reported = now;
      reason = TOO_FAST;
      failing = false;
    }
  }

  /** Ends the thread once everything is written, or after five seconds. */
  @Override
  public void close() {
    closed = true;
    task.wake();
    task.join(LONGEST_END);
  }
}

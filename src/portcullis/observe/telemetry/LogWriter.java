package portcullis.observe.telemetry;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import portcullis.background.BackgroundTask;

/**
 * Writes lines in order on its own thread, so that no request waits for a slow reader: immediately, or under load the
 * lines of some milliseconds together. Up to 65,536 lines, including reserved ones, and {@link #maxBytes} are queued,
 * and reserved lines also beyond these bytes. Lines are copied when they are offered. While the output is away
 * ({@link OutputAwayException}) they stay in the queue. Lines that are not written, because the queue is full or the
 * output fails (a full disk), are counted, and the count is logged as soon as possible. Thread safe. {@link #close}
 * writes what is queued.
 */
public final class LogWriter implements AutoCloseable {
  private static final int MAX_LINES = 65_536;
  private static final long MAX_BYTES = 64L << 20;
  private static final int SHARE_OF_HEAP = 16;
  private static final long MAX_WAIT_NANOS = 100_000_000;
  private static final int CHUNK_BYTES = 128 << 10;
  private static final int MAX_SPARES = 4;
  private static final Duration PAUSE = Duration.ofMillis(4);
  private static final long INSTANT_NANOS = 20_000;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  /** The number of writes without a pause between them, while there are fewer than one in each pause. */
  private static final int QUICK_WRITES = 16;
  /** The interval for retrying a notice that could not be written. */
  private static final long NOTICE_NANOS = 1_000_000_000;
  /** The first interval for retrying while the output is away; it is doubled up to the largest. */
  private static final long RETRY_NANOS = 50_000_000;
  private static final long MAX_RETRY_NANOS = 5_000_000_000L;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final String TOO_FAST = "they are produced faster than they are read";

  private final AtomicReference<LogChunk> current = new AtomicReference<>(new LogChunk(direct()));
  private final ArrayBlockingQueue<ByteBuffer> spares = new ArrayBlockingQueue<>(MAX_SPARES);
  private final AtomicInteger directs = new AtomicInteger(1);
  private final QueueRoom room;
  private final AtomicLong dropped = new AtomicLong();
  private final LogOutput out;
  private final Consumer<String> alarm;
  private final long pauseNanos;
  private final BackgroundTask task;
  /** The chunk that is written next, initially the first one, whenever the thread starts. */
  private LogChunk chunk = current.get();
  private long reported;
  private long noted;
  private String reason = TOO_FAST;
  /** The interval before the chunk is tried again; 0 unless the output is away. */
  private long retryNanos;
  private boolean unsaid;
  private boolean failing;
  private long due = System.nanoTime();
  /** Why the last line was lost that others were to write; empty if it is reported, or none was. */
  private volatile String elsewhere = "";
  private volatile boolean idle;
  private volatile boolean closed;
  private volatile Losses losses = (count, _) -> new LineBuffer(64).number(count).ascii(" log lines were dropped\n");

  /** Creates a writer that reports failures of the output in the log only. */
  public LogWriter(OutputStream out) {
    this(out, _ -> {});
  }

  /** @param alarm called with the reason when the output starts to fail */
  public LogWriter(OutputStream out, Consumer<String> alarm) {
    this(out, alarm, MAX_LINES);
  }

  /**
   * Creates a writer that reports failures of the output in the log only.
   *
   * @param maxBytes how many bytes are queued at most
   * @param pause between writes under load
   */
  LogWriter(OutputStream out, long maxBytes, Duration pause) {
    this(out, _ -> {}, MAX_LINES, maxBytes, pause);
  }

  LogWriter(OutputStream out, Consumer<String> alarm, int maxLines) {
    this(out, alarm, maxLines, maxBytes(), PAUSE);
  }

  private LogWriter(OutputStream out, Consumer<String> alarm, int maxLines, long maxBytes, Duration pause) {
    this.pauseNanos = pause.toNanos();
    this.out = new LogOutput(out);
    this.alarm = alarm;
    this.room = new QueueRoom(maxLines, maxBytes);
    this.task = new BackgroundTask(Thread.ofPlatform().name("log writer").daemon(), this::round);
    task.start();
  }

  /** Reports lost lines; called by the thread that writes. */
  interface Losses {
    /** Returns the line that says how many lines are missing from the log and why. */
    LineBuffer line(long count, String reason);

    /** Called when the output starts to fail, with the reason, and without one when it works again. */
    default void failing(Optional<String> error) {}

    /** Called when lines were lost. @param total since the start */
    default void lost(long total, String reason) {}

    /** Called after each round; returns whether it is to be called within a second. @param last before the end */
    default boolean round(boolean last) {
      return false;
    }
  }

  /** Returns how many bytes a log may queue: less where the heap is small. */
  public static long maxBytes() {
    return Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  void report(Losses by) {
    losses = by;
  }

  /** Queues the line; if the queue is full, the line is dropped and counted, and false is returned. */
  boolean offer(LineBuffer line) {
    if (room.take(1, line.length())) {
      add(line, 0);
      return true;
    }
    drop();
    return false;
  }

  /** Counts a line that is dropped. */
  void drop() {
    dropped.incrementAndGet();
  }

  /** Counts a line that somebody else could not write to the output, and wakes the thread to report it. */
  void lost(String why) {
    elsewhere = why;
    dropped.incrementAndGet();
    task.wake();
  }

  /**
   * Queues a line and reserves room for another one, which must be passed to {@link #offerReserved}. Waits up to 100 ms
   * for room. Returns false if there was none; both lines then count as dropped. No bytes are reserved: long requests,
   * as tunnels, would keep them from others for hours.
   */
  boolean offerWithReservation(LineBuffer line) {
    try {
      if (!room.take(2, line.length(), MAX_WAIT_NANOS)) {
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
   * Queues the line for which {@link #offerWithReservation} has reserved room: the bytes of the buffer from a
   * position on. Does not wait for the line to be written: a client may have its response before.
   */
  void offerReserved(LineBuffer line, int from) {
    room.takeAnyway(line.length() - from);
    add(line, from);
  }

  /** Returns how many lines were dropped since the start. */
  public long dropped() {
    return dropped.get();
  }

  private void add(LineBuffer line, int from) {
    LogChunk chunk = current.get();
    while (!chunk.put(line, from)) {
      follow(chunk, line.length() - from);
      chunk = current.get();
    }
    if (idle) {
      idle = false;
      task.wake();
    }
  }

  /** Seals a chunk and ensures that it has a successor. @param bytes minimum capacity of a new chunk */
  private void follow(LogChunk chunk, int bytes) {
    chunk.seal();
    if (current.get() != chunk) {
      return;
    }
    LogChunk fresh = new LogChunk(buffer(bytes));
    if (current.compareAndSet(chunk, fresh)) {
      chunk.next(fresh);
    } else {
      spare(fresh);
    }
  }

  /** Returns a buffer of that capacity, or a larger one. */
  private ByteBuffer buffer(int bytes) {
    ByteBuffer spare = bytes > CHUNK_BYTES ? null : spares.poll();
    if (spare != null) {
      return spare;
    }
    return bytes <= CHUNK_BYTES && directs.getAndIncrement() <= MAX_SPARES ? direct()
        : ByteBuffer.allocate(Math.max(CHUNK_BYTES, bytes));
  }

  /** Returns a buffer outside the heap, which files take without another copy. */
  private static ByteBuffer direct() {
    return ByteBuffer.allocateDirect(CHUNK_BYTES);
  }

  /** Those in the heap, of which there are some while the output is slow, are garbage then. */
  private void spare(LogChunk chunk) {
    if (chunk.buffer().isDirect()) {
      spares.offer(chunk.buffer());
    }
  }

  private boolean round() {
    boolean last = closed;
    boolean more = chunk != current.get();
    boolean wrote = !chunk.isEmpty();
    if (more || wrote) {
      chunk = written(chunk);
    }
    note();
    if (retryNanos == 0) {
      report();
    }
    boolean done = last && chunk == current.get() && chunk.isEmpty();
    unsaid = losses.round(done);
    if (retryNanos > 0 && !closed) {
      LockSupport.parkNanos(this, retryNanos);
    } else if (!more && !last) {
      pause(wrote);
    } else if (more) {
      wrote();
    }
    return !done;
  }

  /** Writes a chunk; returns its successor, or the same one while the output is away. */
  private LogChunk written(LogChunk chunk) {
    follow(chunk, 0);
    long patience = System.nanoTime() + PATIENCE_NANOS;
    while ((chunk.next() == null || !chunk.isComplete()) && System.nanoTime() < patience) {
      // wait for a thread that is still copying its line, but not forever: it may have died
      LockSupport.parkNanos(this, INSTANT_NANOS);
    }
    LogChunk next = chunk.next() == null ? current.get() : chunk.next();
    int lines = chunk.lines();
    int written = Math.min(lines, chunk.writeTo(out));
    watch(out.error());
    if (out.isAway() && !closed) {
      retryNanos = Math.clamp(2 * retryNanos, RETRY_NANOS, MAX_RETRY_NANOS);
      return chunk;
    }
    retryNanos = 0;
    dropped.addAndGet(lines - written);
    room.release(lines, chunk.length());
    chunk.next(null); // or an old chunk would keep all later ones reachable
    if (chunk.isComplete()) {
      spare(chunk);
    }
    return next;
  }

  /** Puts the next write off by a pause, from when it was due. */
  private void wrote() {
    long now = System.nanoTime();
    due = now + Math.min(Math.max(due - now, 0), QUICK_WRITES * pauseNanos) + pauseNanos;
  }

  /** Yields the processor to requests: for the pause under load, else until there is something to write. */
  private void pause(boolean wrote) {
    if (wrote) {
      wrote();
    }
    long early = due - System.nanoTime() - QUICK_WRITES * pauseNanos;
    if (early > 0) {
      LockSupport.parkNanos(this, early);
    } else if (!wrote) {
      rest();
    }
  }

  private void rest() {
    idle = true;
    if (chunk.isEmpty() && chunk == current.get() && !closed) {
      if (unsaid || dropped.get() > reported) {
        LockSupport.parkNanos(this, NOTICE_NANOS);
      } else {
        LockSupport.park(this);
      }
    }
    idle = false;
  }

  private void watch(Optional<String> error) {
    reason = error.orElse(dropped.get() > reported ? reason : TOO_FAST);
    if (error.isPresent() != failing) {
      failing = error.isPresent();
      BackgroundTask.guarded(() -> losses.failing(error));
      error.ifPresent(why -> BackgroundTask.guarded(() -> alarm.accept(why)));
    }
  }

  private void note() {
    long now = dropped.get();
    if (now > noted) {
      noted = now;
      if (!elsewhere.isEmpty()) {
        reason = elsewhere;
        elsewhere = "";
      }
      losses.lost(now, reason);
    }
  }

  /** Logs how many lines were dropped since the last report. */
  private void report() {
    long now = dropped.get();
    if (now > reported && losses.line(now - reported, reason).writeTo(out) > 0) {
      reported = now;
      watch(Optional.empty());
      reason = TOO_FAST;
    }
  }

  /** Stops the thread when everything is written, or after five seconds. */
  @Override
  public void close() {
    closed = true;
    task.wake();
    task.join(CLOSE_TIMEOUT);
  }

  /** Returns how many lines are queued or being written. */
  int waiting() {
    return room.lines();
  }

  /** Returns how many bytes they have. */
  long waitingBytes() {
    return room.bytes();
  }
}

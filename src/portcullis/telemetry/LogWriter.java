package portcullis.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Writes lines on a thread of its own, in their order, so that no request waits for a slow reader. The queue holds 65,536
 * lines, those included that are promised a place; thread safe. {@link #close} writes what is left.
 */
public final class LogWriter implements AutoCloseable {
  private static final int LONGEST_QUEUE = 65_536;
  private static final long LONGEST_WAIT_MILLIS = 100;
  private static final int BATCH_BYTES = 64 << 10;
  private static final String END = "";

  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private final Semaphore room;
  private final AtomicLong dropped = new AtomicLong();
  private final OutputStream out;
  private final Thread thread;
  private byte[] batch = new byte[2 * BATCH_BYTES];
  private int count;
  private volatile LongFunction<String> notice = count -> count + " log lines were dropped\n";

  public LogWriter(OutputStream out) {
    this(out, LONGEST_QUEUE);
  }

  LogWriter(OutputStream out, int most) {
    this.out = out;
    this.room = new Semaphore(most);
    this.thread = Thread.ofPlatform().name("log writer").daemon().start(this::write);
  }

  /** How it is said in the log that so many lines are missing from it. */
  void notice(LongFunction<String> line) {
    notice = line;
  }

  /** Takes the line; where the queue is full it is dropped and counted. */
  void offer(String line) {
    if (room.tryAcquire()) {
      queue.add(line);
    } else {
      dropped.incrementAndGet();
    }
  }

  /**
   * Takes a line that must not be lost, and keeps a place for another one, which has to be handed to {@link #owed}. Waits up
   * to 100 ms for room; false where there was none.
   */
  boolean insist(String line) {
    try {
      if (!room.tryAcquire(2) && !room.tryAcquire(2, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        dropped.incrementAndGet();
        return false;
      }
      queue.add(line);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes the line that has a place since {@link #insist}. */
  void owed(String line) {
    queue.add(line);
  }

  /** How many lines were dropped so far. */
  public long dropped() {
    return dropped.get();
  }

  private void write() {
    long told = 0;
    try {
      for (String line = queue.take(); line != END; line = queue.take()) {
        int lines = 1;
        append(line);
        while (count < BATCH_BYTES && queue.peek() != null && queue.peek() != END) {
          append(queue.poll());
          lines++;
        }
        told = flush(told);
        room.release(lines);
      }
      flush(told);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void append(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > batch.length - count) {
      batch = Arrays.copyOf(batch, Math.max(2 * batch.length, count + bytes.length));
    }
    System.arraycopy(bytes, 0, batch, count, bytes.length);
    count += bytes.length;
  }

  /** Writes the batch, and behind it how many lines were dropped that nobody was told of yet; returns how many are told of. */
  private long flush(long told) {
    long now = dropped.get();
    if (now > told) {
      append(notice.apply(now - told));
    }
    if (count == 0) {
      return now;
    }
    try {
      out.write(batch, 0, count);
      out.flush();
    } catch (IOException _) {
      // nobody reads the log any more; there is no other place to say so
      dropped.incrementAndGet();
    }
    count = 0;
    batch = batch.length > 2 * BATCH_BYTES ? new byte[2 * BATCH_BYTES] : batch;
    return now;
  }

  /** Ends the thread once everything is written, or after five seconds. */
  @Override
  public void close() {
    queue.add(END);
    try {
      thread.join(5_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

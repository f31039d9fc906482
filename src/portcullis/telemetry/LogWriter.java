package portcullis.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes lines on a thread of its own, in their order, so that no request waits for a slow reader. The queue holds 65,536
 * lines; thread safe. {@link #close} writes what is left.
 */
public final class LogWriter implements AutoCloseable {
  private static final int LONGEST_QUEUE = 65_536;
  private static final int BATCH_CHARACTERS = 64 << 10;
  private static final String END = "";

  private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(LONGEST_QUEUE);
  private final AtomicLong dropped = new AtomicLong();
  private final OutputStream out;
  private final Thread thread;

  public LogWriter(OutputStream out) {
    this.out = out;
    this.thread = Thread.ofPlatform().name("log writer").daemon().start(this::write);
  }

  /** Takes the line; where the queue is full it is dropped and counted. */
  void offer(String line) {
    if (!queue.offer(line)) {
      dropped.incrementAndGet();
    }
  }

  /** Takes a line that must not be lost: waits up to 100 ms for room; false where there was none. */
  boolean insist(String line) {
    try {
      return queue.offer(line) || queue.offer(line, 100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** How many lines were dropped so far. */
  public long dropped() {
    return dropped.get();
  }

  private void write() {
    StringBuilder batch = new StringBuilder();
    try {
      for (String line = queue.take(); line != END; line = queue.take()) {
        batch.append(line);
        while (batch.length() < BATCH_CHARACTERS && queue.peek() != null && queue.peek() != END) {
          batch.append(queue.poll());
        }
        flush(batch);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void flush(StringBuilder batch) {
    try {
      out.write(batch.toString().getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException _) {
      // nobody reads the log any more; there is no other place to say so
      dropped.incrementAndGet();
    }
    batch.setLength(0);
  }

  /** Ends the thread once everything is written, or after five seconds. */
  @Override
  public void close() {
    try {
      if (queue.offer(END, 5, TimeUnit.SECONDS)) {
        thread.join(5_000);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

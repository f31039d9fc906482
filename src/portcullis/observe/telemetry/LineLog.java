package portcullis.observe.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A log of lines that are made elsewhere, beside the log of the program. Lines are written in order by a thread of its
 * own and never delay those who offer them: those that find no room, or that the output does not take, are counted, the
 * count is written as a line as soon as possible, logged as an error, and listed as a problem. Thread safe.
 */
public final class LineLog implements AutoCloseable {
  /** Fewer and larger writes than those of the log, which people read while it is written. */
  private static final Duration PAUSE = Duration.ofMillis(4);

  private final String name;
  private final LogWriter writer;
  private final LogLosses losses;
  private final InstantSource clock;
  private final AtomicLong queued = new AtomicLong();
  private final long maxBytes;

  /** Makes the line that stands for lost ones. */
  @FunctionalInterface
  public interface LossLine {
    /** Returns a line without its end. */
    String of(long count, String reason);
  }

  /**
   * Creates a log.
   *
   * @param name as messages name it, like {@code decision log}
   * @param out gets whole lines; an exception means that it has taken none of them
   * @param maxBytes how much may wait to be written
   * @param log where losses are reported
   */
  public LineLog(String name, OutputStream out, long maxBytes, LossLine lossLine, Log log, InstantSource clock) {
    this.name = name;
    this.maxBytes = maxBytes;
    this.clock = clock;
    this.losses = new LogLosses("the " + name, "lines of the " + name);
    this.writer = new LogWriter(new Measured(out), PAUSE);
    log.include(this::problems);
    writer.report(new LogWriter.Losses() {
      @Override
      public LineBuffer line(long count, String reason) {
        losses.lost(writer.dropped(), reason, clock.instant());
        log.error("Lines of a log were dropped", "_log", name, "_lines", count, "_error", reason);
        LineBuffer line = new LineBuffer(256).text(lossLine.of(count, reason)).ascii('\n');
        queued.addAndGet(line.length());
        return line;
      }

      @Override
      public void failing(Optional<String> error) {
        losses.failing(error, clock.instant());
        error.ifPresent(why -> log.error("A log cannot be written", "_log", LineLog.this.name, "_error", why));
      }
    });
  }

  /** Queues a line, without its end; drops and counts it if there is no room. */
  public void offer(String line) {
    offer(new LineBuffer(line.length() + 1).text(line).ascii('\n'));
  }

  /** Queues a copy of a line with its end; drops and counts it if there is no room. */
  public void offer(LineBuffer buffer) {
    if (queued.addAndGet(buffer.length()) > maxBytes) {
      queued.addAndGet(-buffer.length());
      writer.drop();
    } else if (!writer.offer(buffer)) {
      queued.addAndGet(-buffer.length());
    }
  }

  /** Returns how many lines were dropped since the start. */
  public long dropped() {
    return writer.dropped();
  }

  /** Returns what an operator has to fix: an output that fails, and lines that were lost within the last hour. */
  private List<OngoingProblem> problems() {
    return losses.problems(clock.instant());
  }

  /** Writes what is queued, for up to five seconds; the output is closed by its owner. */
  @Override
  public void close() {
    writer.close();
  }

  /** Counts what leaves the queue, written or not. */
  private final class Measured extends OutputStream {
    private final OutputStream out;

    Measured(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      queued.addAndGet(-length);
      out.write(bytes, from, length);
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }
  }
}

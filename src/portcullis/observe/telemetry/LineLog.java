package portcullis.observe.telemetry;

import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A log of lines that are made elsewhere, beside the log of the program. Lines are written in order by a thread of its
 * own and never delay those who offer them: those that find no room, or that the output does not take, are counted, the
 * count is written as a line as soon as possible, logged as an error once a minute at most, and listed as a problem.
 * Lines for an output that is away ({@link OutputAwayException}) are kept while there is room. Thread safe.
 */
public final class LineLog implements AutoCloseable {
  /** Fewer and larger writes than those of the log, which people read while it is written. */
  private static final Duration PAUSE = Duration.ofMillis(8);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final String name;
  private final LogWriter writer;
  private final LogLosses losses;
  private final InstantSource clock;
  private final Reports reports;

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
    this.clock = clock;
    this.losses = new LogLosses("the " + name, "lines of the " + name);
    this.writer = new LogWriter(out, maxBytes, PAUSE);
    log.include(this::problems);
    this.reports = new Reports(lossLine, log);
    writer.report(reports);
  }

  /** Queues a line, without its end; drops and counts it if there is no room. */
  public void offer(String line) {
    offer(new LineBuffer(line.length() + 1).text(line).ascii('\n'));
  }

  /** Queues a copy of a line with its end; drops and counts it if there is no room. */
  public void offer(LineBuffer buffer) {
    writer.offer(buffer);
  }

  /** Counts a line that was to be written directly to the output and could not. */
  public void lost(String reason) {
    writer.lost(reason);
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
    int waiting = writer.waiting();
    if (waiting > 0) {
      reports.end(waiting);
    }
  }

  /** Logs the beginning of each trouble, and what was lost, each once a minute at most. For the thread that writes. */
  private final class Reports implements LogWriter.Losses {
    private final LossLine lossLine;
    private final Log log;
    private Optional<String> error = Optional.empty();
    private boolean errorLogged;
    private Instant errorAt = Instant.MIN;
    private String reason = "";
    private long logged;
    private Instant lossAt = Instant.MIN;
    private boolean ended;

    Reports(LossLine lossLine, Log log) {
      this.lossLine = lossLine;
      this.log = log;
    }

    @Override
    public LineBuffer line(long count, String why) {
      return new LineBuffer(256).text(lossLine.of(count, why)).ascii('\n');
    }

    @Override
    public void failing(Optional<String> why) {
      losses.failing(why, clock.instant());
      error = why;
    }

    @Override
    public void lost(long total, String why) {
      losses.lost(total, why, clock.instant());
      reason = why;
    }

    /** Logs what was not written in time; of what becomes of it nothing is logged. @param waiting number of lines */
    synchronized void end(int waiting) {
      ended = true;
      log.error("Lines of a log were dropped", "_log", name, "_lines", waiting + writer.dropped() - logged, "_error",
          "the service ends, and the output has not taken them for five seconds");
    }

    @Override
    public synchronized boolean round(boolean last) {
      if (ended) {
        return false;
      }
      Instant now = clock.instant();
      if (error.isPresent() && !errorLogged && isDue(errorAt, now)) {
        log.error("A log cannot be written", "_log", name, "_error", error.get());
        errorLogged = true;
        errorAt = now;
      }
      long count = writer.dropped() - logged;
      if (count > 0 && (last || error.isEmpty() && isDue(lossAt, now))) {
        log.error("Lines of a log were dropped", "_log", name, "_lines", count, "_error", reason);
        logged += count;
        lossAt = now;
      }
      if (error.isEmpty() && errorLogged) {
        log.notice("A log is written again", "_log", name);
        errorLogged = false;
      }
      return error.isPresent() && !errorLogged || writer.dropped() > logged;
    }

    /** Also where the clock was set back. */
    private static boolean isDue(Instant last, Instant now) {
      return Duration.between(last, now).abs().compareTo(INTERVAL) >= 0;
    }
  }
}

package portcullis.observe.telemetry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;

/**
 * A logger with a fixed level and format. Fields are alternating names and values; a name begins with an underscore.
 * Thread safe.
 */
public final class Log {
  /** The initial size of a line in bytes; most lines fit. */
  private static final int EXPECTED = 384;
  /** The most characters of a field: errors may quote what clients have sent. */
  private static final int LONGEST_FIELD = 4_096;

  private final Level minimum;
  private final LogFormat format;
  private final LogWriter writer;
  private final LineBufferPool buffers = new LineBufferPool();
  private final InstantSource clock;
  private final String host;
  private final boolean access;
  private final OngoingProblems ongoing = new OngoingProblems();
  private final LogLosses losses = new LogLosses();
  private final List<Supplier<List<OngoingProblem>>> others = new CopyOnWriteArrayList<>();
  private volatile Second second = new Second(Long.MIN_VALUE, new LineBuffer(0));

  public Log(Level minimum, LogFormat format, LogWriter writer, InstantSource clock, String host) {
    this(minimum, format, writer, clock, host, true);
  }

  /**
   * @param host the name of this machine, for GELF
   * @param access whether access events are logged
   */
  public Log(Level minimum, LogFormat format, LogWriter writer, InstantSource clock, String host, boolean access) {
    this.access = access;
    this.minimum = minimum;
    this.format = format;
    this.writer = writer;
    this.clock = clock;
    this.host = host;
    writer.report(new LogWriter.Losses() {
      @Override
      public LineBuffer line(long count, String reason) {
        return Log.this.line(Level.ERROR, "Log lines were dropped: " + reason, "_lines", count);
      }

      @Override
      public void failing(Optional<String> error) {
        losses.failing(error, clock.instant());
      }

      @Override
      public void lost(long total, String reason) {
        losses.lost(total, reason, clock.instant());
      }
    });
  }

  /** Returns whether events of this level are logged, to be checked before expensive fields are computed. */
  public boolean isEnabled(Level level) {
    return level.compareTo(minimum) >= 0;
  }

  public void trace(String message, Object... fields) {
    log(Level.TRACE, message, fields);
  }

  public void debug(String message, Object... fields) {
    log(Level.DEBUG, message, fields);
  }

  public void info(String message, Object... fields) {
    log(Level.INFO, message, fields);
  }

  public void warn(String message, Object... fields) {
    log(Level.WARN, message, fields);
  }

  public void error(String message, Object... fields) {
    log(Level.ERROR, message, fields);
  }

  public void fatal(String message, Object... fields) {
    log(Level.FATAL, message, fields);
  }

  /**
   * Logs an event that operators need whatever the minimum level is, unless logging is disabled: with level INFO, or
   * NOTICE where that is not logged.
   */
  public void notice(String message, Object... fields) {
    if (minimum != Level.DISABLED) {
      writer.offer(line(isEnabled(Level.INFO) ? Level.INFO : Level.NOTICE, message, fields));
    }
  }

  /**
   * Logs an error that lasts until {@link #resolved} is called with this key. While it lasts, it is listed in
   * {@link #problems} and logged again only if its fields change.
   */
  public void problem(String key, String message, Object... fields) {
    if (ongoing.begin(key, clock.instant(), text(message, fields))) {
      error(message, fields);
    }
  }

  /**
   * Logs a {@link #problem} whose cause may be another one at each attempt: while it lasts, each cause is logged once,
   * and {@link #problems} has the latest.
   */
  public void outage(String key, String message, Object... fields) {
    if (ongoing.change(key, clock.instant(), text(message, fields))) {
      error(message, fields);
    }
  }

  /** Logs the end of a problem as {@link #notice} does and returns true; returns false if it did not last. */
  public boolean resolved(String key, String message, Object... fields) {
    boolean lasted = ongoing.end(key);
    if (lasted) {
      notice(message, fields);
    }
    return lasted;
  }

  /** Returns the problems that last and are logged elsewhere, or by {@link #problem}. */
  public OngoingProblems ongoing() {
    return ongoing;
  }

  /** Includes the problems of another log in {@link #problems}. */
  void include(Supplier<List<OngoingProblem>> other) {
    others.add(other);
  }

  /** Returns what an operator has to fix; lines that were dropped within the last hour are included. */
  public List<OngoingProblem> problems() {
    List<OngoingProblem> out = new ArrayList<>(ongoing.list());
    out.addAll(losses.problems(clock.instant()));
    others.forEach(other -> out.addAll(other.get()));
    return out;
  }

  /** Returns the message with the values of its fields: the error last. */
  private static String text(String message, Object... fields) {
    StringBuilder out = new StringBuilder(message);
    StringBuilder error = new StringBuilder();
    for (int i = 0; i + 1 < fields.length; i += 2) {
      (fields[i].equals(LogFormat.ERROR) ? error.append(": ") : out.append(' ')).append(fields[i + 1]);
    }
    return out.append(error).toString();
  }

  private void log(Level level, String message, Object... fields) {
    if (isEnabled(level)) {
      writer.offer(line(level, message, fields));
    }
  }

  /** Returns whether access events are logged. */
  public boolean logsAccess() {
    return access;
  }

  /**
   * Begins the access events of a request.
   *
   * @param message of the first event
   * @param millis the time since 1970 in milliseconds
   */
  public AccessEvent access(String message, long millis) {
    return new AccessEvent(this, message, millis);
  }

  /** Returns how many lines were dropped since the start. */
  public long dropped() {
    return writer.dropped();
  }

  LogFormat format() {
    return format;
  }

  LogWriter writer() {
    return writer;
  }

  LineBufferPool buffers() {
    return buffers;
  }

  /** Begins a line. @param now the time since 1970 in milliseconds */
  void head(LineBuffer out, long now, Level level, String message) {
    Second current = second;
    if (current.epoch != now / 1000) {
      current = new Second(now / 1000, format.opening(now / 1000, host));
      second = current;
    }
    format.head(out, current.opening, (int) (now % 1000), level, message);
  }

  /** Appends what the lines of a request share: the ids of its trace, its own where it has none or others know it. */
  void ids(LineBuffer out) {
    Optional<RequestId> request = RequestId.current();
    Optional<Trace> trace = request.isPresent() ? request.get().trace() : Trace.current();
    if (trace.isPresent()) {
      traced(out, trace.get().server());
    }
    if (request.isPresent() && (request.get().isShared() || trace.isEmpty())) {
      id(out, "_request_id", request.get().value());
    }
  }

  /** Appends the ids of the trace and span. */
  private void traced(LineBuffer out, Span span) {
    id(out, "_trace_id", span.traceId());
    id(out, "_span_id", span.id());
    if (!span.parentId().isEmpty()) {
      id(out, "_parent_id", span.parentId());
    }
  }

  private void id(LineBuffer out, String name, String hex) {
    format.name(out, name);
    format.plain(out, hex);
  }

  private LineBuffer line(Level level, String message, Object... fields) {
    LineBuffer out = new LineBuffer(EXPECTED);
    head(out, clock.millis(), level, message);
    for (int i = 0; i + 1 < fields.length; i += 2) { // the error is the first field
      if (fields[i].equals(LogFormat.ERROR)) {
        field(out, LogFormat.ERROR, fields[i + 1]);
      }
    }
    for (int i = 0; i + 1 < fields.length; i += 2) {
      if (!fields[i].equals(LogFormat.ERROR)) {
        field(out, fields[i].toString(), fields[i + 1]);
      }
    }
    ids(out);
    format.end(out);
    return out;
  }

  private void field(LineBuffer out, String name, Object value) {
    format.field(out, name, value instanceof String text ? ShortText.of(text, LONGEST_FIELD) : value);
  }

  /** A second of the clock and the beginning of all lines in it. */
  private record Second(long epoch, LineBuffer opening) {}
}

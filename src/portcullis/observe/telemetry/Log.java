package portcullis.observe.telemetry;

import java.time.InstantSource;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;

/**
 * Where events are told. Fields come as names and values in turn; a name begins with an underscore. Thread safe; level
 * and format are fixed.
 */
public final class Log {
  /** Bytes of a line, so that most never grow. */
  private static final int EXPECTED = 384;

  private final Level least;
  private final LogFormat format;
  private final LogWriter writer;
  private final SpareLines spares = new SpareLines();
  private final InstantSource clock;
  private final String host;
  private final boolean access;
  private volatile Second second = new Second(Long.MIN_VALUE, new LineBuffer(0));

  public Log(Level least, LogFormat format, LogWriter writer, InstantSource clock, String host) {
    this(least, format, writer, clock, host, true);
  }

  /**
   * @param host the name of this machine, as GELF wants it
   * @param access whether access events are told
   */
  public Log(Level least, LogFormat format, LogWriter writer, InstantSource clock, String host, boolean access) {
    this.access = access;
    this.least = least;
    this.format = format;
    this.writer = writer;
    this.clock = clock;
    this.host = host;
    writer.notice((count, reason) -> line(Level.WARN, "Log lines were dropped: " + reason, "_lines", count));
  }

  /** Whether events of that level are told at all; ask before work is done for one. */
  public boolean isEnabled(Level level) {
    return level.compareTo(least) >= 0;
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

  private void log(Level level, String message, Object... fields) {
    if (isEnabled(level)) {
      writer.offer(line(level, message, fields));
    }
  }

  /** Whether access events are told at all. */
  public boolean logsAccess() {
    return access;
  }

  /**
   * Begins the events that tell of a request.
   *
   * @param message of the first
   * @param millis the time it is, since 1970
   */
  public AccessEvent access(String message, long millis) {
    return new AccessEvent(this, message, millis);
  }

  /** How many lines were dropped so far as nobody took them. */
  public long dropped() {
    return writer.dropped();
  }

  LogFormat format() {
    return format;
  }

  LogWriter writer() {
    return writer;
  }

  SpareLines spares() {
    return spares;
  }

  /** Begins a line. @param now since 1970, in milliseconds */
  void head(LineBuffer out, long now, Level level, String message) {
    Second current = second;
    if (current.epoch != now / 1000) {
      current = new Second(now / 1000, format.opening(now / 1000, host));
      second = current;
    }
    format.head(out, current.opening, (int) (now % 1000), level, message);
  }

  /** Appends which trace the line belongs to. */
  void traced(LineBuffer out, Span span) {
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
    for (int i = 0; i + 1 < fields.length; i += 2) { // what went wrong stands first
      if (fields[i].equals(LogFormat.FAULT)) {
        format.field(out, LogFormat.FAULT, fields[i + 1]);
      }
    }
    for (int i = 0; i + 1 < fields.length; i += 2) {
      if (!fields[i].equals(LogFormat.FAULT)) {
        format.field(out, fields[i].toString(), fields[i + 1]);
      }
    }
    Trace.current().ifPresent(trace -> traced(out, trace.server()));
    format.end(out);
    return out;
  }

  /** A second of the clock, and what its lines begin with. */
  private record Second(long epoch, LineBuffer opening) {}
}

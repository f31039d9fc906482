package portcullis.telemetry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import portcullis.telemetry.LogFormat.LogEvent;
import portcullis.tracing.Span;
import portcullis.tracing.Trace;

/**
 * Where events are told. Fields come as names and values in turn; a name begins with an underscore. Thread safe; level and
 * format are fixed.
 */
public final class Log {
  /** Characters of a line, so that most never grow. */
  private static final int EXPECTED = 768;

  private final Level least;
  private final LogFormat format;
  private final LogWriter writer;
  private final InstantSource clock;
  private final String host;
  private final boolean access;

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
    writer.notice(count -> line(Level.WARN, "Log lines were dropped: they came faster than they are read", List.of("_lines", count)));
  }

  /** Whether events of that level are told at all; ask before work is done for one. */
  public boolean tells(Level level) {
    return level.compareTo(least) >= 0;
  }

  public void trace(String message, Object... fields) {
    tell(Level.TRACE, message, fields);
  }

  public void debug(String message, Object... fields) {
    tell(Level.DEBUG, message, fields);
  }

  public void info(String message, Object... fields) {
    tell(Level.INFO, message, fields);
  }

  public void warn(String message, Object... fields) {
    tell(Level.WARN, message, fields);
  }

  public void error(String message, Object... fields) {
    tell(Level.ERROR, message, fields);
  }

  public void fatal(String message, Object... fields) {
    tell(Level.FATAL, message, fields);
  }

  private void tell(Level level, String message, Object... fields) {
    if (tells(level)) {
      writer.offer(line(level, message, List.of(fields)));
    }
  }

  /** Whether access events are told at all. */
  public boolean tellsAccess() {
    return access;
  }

  /**
   * Tells the first of two access events, at INFO whatever the level of the log; false where there was no room for both.
   * Where there was, {@link #finished} has to be called.
   */
  public boolean started(String message, List<?> fields) {
    return writer.insist(line(Level.INFO, message, fields));
  }

  /** Tells the second of two access events; it is never lost. */
  public void finished(String message, List<?> fields) {
    writer.owed(line(Level.INFO, message, fields));
  }

  /** Tells an access event that stands alone, without waiting; dropped like any other line where there is no room. */
  public void noted(String message, List<?> fields) {
    if (access) {
      writer.offer(line(Level.INFO, message, fields));
    }
  }

  /** How many lines were dropped so far as nobody took them. */
  public long dropped() {
    return writer.dropped();
  }

  private static List<Object> traced(List<?> fields, Span span) {
    List<Object> out = new ArrayList<>(fields.size() + 6);
    out.addAll(fields);
    out.addAll(List.of("_trace_id", span.traceId(), "_span_id", span.id()));
    if (!span.parentId().isEmpty()) {
      out.addAll(List.of("_parent_id", span.parentId()));
    }
    return out;
  }

  private String line(Level level, String message, List<?> fields) {
    StringBuilder out = new StringBuilder(EXPECTED);
    List<?> all = Trace.current().<List<?>>map(trace -> traced(fields, trace.server())).orElse(fields);
    format.write(new LogEvent(clock.instant(), host, level, message, all), out);
    return out.toString();
  }
}

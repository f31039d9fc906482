package portcullis.telemetry;

import java.time.InstantSource;
import java.util.List;
import portcullis.telemetry.LogFormat.LogEvent;

/**
 * Where events are told. Fields come as names and values in turn; a name begins with an underscore. Thread safe; level and
 * format are fixed.
 */
public final class Log {
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

  private String line(Level level, String message, List<?> fields) {
    StringBuilder out = new StringBuilder(256);
    format.write(new LogEvent(clock.instant(), host, level, message, fields), out);
    return out.toString();
  }
}

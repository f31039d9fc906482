package portcullis.observe.telemetry;

import java.util.Optional;
import portcullis.observe.tracing.Trace;

/**
 * The two events that tell of a request, its start and its end; the second has all fields of the first, which are
 * rendered once. For the thread of the request. Names of fields are ASCII and begin with an underscore.
 */
public final class AccessEvent {
  private final Log log;
  private final LineBuffer line;
  private final int begin;
  private int end;

  AccessEvent(Log log, String message, long millis) {
    this.log = log;
    this.line = log.spares().take();
    log.head(line, millis, Level.INFO, message);
    this.begin = line.length();
  }

  public AccessEvent add(String name, String value) {
    log.format().name(line, name);
    log.format().value(line, value);
    return this;
  }

  /** The same with a value of letters, digits, dots, colons and dashes only, which is not looked at. */
  public AccessEvent plain(String name, String value) {
    log.format().name(line, name);
    log.format().plain(line, value);
    return this;
  }

  public AccessEvent add(String name, long value) {
    log.format().name(line, name);
    line.number(value);
    return this;
  }

  public AccessEvent add(String name, boolean value) {
    log.format().name(line, name);
    line.ascii(value ? "true" : "false");
    return this;
  }

  /**
   * Tells the first event, whatever the level of the log; false where there was no room for both. Where there was,
   * {@link #beginEnd} and {@link #logEnd} have to be called.
   */
  public boolean logStart() {
    ids();
    end = line.length();
    log.format().end(line);
    boolean told = log.writer().insist(line);
    if (!told) {
      log.spares().give(line);
    }
    return told;
  }

  /**
   * Begins the second event.
   *
   * @param fault what went wrong; empty where nothing did
   * @param millis the time it is, since 1970
   */
  public AccessEvent beginEnd(String message, String fault, long millis) {
    int first = end;
    end = line.length();
    log.head(line, millis, Level.INFO, message);
    if (!fault.isEmpty()) {
      add(LogFormat.FAULT, fault);
    }
    line.again(begin, first);
    return this;
  }

  /** Tells the second event; it is never lost. */
  public void logEnd() {
    log.format().end(line);
    log.writer().owed(line, end);
    log.spares().give(line);
  }

  /**
   * Tells the only event of a message that could not become a request, without waiting; dropped where there is no room.
   */
  public void logOnly() {
    ids();
    log.format().end(line);
    log.writer().offer(line);
    log.spares().give(line);
  }

  private void ids() {
    Optional<Trace> trace = Trace.current();
    if (trace.isPresent()) {
      log.traced(line, trace.get().server());
    }
  }
}

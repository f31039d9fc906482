package portcullis.observe.telemetry;

/**
 * The two access events of a request, for its start and its end. The second has all fields of the first, which are
 * rendered once. For the thread of the request. Field names are ASCII and begin with an underscore.
 */
public final class AccessEvent {
  private final Log log;
  private LineBuffer line;
  private int begin;
  private int ids;
  private int end;

  AccessEvent(Log log, String message, long millis) {
    this.log = log;
    this.line = log.buffers().take();
    log.head(line, millis, Level.INFO, message);
    this.begin = line.length();
  }

  /** Adds a value, of which at most {@link ShortText#SHORT} characters are logged. */
  public AccessEvent add(String name, String value) {
    return add(name, value, ShortText.SHORT);
  }

  /** Adds a path, URL or error, of which at most {@link ShortText#LONG} characters are logged. */
  public AccessEvent addLong(String name, String value) {
    return add(name, value, ShortText.LONG);
  }

  private AccessEvent add(String name, String value, int most) {
    log.format().name(line, name);
    log.format().value(line, ShortText.of(value, most));
    return this;
  }

  /** Adds a value as {@link LogFormat#plain} takes it, which is written without escaping. */
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
   * Logs the first event, whatever the level of the log, and returns whether there was room for both events. If so,
   * {@link #beginEnd} and {@link #logEnd} must be called. Fields that are added in between are those of the second
   * event.
   */
  public boolean logStart() {
    ids = line.length();
    log.ids(line);
    log.format().end(line);
    end = line.length();
    boolean accepted = log.writer().offerWithReservation(line);
    if (!accepted) {
      log.buffers().release(line);
    }
    return accepted;
  }

  /** Keeps no more than the second event needs, which may be a long time off; after {@link #logStart}. */
  public void rest() {
    LineBuffer whole = line;
    line = whole.without(ids, end).without(0, begin);
    log.buffers().release(whole);
    ids -= begin;
    end = ids;
    begin = 0;
  }

  /**
   * Begins the second event.
   *
   * @param error message of the error; empty if there was none
   * @param millis the time since 1970 in milliseconds
   */
  public AccessEvent beginEnd(String message, String error, long millis) {
    int added = end;
    end = line.length();
    log.head(line, millis, Level.INFO, message);
    if (!error.isEmpty()) {
      addLong(LogFormat.ERROR, error);
    }
    line.repeat(begin, ids);
    line.repeat(added, end);
    return this;
  }

  /** Logs the second event, which is never dropped. */
  public void logEnd() {
    log.ids(line);
    log.format().end(line);
    log.writer().offerReserved(line, end);
    log.buffers().release(line);
  }

  /**
   * Logs the only event of a message that could not become a request. Does not wait; dropped if there is no room.
   */
  public void logOnly() {
    log.ids(line);
    log.format().end(line);
    log.writer().offer(line);
    log.buffers().release(line);
  }
}

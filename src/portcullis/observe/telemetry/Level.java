package portcullis.observe.telemetry;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * The severity of a line, in ascending order; {@code DISABLED} is above all lines. {@code NOTICE} is not configurable:
 * it is that of informative lines that are logged although the minimum level is higher.
 */
public enum Level {
  TRACE("TRC", 7), DEBUG("DBG", 7), INFO("INF", 6), NOTICE("NTC", 5), WARN("WRN", 4), ERROR("ERR", 3), FATAL("FTL", 2),
  PANIC("PNC", 1), DISABLED("???", 0);

  private final String abbreviation;
  private final int syslog;

  Level(String abbreviation, int syslog) {
    this.abbreviation = abbreviation;
    this.syslog = syslog;
  }

  /** Returns the abbreviation in the text format. */
  public String abbreviation() {
    return abbreviation;
  }

  /** Returns the numerical severity of syslog (RFC 5424, 6.2.1), which GELF uses. */
  public int syslog() {
    return syslog;
  }

  /** Returns the configurable levels by their names in the configuration. */
  public static SequencedMap<String, Level> byName() {
    SequencedMap<String, Level> out = new LinkedHashMap<>();
    for (Level level : values()) {
      if (level != NOTICE) {
        out.put(level.name().toLowerCase(Locale.ROOT), level);
      }
    }
    return out;
  }
}

package portcullis.observe.telemetry;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.TimeZone;

/** Formats an event as one line. Control characters are escaped, so a value cannot start another line. */
public enum LogFormat {
  TEXT {
    @Override
    LineBuffer opening(long second, String host) {
      return new LineBuffer(OPENING).text(TIME.format(Instant.ofEpochSecond(second).atOffset(offset(second))));
    }

    @Override
    void head(LineBuffer out, LineBuffer opening, int millis, Level level, String message) {
      int fraction = out.length() + FRACTION;
      out.all(opening).threeDigits(millis, fraction).ascii(' ').ascii(level.abbreviation()).ascii(' ');
      escaped(message, out);
    }

    /** Writes names unchanged, except {@code _error}, which is {@code error}. */
    @Override
    void name(LineBuffer out, String name) {
      out.ascii(' ').ascii(name.equals(ERROR) ? "error" : name).ascii('=');
    }

    @Override
    void value(LineBuffer out, String value) {
      if (isPlain(value)) {
        out.ascii(value);
      } else {
        quoted(value, out);
      }
    }

    @Override
    void plain(LineBuffer out, String value) {
      out.ascii(value);
    }

    private static boolean isPlain(String value) {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c <= ' ' || c > '~' || c == '"' || c == '=' || c == '\\') {
          return false;
        }
      }
      return !value.isEmpty();
    }

    @Override
    void end(LineBuffer out) {
      out.ascii('\n');
    }
  },
  GELF {
    @Override
    LineBuffer opening(long second, String host) {
      LineBuffer out = new LineBuffer(OPENING);
      out.ascii("{\"version\":\"1.1\",\"host\":");
      quoted(host, out);
      return out.ascii(",\"timestamp\":").number(second).ascii('.');
    }

    @Override
    void head(LineBuffer out, LineBuffer opening, int millis, Level level, String message) {
      out.all(opening).ascii((char) ('0' + millis / 100)).ascii((char) ('0' + millis / 10 % 10))
          .ascii((char) ('0' + millis % 10));
      out.ascii(",\"level\":").number(level.syslog()).ascii(",\"_level_name\":\"").ascii(level.name())
          .ascii("\",\"short_message\":");
      quoted(message, out);
    }

    @Override
    void name(LineBuffer out, String name) {
      out.ascii(",\"").ascii(name).ascii("\":");
    }

    @Override
    void value(LineBuffer out, String value) {
      quoted(value, out);
    }

    @Override
    void plain(LineBuffer out, String value) {
      out.ascii('"').ascii(value).ascii('"');
    }

    @Override
    void end(LineBuffer out) {
      out.ascii("}\n");
    }
  };

  /** The field with the error message. */
  static final String ERROR = "_error";

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
  private static final int FRACTION = "2006-01-02T15:04:05.".length();
  private static final String HEX = "0123456789abcdef";
  private static final int OPENING = 80;
  private static final int FORMAT = Character.FORMAT;

  /** Returns the offset of the system's time zone; java.time would open each jar, as any may have rules of zones. */
  private static ZoneOffset offset(long second) {
    return ZoneOffset.ofTotalSeconds(TimeZone.getDefault().getOffset(second * 1000) / 1000);
  }

  /** Returns the beginning of all lines of a second. @param host the name of this machine */
  abstract LineBuffer opening(long second, String host);

  /** Begins a line. @param opening the beginning of all lines of its second */
  abstract void head(LineBuffer out, LineBuffer opening, int millis, Level level, String message);

  /** Appends a field name, in ASCII, and what separates it from the value. */
  abstract void name(LineBuffer out, String name);

  abstract void value(LineBuffer out, String value);

  /** Appends a nonempty value of letters, digits, dots, colons, dashes, underscores, slashes and plus signs only. */
  abstract void plain(LineBuffer out, String value);

  abstract void end(LineBuffer out);

  final void field(LineBuffer out, String name, Object value) {
    name(out, name);
    switch (value) {
      case Integer number -> out.number(number);
      case Long number -> out.number(number);
      case Number number -> out.ascii(number.toString());
      case Boolean truth -> out.ascii(truth.toString());
      default -> value(out, value.toString());
    }
  }

  static void quoted(String text, LineBuffer out) {
    if (isPlain(text)) {
      out.ascii('"').ascii(text).ascii('"');
      return;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else {
        character(c, escaped);
      }
    }
    out.text(escaped.append('"'));
  }

  /** Returns whether no character needs an escape. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  static void escaped(String text, LineBuffer out) {
    if (isPlain(text)) {
      out.ascii(text);
      return;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      character(text.charAt(i), escaped);
    }
    out.text(escaped);
  }

  /** Writes control and format characters, as those that reverse text, and ends of lines as escapes. */
  private static void character(char c, StringBuilder out) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c >= ' ' && c < 127 || c > 159 && c != '\u2028' && c != '\u2029' && Character.getType(c) != FORMAT) {
          out.append(c);
        } else {
          out.append("\\u").append(HEX.charAt(c >> 12)).append(HEX.charAt(c >> 8 & 15)).append(HEX.charAt(c >> 4 & 15))
              .append(HEX.charAt(c & 15));
        }
      }
    }
  }
}

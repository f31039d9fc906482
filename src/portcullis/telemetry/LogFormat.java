package portcullis.telemetry;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** How an event becomes one line; control characters never start another. */
public enum LogFormat {
  TEXT {
    @Override
    void write(LogEvent event, StringBuilder out) {
      out.append(TIME.format(event.at().atZone(ZoneId.systemDefault()))).append(' ').append(event.level().abbreviation())
          .append(' ');
      escaped(event.message(), out);
      List<?> fields = event.fields();
      int error = fields.indexOf(ERROR);
      if (error >= 0) {
        field("error", fields.get(error + 1), out);
      }
      for (int i = 0; i + 1 < fields.size(); i += 2) {
        if (i != error) {
          field(fields.get(i).toString(), fields.get(i + 1), out);
        }
      }
      out.append('\n');
    }

    private void field(String name, Object value, StringBuilder out) {
      out.append(' ').append(name).append('=');
      textValue(value.toString(), out);
    }

    private void textValue(String value, StringBuilder out) {
      boolean plain = !value.isEmpty() && value.chars().allMatch(c -> c > ' ' && c != '"' && c != '=' && c != '\\' && c != 127);
      if (plain) {
        out.append(value);
      } else {
        quoted(value, out);
      }
    }
  },
  GELF {
    @Override
    void write(LogEvent event, StringBuilder out) {
      out.append("{\"version\":\"1.1\",\"host\":");
      quoted(event.host(), out);
      long millis = event.at().toEpochMilli();
      out.append(",\"timestamp\":").append(millis / 1000).append('.');
      out.append((char) ('0' + millis % 1000 / 100)).append((char) ('0' + millis % 100 / 10)).append((char) ('0' + millis % 10));
      out.append(",\"level\":").append(event.level().syslog());
      out.append(",\"_level_name\":\"").append(event.level().name()).append("\",\"short_message\":");
      quoted(event.message(), out);
      List<?> fields = event.fields();
      for (int i = 0; i + 1 < fields.size(); i += 2) {
        out.append(",\"").append(fields.get(i)).append("\":");
        gelfValue(fields.get(i + 1), out);
      }
      out.append("}\n");
    }

    private void gelfValue(Object value, StringBuilder out) {
      if (value instanceof Number || value instanceof Boolean) {
        out.append(value);
      } else {
        quoted(value.toString(), out);
      }
    }
  };

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssXXX");
  private static final String ERROR = "_error";
  private static final String HEX = "0123456789abcdef";

  /** Appends the event as one line with its end. */
  abstract void write(LogEvent event, StringBuilder out);

  static void quoted(String text, StringBuilder out) {
    out.append('"');
    if (isPlain(text)) {
      out.append(text).append('"');
      return;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else {
        character(c, out);
      }
    }
    out.append('"');
  }

  /** Whether no character of it can need an escape. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  static void escaped(String text, StringBuilder out) {
    if (isPlain(text)) {
      out.append(text);
      return;
    }
    for (int i = 0; i < text.length(); i++) {
      character(text.charAt(i), out);
    }
  }

  /** Line ends, other control characters, and separators of lines are written as escapes. */
  private static void character(char c, StringBuilder out) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c >= ' ' && c < 127 || c > 159 && c != '\u2028' && c != '\u2029') {
          out.append(c);
        } else {
          out.append("\\u").append(HEX.charAt(c >> 12)).append(HEX.charAt(c >> 8 & 15)).append(HEX.charAt(c >> 4 & 15))
              .append(HEX.charAt(c & 15));
        }
      }
    }
  }

  /** One thing to tell: names and values of its fields in turn. */
  record LogEvent(Instant at, String host, Level level, String message, List<?> fields) {}
}

package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;

/** A layout of times as in Go: the reference time in the wanted format, as {@code 2006-01-02 15:04}. */
record TimeLayout(List<Chunk> chunks) {
  /** The meaning of a chunk of a layout. */
  enum Field {
    LITERAL, LONG_MONTH, MONTH, NUMBER_MONTH, ZERO_MONTH, LONG_WEEKDAY, WEEKDAY, DAY, UNDER_DAY, ZERO_DAY,
    UNDER_YEAR_DAY,
    ZERO_YEAR_DAY, HOUR, HOUR_12, ZERO_HOUR_12, MINUTE, ZERO_MINUTE, SECOND, ZERO_SECOND, LONG_YEAR, YEAR, UPPER_HALF,
    LOWER_HALF, ZONE_NAME, OFFSET, FRACTION, TRIMMED_FRACTION
  }

  /** @param text of the layout; of an offset its form */
  record Chunk(Field field, String text) {}

  private record Known(String text, Field field) {}

  /** In order of precedence. */
  private static final List<Known> KNOWN = List.of(new Known("January", Field.LONG_MONTH),
      new Known("Monday", Field.LONG_WEEKDAY), new Known("MST", Field.ZONE_NAME), new Known("01", Field.ZERO_MONTH),
      new Known("02", Field.ZERO_DAY),
      new Known("03", Field.ZERO_HOUR_12), new Known("04", Field.ZERO_MINUTE), new Known("05", Field.ZERO_SECOND),
      new Known("06", Field.YEAR), new Known("002", Field.ZERO_YEAR_DAY), new Known("15", Field.HOUR),
      new Known("1", Field.NUMBER_MONTH), new Known("2006", Field.LONG_YEAR), new Known("2", Field.DAY),
      new Known("__2", Field.UNDER_YEAR_DAY), new Known("_2", Field.UNDER_DAY), new Known("3", Field.HOUR_12),
      new Known("4", Field.MINUTE), new Known("5", Field.SECOND), new Known("PM", Field.UPPER_HALF),
      new Known("pm", Field.LOWER_HALF), new Known("-070000", Field.OFFSET), new Known("-07:00:00", Field.OFFSET),
      new Known("-0700", Field.OFFSET), new Known("-07:00", Field.OFFSET), new Known("-07", Field.OFFSET),
      new Known("Z070000", Field.OFFSET), new Known("Z07:00:00", Field.OFFSET), new Known("Z0700", Field.OFFSET),
      new Known("Z07:00", Field.OFFSET), new Known("Z07", Field.OFFSET));
  /** These are not recognised before a small letter. */
  private static final List<Known> WORDS = List.of(new Known("Jan", Field.MONTH), new Known("Mon", Field.WEEKDAY));

  static TimeLayout of(String text) {
    List<Chunk> chunks = new ArrayList<>();
    int literal = 0;
    int at = 0;
    while (at < text.length()) {
      Chunk chunk = chunkAt(text, at);
      if (chunk.field == Field.LITERAL) {
        at++;
        continue;
      }
      if (at > literal) {
        chunks.add(new Chunk(Field.LITERAL, text.substring(literal, at)));
      }
      chunks.add(chunk);
      at += chunk.text.length();
      literal = at;
    }
    chunks.add(new Chunk(Field.LITERAL, text.substring(literal)));
    return new TimeLayout(chunks);
  }

  private static Chunk chunkAt(String text, int at) {
    char c = text.charAt(at);
    if (c == '.' || c == ',') {
      return fraction(text, at);
    }
    if (text.startsWith("_2006", at)) {
      return new Chunk(Field.LITERAL, "_");
    }
    for (Known known : KNOWN) {
      if (text.startsWith(known.text, at)) {
        return new Chunk(known.field, known.text);
      }
    }
    for (Known word : WORDS) {
      if (text.startsWith(word.text, at) && !isSmall(text, at + word.text.length())) {
        return new Chunk(word.field, word.text);
      }
    }
    return new Chunk(Field.LITERAL, text.substring(at, at + 1));
  }

  private static boolean isSmall(String text, int at) {
    return at < text.length() && text.charAt(at) >= 'a' && text.charAt(at) <= 'z';
  }

  /** {@code .000} or {@code .999}: digits of the second. */
  private static Chunk fraction(String text, int at) {
    int end = at + 1;
    char digit = end < text.length() ? text.charAt(end) : ' ';
    while (end < text.length() && text.charAt(end) == digit) {
      end++;
    }
    boolean followed = end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9';
    if (digit != '0' && digit != '9' || followed) {
      return new Chunk(Field.LITERAL, text.substring(at, at + 1));
    }
    return new Chunk(digit == '0' ? Field.FRACTION : Field.TRIMMED_FRACTION, text.substring(at, end));
  }
}

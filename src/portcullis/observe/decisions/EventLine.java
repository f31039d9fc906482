package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;

/** Distinguishes lines about the service from those about requests. */
public final class EventLine {
  private static final byte[] TIME = bytes("{\"time\":\"");
  private static final byte[][] NAMES = {bytes("\",\"event\":"), bytes("\",\"lost\":")};

  private EventLine() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns whether a line is an event, as a start, or says how many lines are missing. */
  public static boolean is(byte[] lines, int from, int end) {
    if (!has(lines, from, end, TIME)) {
      return false;
    }
    int quote = from + TIME.length;
    while (quote < end && lines[quote] != '"') {
      quote++;
    }
    return has(lines, quote, end, NAMES[0]) || has(lines, quote, end, NAMES[1]);
  }

  private static boolean has(byte[] lines, int from, int end, byte[] text) {
    if (end - from < text.length) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (lines[from + i] != text[i]) {
        return false;
      }
    }
    return true;
  }
}

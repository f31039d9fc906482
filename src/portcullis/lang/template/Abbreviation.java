package portcullis.lang.template;

/** Shortens strings to a number of bytes, with three dots in place of what is cut off. */
final class Abbreviation {
  private static final String DOTS = "...";

  private Abbreviation() {}

  /** Cuts off the end; a width below 4 changes nothing. */
  static String end(String text, long width) {
    return width < 4 ? text : abbreviated(text, 0, width);
  }

  /** Cuts off the beginning too, where more than {@code left} bytes are in front. */
  static String both(String text, long left, long width) {
    return width < 4 || left > 0 && width < 7 ? text : abbreviated(text, left, width);
  }

  private static String abbreviated(String text, long left, long width) {
    int length = Bytes.length(text);
    if (length <= width) {
      return text;
    }
    long offset = Math.min(left, length);
    if (length - offset < width - 3) {
      offset = length - (width - 3);
    }
    if (offset <= 4) {
      return Bytes.cut(text, 0, (int) width - 3) + DOTS;
    }
    if (width < 7) {
      return "";
    }
    if (offset + width - 3 < length) {
      return DOTS + abbreviated(Bytes.cut(text, (int) offset, length), 0, width - 3);
    }
    return DOTS + Bytes.cut(text, (int) (length - (width - 3)), length);
  }
}

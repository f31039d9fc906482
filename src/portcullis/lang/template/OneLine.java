package portcullis.lang.template;

/** Messages on one line, whatever is quoted in them. */
final class OneLine {
  private static final int MOST_CHARACTERS = 400;

  private OneLine() {}

  /** Without control characters, not longer than an author wants to read. */
  static String of(String message) {
    StringBuilder out = new StringBuilder(Math.min(message.length(), MOST_CHARACTERS));
    message.codePoints().limit(MOST_CHARACTERS)
        .map(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? ' ' : c).forEach(out::appendCodePoint);
    return message.length() > MOST_CHARACTERS ? out.append('…').toString() : out.toString();
  }
}

package portcullis.observe.telemetry;

/**
 * Cuts what clients choose and logs and traces repeat: over HTTP/2 a byte can stand for a value of kilobytes. The
 * beginning and the end are kept, as proxies append to what clients have sent.
 */
public final class ShortText {
  /** The most characters of any value but those with {@link #LONG}. */
  public static final int SHORT = 512;
  /** The most characters of a path, URL or error, which people search for. */
  public static final int LONG = 2_048;

  private ShortText() {}

  /** Returns the text, with a count in place of its middle if it has more characters. */
  public static String of(String text, int most) {
    return text.length() <= most ? text : cut(text, most);
  }

  private static String cut(String text, int most) {
    int from = most / 4 * 3;
    int to = text.length() - most / 4;
    from -= Character.isHighSurrogate(text.charAt(from - 1)) ? 1 : 0;
    to += Character.isLowSurrogate(text.charAt(to)) ? 1 : 0;
    return text.substring(0, from) + "… (" + (to - from) + " characters) …" + text.substring(to);
  }
}

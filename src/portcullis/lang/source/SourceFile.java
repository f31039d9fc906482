package portcullis.lang.source;

/**
 * The content of a file with its name; immutable.
 *
 * @param content what it seems to be, found out once
 */
public record SourceFile(String name, String text, Content content) {
  /** What a text is, by which it may be quoted. */
  public enum Content {
    /** No file, but an argument of the command line or a variable, of any language. */
    ARGUMENT, MAPPING, MAPPING_WITH_KEY, KEY,
    /** It may be a password. */
    OTHER
  }

  public SourceFile(String name, String text) {
    this(name, text, WithheldText.content(text));
  }

  public static SourceFile argument(String name, String text) {
    return new SourceFile(name, text, Content.ARGUMENT);
  }

  /** Returns a line, counted from 1, without its line break; empty beyond the last one. */
  public String line(int number) {
    int start = start(number);
    return text.substring(start, end(start));
  }

  /** Returns the index at which a line begins; the length of the text beyond the last one. */
  int start(int number) {
    int start = 0;
    for (int i = 1; i < number; i++) {
      int end = end(start);
      if (end >= text.length()) {
        return text.length();
      }
      start = end + (text.startsWith("\r\n", end) ? 2 : 1);
    }
    return start;
  }

  /** Returns the end of the line that begins at the index. */
  private int end(int start) {
    int feed = text.indexOf('\n', start);
    int end = feed < 0 ? text.length() : feed;
    int carriage = text.indexOf('\r', start, end);
    return carriage < 0 ? end : carriage;
  }

  @Override
  public String toString() {
    return name;
  }
}

package portcullis.lang.source;

/** The content of a file with its name; immutable. */
public record SourceFile(String name, String text) {
  /** Returns a line, counted from 1, without its line break; empty beyond the last one. */
  public String line(int number) {
    int start = 0;
    for (int i = 1; i < number; i++) {
      int end = end(start);
      if (end >= text.length()) {
        return "";
      }
      start = end + (text.startsWith("\r\n", end) ? 2 : 1);
    }
    return text.substring(start, end(start));
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

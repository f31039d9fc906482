package portcullis.lang.source;

/** A text that was read, with the name by which its reader knows it; immutable. */
public record SourceFile(String name, String text) {
  /** The line of that number, counted from 1, without its end; empty beyond the last one. */
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

  /** Where the line that begins there ends: at a line feed, a carriage return or both. */
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

package portcullis.lang.source;

/** A string that knows where each of its characters was written; immutable. */
public interface LocatedText {
  String text();

  /**
   * Returns the place of {@code length} characters from {@code offset} on. The offset may be the length of the string.
   */
  Origin at(int offset, int length);

  default Origin at(int offset) {
    return at(offset, 1);
  }

  /** Returns the path in its document, as {@code rules[0].id}; may be empty. */
  String path();

  /** Returns a string without a file, as an argument of the command line, with places relative to itself. */
  static LocatedText of(String name, String text) {
    SourceFile file = SourceFile.argument(name, text);
    return new LocatedText() {
      @Override
      public String text() {
        return text;
      }

      @Override
      public Origin at(int offset, int length) {
        int lineStart = text.lastIndexOf('\n', offset - 1) + 1;
        int line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
        return new Origin.InFile(file, line, offset - lineStart + 1, length);
      }

      @Override
      public String path() {
        return "";
      }
    };
  }
}

package portcullis.lang.source;

/** A text that knows where each of its characters was written; immutable. */
public interface LocatedText {
  String text();

  /**
   * The place of {@code length} characters from {@code offset} on. An offset may be as large as the text is long: the
   * place behind it.
   */
  Origin at(int offset, int length);

  default Origin at(int offset) {
    return at(offset, 1);
  }

  /** The path in its document, as {@code rules[0].id}; empty where there is none. */
  String path();

  /** A text on its own, as an argument of the command line; places count within it. */
  static LocatedText of(String name, String text) {
    SourceFile file = new SourceFile(name, text);
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

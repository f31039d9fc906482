package portcullis.lang.source;

/** The place where a value was written. */
public sealed interface Origin {
  Origin BUILT_IN = new BuiltIn();

  /** Returns the beginning of a message: {@code rules/shop.yaml:14:9}, {@code environment X}; empty for a default. */
  String text();

  /** A range of characters in a file; line and column count from 1. */
  record InFile(SourceFile file, int line, int column, int length) implements Origin {
    public InFile {
      length = Math.max(1, length);
    }

    @Override
    public String text() {
      return TerminalText.of(file.name()) + ":" + line + ":" + column;
    }
  }

  /** A variable of the environment. */
  record InEnvironment(String variable) implements Origin {
    @Override
    public String text() {
      return "environment " + TerminalText.of(variable);
    }
  }

  /** A default of the program or an argument of its command line. */
  record BuiltIn() implements Origin {
    @Override
    public String text() {
      return "";
    }
  }
}

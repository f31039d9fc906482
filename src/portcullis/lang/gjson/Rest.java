package portcullis.lang.gjson;

/** The rest of a path behind its first part. */
record Rest(String path, Join join) {
  static final Rest NOTHING = new Rest("", Join.END);

  /** How the rest is joined to the first part. */
  enum Join {
    END, POINT, PIPE
  }

  static Rest behindPipe(String path) {
    return new Rest(path, Join.PIPE);
  }

  /** A modifier or a multipath behind a point means the same as behind a pipe. */
  static Rest behindPoint(String path) {
    return new Rest(path, !path.isEmpty() && isDocumentStep(path) ? Join.PIPE : Join.POINT);
  }

  private static boolean isDocumentStep(String path) {
    char c = path.charAt(0);
    return c == '[' || c == '{' || c == '@' && Modifiers.isName(PathSyntax.modifierName(path));
  }

  /** Returns whether the rest applies to each match of the first part, as it does behind a point. */
  boolean continues() {
    return join == Join.POINT;
  }
}

package portcullis.lang.template;

/**
 * A piece of a template.
 *
 * @param offset of its first character in the template
 * @param text as it was written; of a {@link Kind#ERROR} what is wrong
 * @param length of what was written
 */
record Token(Kind kind, int offset, String text, int length) {
  enum Kind {
    TEXT, LEFT_DELIMITER, RIGHT_DELIMITER, SPACE, ASSIGN, DECLARE, PIPE, DOT, FIELD, VARIABLE, IDENTIFIER, BOOL, NIL,
    NUMBER,
    COMPLEX, CHARACTER_CONSTANT, STRING, RAW_STRING, LEFT_PAREN, RIGHT_PAREN, CHARACTER, END_OF_TEXT, ERROR,
    BLOCK, BREAK, CONTINUE, DEFINE, ELSE, END, IF, RANGE, TEMPLATE, WITH
  }

  Token(Kind kind, int offset, String text) {
    this(kind, offset, text, text.length());
  }

  /** As messages show it. */
  String shown() {
    return switch (kind) {
      case END_OF_TEXT -> "end of the template";
      case SPACE -> "blank";
      default -> "`" + text + "`";
    };
  }
}

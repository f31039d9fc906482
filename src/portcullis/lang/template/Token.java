package portcullis.lang.template;

/**
 * A token of a template.
 *
 * @param offset of its first character in the template
 * @param text as it was written; of a {@link Kind#ERROR} the message
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

  /** Returns the token for messages. */
  String shown() {
    return switch (kind) {
      case END_OF_TEXT -> "end of the template";
      case SPACE -> "blank";
      default -> "`" + text + "`";
    };
  }
}

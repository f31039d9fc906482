package portcullis.lang.template;

import java.util.Map;

/** Splits a template into tokens, one at a time; for one thread. */
final class Lexer {
  private static final String LEFT = "{{";
  private static final String RIGHT = "}}";
  private static final int TRIM_MARKER = 2;
  private static final int END = -1;
  private static final Map<String, Token.Kind> WORDS = Map.ofEntries(Map.entry("block", Token.Kind.BLOCK),
      Map.entry("break", Token.Kind.BREAK), Map.entry("continue", Token.Kind.CONTINUE),
      Map.entry("define", Token.Kind.DEFINE),
      Map.entry("else", Token.Kind.ELSE), Map.entry("end", Token.Kind.END), Map.entry("if", Token.Kind.IF),
      Map.entry("range", Token.Kind.RANGE), Map.entry("template", Token.Kind.TEMPLATE),
      Map.entry("with", Token.Kind.WITH),
      Map.entry("nil", Token.Kind.NIL), Map.entry("true", Token.Kind.BOOL), Map.entry("false", Token.Kind.BOOL));

  private final String text;
  private int start;
  private int at;
  private boolean inAction;
  private int actionStart;
  private int parens;

  Lexer(String text) {
    this.text = text;
  }

  /** Returns the next token; after the last one always {@link Token.Kind#END_OF_TEXT}. */
  Token next() {
    while (!inAction) {
      if (at >= text.length()) {
        return new Token(Token.Kind.END_OF_TEXT, text.length(), "");
      }
      Token token = outside();
      if (token.length() > 0) {
        return token;
      }
    }
    start = at;
    return inside();
  }

  /**
   * Returns the text up to the next action, or the beginning of the action; of length 0 for a comment and for trimmed
   * text.
   */
  private Token outside() {
    start = at;
    int left = text.indexOf(LEFT, at);
    if (left < 0) {
      at = text.length();
      return token(Token.Kind.TEXT);
    }
    if (left == at) {
      return leftDelimiter();
    }
    int end = left;
    if (trimsLeft(left + LEFT.length())) {
      while (end > start && isSpace(text.charAt(end - 1))) {
        end--;
      }
    }
    at = left;
    return new Token(Token.Kind.TEXT, start, text.substring(start, end));
  }

  private boolean trimsLeft(int index) {
    return peek(index) == '-' && isSpace(peek(index + 1));
  }

  private Token leftDelimiter() {
    int marker = trimsLeft(at + LEFT.length()) ? TRIM_MARKER : 0;
    at += LEFT.length();
    if (text.startsWith("/*", at + marker)) {
      at += marker;
      return comment();
    }
    Token delimiter = token(Token.Kind.LEFT_DELIMITER);
    at += marker;
    inAction = true;
    actionStart = start;
    parens = 0;
    return delimiter;
  }

  private Token comment() {
    int close = text.indexOf("*/", at + 2);
    if (close < 0) {
      return error("unclosed comment", text.length());
    }
    at = close + 2;
    int delimiter = rightDelimiterAt();
    if (delimiter == 0) {
      return error("a comment ends before its action does", at);
    }
    at += delimiter;
    skipSpace(delimiter > RIGHT.length());
    return new Token(Token.Kind.TEXT, start, "");
  }

  /** Returns the length of the right delimiter that begins here, with its trim marker, or 0. */
  private int rightDelimiterAt() {
    if (trimsRight(at) && text.startsWith(RIGHT, at + TRIM_MARKER)) {
      return TRIM_MARKER + RIGHT.length();
    }
    return text.startsWith(RIGHT, at) ? RIGHT.length() : 0;
  }

  private boolean trimsRight(int index) {
    return isSpace(peek(index)) && peek(index + 1) == '-';
  }

  private Token rightDelimiter(int length) {
    at += length;
    Token delimiter = new Token(Token.Kind.RIGHT_DELIMITER, at - RIGHT.length(), RIGHT);
    inAction = false;
    skipSpace(length > RIGHT.length());
    return delimiter;
  }

  private void skipSpace(boolean trims) {
    while (trims && isSpace(peek(at))) {
      at++;
    }
  }

  private Token inside() {
    int delimiter = rightDelimiterAt();
    if (delimiter > 0) {
      return parens == 0 ? rightDelimiter(delimiter) : error("unclosed left paren", at);
    }
    int c = peek(at);
    if (c == END) {
      return unclosedAction();
    }
    if (isSpace(c)) {
      return space();
    }
    return switch (c) {
      case '"', '`', '\'' -> quoted((char) c);
      case '$' -> name(Token.Kind.VARIABLE, Token.Kind.VARIABLE);
      case '.' -> isDigit(peek(at + 1)) ? number() : name(Token.Kind.FIELD, Token.Kind.DOT);
      case '+', '-' -> number();
      default -> isDigit(c) ? number() : isWord(c) ? word() : sign(c);
    };
  }

  private Token unclosedAction() {
    return new Token(Token.Kind.ERROR, actionStart, "unclosed action", LEFT.length());
  }

  /** Skips blanks; a minus after them may begin the right delimiter, to which the last blank belongs. */
  private Token space() {
    while (isSpace(peek(at))) {
      at++;
    }
    if (trimsRight(at - 1) && text.startsWith(RIGHT, at - 1 + TRIM_MARKER)) {
      at--;
      if (at == start) {
        return inside();
      }
    }
    return token(Token.Kind.SPACE);
  }

  private Token sign(int c) {
    at += Character.charCount(c);
    return switch (c) {
      case '=' -> token(Token.Kind.ASSIGN);
      case '|' -> token(Token.Kind.PIPE);
      case ':' -> {
        if (peek(at) != '=') {
          yield error("expected `:=`", at);
        }
        at++;
        yield token(Token.Kind.DECLARE);
      }
      case '(' -> {
        parens++;
        yield token(Token.Kind.LEFT_PAREN);
      }
      case ')' -> --parens < 0 ? error("unexpected right paren", at) : token(Token.Kind.RIGHT_PAREN);
      default -> c > ' ' && c < 127 ? token(Token.Kind.CHARACTER) : error("unrecognised character in an action", at);
    };
  }

  /** Reads {@code .name} or {@code $name}, or only the sign. */
  private Token name(Token.Kind named, Token.Kind alone) {
    at++;
    if (atTerminator()) {
      return token(alone);
    }
    skipWord();
    return atTerminator() ? token(named) : badCharacter();
  }

  private Token word() {
    skipWord();
    Token.Kind kind = WORDS.getOrDefault(text.substring(start, at), Token.Kind.IDENTIFIER);
    return atTerminator() ? token(kind) : badCharacter();
  }

  private void skipWord() {
    while (isWord(peek(at))) {
      at += Character.charCount(peek(at));
    }
  }

  private Token badCharacter() {
    int c = peek(at);
    return new Token(Token.Kind.ERROR, at, "bad character `" + Character.toString(c) + "`", Character.charCount(c));
  }

  private boolean atTerminator() {
    int c = peek(at);
    return c == END || isSpace(c) || ".,|:()".indexOf(c) >= 0 || text.startsWith(RIGHT, at);
  }

  private Token quoted(char quote) {
    boolean raw = quote == '`';
    for (at++; peek(at) != quote; at++) {
      if (peek(at) == '\\' && !raw) {
        at++;
      }
      if (peek(at) == END || peek(at) == '\n' && !raw) {
        at = Math.min(at, text.length());
        return error(
            "unterminated " + (raw ? "raw quoted string" : quote == '"' ? "quoted string" : "character constant"), at);
      }
    }
    at++;
    return token(raw ? Token.Kind.RAW_STRING : quote == '"' ? Token.Kind.STRING : Token.Kind.CHARACTER_CONSTANT);
  }

  private Token number() {
    if (!scanNumber()) {
      return error("bad number syntax: `" + text.substring(start, at) + "`", at);
    }
    if (peek(at) != '+' && peek(at) != '-') {
      return token(Token.Kind.NUMBER);
    }
    if (!scanNumber() || text.charAt(at - 1) != 'i') {
      return error("bad number syntax: `" + text.substring(start, at) + "`", at);
    }
    return token(Token.Kind.COMPLEX);
  }

  private boolean scanNumber() {
    accept("+-");
    String digits = "0123456789_";
    if (accept("0")) {
      digits = accept("xX") ? "0123456789abcdefABCDEF_" : accept("oO") ? "01234567_" : accept("bB") ? "01_" : digits;
    }
    acceptRun(digits);
    if (accept(".")) {
      acceptRun(digits);
    }
    if (digits.length() == 11 && accept("eE") || digits.length() == 23 && accept("pP")) {
      accept("+-");
      acceptRun("0123456789_");
    }
    accept("i");
    if (isWord(peek(at))) {
      at += Character.charCount(peek(at));
      return false;
    }
    return true;
  }

  private boolean accept(String any) {
    boolean there = peek(at) != END && any.indexOf(peek(at)) >= 0;
    at += there ? 1 : 0;
    return there;
  }

  private void acceptRun(String any) {
    while (accept(any)) {
      // each is skipped by the test
    }
  }

  private Token token(Token.Kind kind) {
    return new Token(kind, start, text.substring(start, at));
  }

  private Token error(String message, int end) {
    return new Token(Token.Kind.ERROR, start, message, Math.max(1, end - start));
  }

  private int peek(int index) {
    return index < text.length() ? text.codePointAt(index) : END;
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWord(int c) {
    return c == '_' || c != END && (Character.isLetter(c) || Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER);
  }
}

package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Splits an expression into tokens (CEL specification, "Syntax"). Mutable, for one expression. */
final class Lexer {
  private static final Set<String> KEYWORDS = Set.of("in", "true", "false", "null");
  private static final List<String> SYMBOLS = List.of("==", "!=", "<=", ">=", "&&", "||",
      "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":", "+", "*", "/", "%");

  private final String text;
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /** Returns all tokens; the last one is the end. */
  static List<Token> tokens(String text) throws SyntaxError {
    Lexer lexer = new Lexer(text);
    List<Token> tokens = new ArrayList<>();
    lexer.skipBlanks();
    while (lexer.at < text.length()) {
      tokens.add(lexer.next());
      lexer.skipBlanks();
    }
    tokens.add(new Token(Token.Kind.END, "", Math.min(text.length(), text.stripTrailing().length()), 1));
    return tokens;
  }

  private void skipBlanks() {
    while (at < text.length()) {
      if (" \t\r\n\f".indexOf(text.charAt(at)) >= 0) {
        at++;
      } else if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        return;
      }
    }
  }

  private Token next() throws SyntaxError {
    char c = text.charAt(at);
    if (isQuote(at) || isPrefixed(at)) {
      return constant();
    }
    if (isDigit(at) || c == '.' && isDigit(at + 1)) {
      return number();
    }
    if (isNameStart(c)) {
      int end = at + 1;
      while (end < text.length() && (isNameStart(text.charAt(end)) || isDigit(end))) {
        end++;
      }
      String name = text.substring(at, end);
      return token(KEYWORDS.contains(name) ? Token.Kind.SYMBOL : Token.Kind.NAME, end);
    }
    return c == '`' ? quotedName() : symbol();
  }

  private Token token(Token.Kind kind, int end) {
    Token token = new Token(kind, text.substring(at, end), at, end - at);
    at = end;
    return token;
  }

  private static boolean isNameStart(char c) {
    return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private Token quotedName() throws SyntaxError {
    int end = text.indexOf('`', at + 1);
    boolean isName = end > at + 1 && text.substring(at + 1, end).matches("[A-Za-z0-9_./ -]+");
    if (!isName) {
      throw new SyntaxError(new SourcePosition(at, 1), "unexpected `",
          "a name in backticks has letters, digits and `_./- `");
    }
    Token token = new Token(Token.Kind.QUOTED_NAME, text.substring(at + 1, end), at, end + 1 - at);
    at = end + 1;
    return token;
  }

  private Token symbol() throws SyntaxError {
    for (String symbol : SYMBOLS) {
      if (text.startsWith(symbol, at)) {
        return token(Token.Kind.SYMBOL, at + symbol.length());
      }
    }
    String shown = Character.toString(text.codePointAt(at));
    throw new SyntaxError(new SourcePosition(at, 1), "unexpected `" + DisplayNames.cut(shown) + "`", switch (shown) {
      case "=", "&", "|" -> "did you mean `" + shown + shown + "`?";
      case ";" -> "an expression ends without";
      default -> "";
    });
  }

  // --- numbers

  private Token number() {
    if (text.startsWith("0x", at) && hexEnd(at + 2) > at + 2) {
      return whole(hexEnd(at + 2));
    }
    int end = digitsEnd(at);
    boolean fraction = end < text.length() && text.charAt(end) == '.' && isDigit(end + 1);
    int mantissa = fraction ? digitsEnd(end + 1) : end;
    int exponent = exponentEnd(mantissa);
    return fraction || exponent > mantissa ? token(Token.Kind.DOUBLE, exponent) : whole(end);
  }

  private Token whole(int end) {
    boolean unsigned = end < text.length() && (text.charAt(end) | 32) == 'u';
    return token(unsigned ? Token.Kind.UINT : Token.Kind.INT, unsigned ? end + 1 : end);
  }

  private int digitsEnd(int from) {
    int end = from;
    while (isDigit(end)) {
      end++;
    }
    return end;
  }

  private int hexEnd(int from) {
    int end = from;
    while (end < text.length() && "0123456789abcdefABCDEF".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  private int exponentEnd(int from) {
    if (from >= text.length() || (text.charAt(from) | 32) != 'e') {
      return from;
    }
    boolean signed = from + 1 < text.length() && "+-".indexOf(text.charAt(from + 1)) >= 0;
    int digits = from + (signed ? 2 : 1);
    return isDigit(digits) ? digitsEnd(digits) : from;
  }

  // --- strings and bytes

  private boolean isQuote(int index) {
    return index < text.length() && (text.charAt(index) == '"' || text.charAt(index) == '\'');
  }

  /** Returns whether {@code r}, {@code b} or {@code br} before a quote begins here. */
  private boolean isPrefixed(int index) {
    int first = text.charAt(index) | 32;
    int second = index + 1 < text.length() ? text.charAt(index + 1) | 32 : 0;
    return (first == 'r' || first == 'b') && isQuote(index + 1) || first == 'b' && second == 'r' && isQuote(index + 2);
  }

  private Token constant() throws SyntaxError {
    boolean bytes = (text.charAt(at) | 32) == 'b';
    int start = bytes ? at + 1 : at;
    boolean raw = (text.charAt(start) | 32) == 'r';
    start += raw ? 1 : 0;
    String quote = text.substring(start, start + 1);
    String mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    int i = start + mark.length();
    while (!text.startsWith(mark, i)) {
      boolean ends = i >= text.length() || mark.length() == 1 && "\r\n".indexOf(text.charAt(i)) >= 0;
      if (ends) {
        throw new SyntaxError(new SourcePosition(at, start + mark.length() - at),
            "the text that begins here has no end", "");
      }
      i += text.charAt(i) == '\\' && !raw ? 2 : 1;
    }
    return token(bytes ? Token.Kind.BYTES : Token.Kind.TEXT, i + mark.length());
  }
}

package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;

/** The tokens of a template, read one after the other with steps back. */
final class Tokens {
  private final List<Token> all = new ArrayList<>();
  private int at;

  Tokens(String text) {
    Lexer lexer = new Lexer(text);
    Token token;
    do {
      token = lexer.next();
      all.add(token);
    } while (token.kind() != Token.Kind.END_OF_TEXT && token.kind() != Token.Kind.ERROR);
  }

  /** The last token comes again and again. */
  Token next() {
    Token token = peek();
    at++;
    return token;
  }

  Token peek() {
    return all.get(Math.min(at, all.size() - 1));
  }

  Token nextNonSpace() {
    skipSpace();
    return next();
  }

  Token peekNonSpace() {
    skipSpace();
    return peek();
  }

  private void skipSpace() {
    while (peek().kind() == Token.Kind.SPACE) {
      at++;
    }
  }

  int position() {
    return at;
  }

  void back(int position) {
    at = position;
  }

  /** The token that was read last. */
  Token last() {
    return all.get(Math.clamp(at - 1L, 0, all.size() - 1));
  }

  Token expect(Token.Kind kind, String context) throws SyntaxFault {
    Token token = nextNonSpace();
    if (token.kind() != kind) {
      throw unexpected(token, context);
    }
    return token;
  }

  static SyntaxFault unexpected(Token token, String context) {
    return token.kind() == Token.Kind.ERROR ? new SyntaxFault(Span.of(token), token.text(), hint(token))
        : new SyntaxFault(Span.of(token), "unexpected " + token.shown() + " in " + context);
  }

  private static String hint(Token error) {
    return switch (error.text()) {
      case "unclosed action" -> "`}}` closes it";
      case "unclosed comment" -> "`*/` ends it";
      case "unclosed left paren" -> "`)` closes it";
      case "unterminated quoted string" -> "a quote ends it";
      default -> "";
    };
  }
}

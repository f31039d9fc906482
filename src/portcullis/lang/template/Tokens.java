package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;

/** Reads the tokens of a template with backtracking. */
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

  /** Returns the next token, at the end always the last one. */
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

  /** Returns the token that was read last. */
  Token last() {
    return all.get(Math.clamp(at - 1L, 0, all.size() - 1));
  }

  Token expect(Token.Kind kind, String context) throws TemplateSyntaxException {
    Token token = nextNonSpace();
    if (token.kind() != kind) {
      throw unexpected(token, context);
    }
    return token;
  }

  static TemplateSyntaxException unexpected(Token token, String context) {
    return token.kind() == Token.Kind.ERROR ? new TemplateSyntaxException(Span.of(token), token.text(), hint(token))
        : new TemplateSyntaxException(Span.of(token), "unexpected " + token.shown() + " in " + context,
            token.text().equals("}") ? "an action ends with `}}`" : "");
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

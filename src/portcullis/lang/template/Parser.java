package portcullis.lang.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses a template to its definitions, as Go's text/template does; for one thread. */
final class Parser {
  /** The name of the template itself, which can be invoked. */
  static final String ROOT = "Heimdall";
  private static final int DEEPEST = 100;

  private final Tokens tokens;
  private final Map<String, Definition> definitions = new LinkedHashMap<>();
  private PipelineParser pipelines;
  private Scope scope = new Scope();
  private int ranges;
  private int depth;

  private Parser(Tokens tokens) {
    this.tokens = tokens;
    this.pipelines = new PipelineParser(tokens, scope);
  }

  /** Returns the definitions by name; that of the template itself is {@link #ROOT}. */
  static Map<String, Definition> definitions(String text) throws TemplateSyntaxException {
    Parser parser = new Parser(new Tokens(text));
    parser.root();
    return parser.definitions;
  }

  /** A list of statements and the token that ended it. */
  private record Ended(List<Statement> statements, Token by) {
    boolean byElse() {
      return by.kind() == Token.Kind.ELSE;
    }
  }

  private void root() throws TemplateSyntaxException {
    List<Statement> statements = new ArrayList<>();
    while (tokens.peek().kind() != Token.Kind.END_OF_TEXT) {
      int before = tokens.position();
      if (tokens.next().kind() == Token.Kind.LEFT_DELIMITER && tokens.nextNonSpace().kind() == Token.Kind.DEFINE) {
        define();
      } else {
        tokens.back(before);
        statement(statements);
      }
    }
    define(ROOT, new Definition(statements, scope.slots()), new Span(0, 1));
  }

  private void statement(List<Statement> into) throws TemplateSyntaxException {
    Token stop = textOrAction(into);
    if (stop.kind() != Token.Kind.TEXT) {
      throw new TemplateSyntaxException(Span.of(stop), "unexpected `" + stop.text() + "`");
    }
  }

  private void define() throws TemplateSyntaxException {
    Token opening = tokens.last();
    Token name = tokens.nextNonSpace();
    String unquoted = templateName(name, "define clause");
    tokens.expect(Token.Kind.RIGHT_DELIMITER, "define clause");
    define(unquoted, body(opening), Span.of(name));
  }

  private void define(String name, Definition definition, Span at) throws TemplateSyntaxException {
    Definition known = definitions.get(name);
    if (known == null || known.isEmpty()) {
      definitions.put(name, definition);
    } else if (!definition.isEmpty()) {
      throw new TemplateSyntaxException(at, "template `" + name + "` is defined twice");
    }
  }

  /** Parses a body, which has its own variables and is outside of a range. */
  private Definition body(Token opening) throws TemplateSyntaxException {
    Scope outer = scope;
    int outerRanges = ranges;
    enter(new Scope(), 0);
    Ended ended = statements(opening);
    if (ended.byElse()) {
      throw new TemplateSyntaxException(Span.of(ended.by), "unexpected `else` in `" + opening.text() + "`");
    }
    Definition definition = new Definition(ended.statements, scope.slots());
    enter(outer, outerRanges);
    return definition;
  }

  private void enter(Scope entered, int rangesAround) {
    scope = entered;
    ranges = rangesAround;
    pipelines = new PipelineParser(tokens, entered);
  }

  private String templateName(Token token, String context) throws TemplateSyntaxException {
    return switch (token.kind()) {
      case STRING, RAW_STRING -> Literals.text(token);
      default -> throw Tokens.unexpected(token, context);
    };
  }

  /** Parses statements up to {@code end} or {@code else}. */
  private Ended statements(Token opening) throws TemplateSyntaxException {
    if (++depth > DEEPEST) {
      throw new TemplateSyntaxException(Span.of(opening), "actions are nested too deeply");
    }
    List<Statement> out = new ArrayList<>();
    while (tokens.peekNonSpace().kind() != Token.Kind.END_OF_TEXT) {
      Token stop = textOrAction(out);
      if (stop.kind() != Token.Kind.TEXT) {
        depth--;
        return new Ended(List.copyOf(out), stop);
      }
    }
    throw new TemplateSyntaxException(Span.of(opening), "`" + opening.text() + "` has no `end`");
  }

  /** Returns the keyword that ends a list of statements, or a token of text. */
  private Token textOrAction(List<Statement> into) throws TemplateSyntaxException {
    Token token = tokens.nextNonSpace();
    return switch (token.kind()) {
      case TEXT -> {
        into.add(new Statement.Text(token.text()));
        yield token;
      }
      case LEFT_DELIMITER -> action(into);
      default -> throw Tokens.unexpected(token, "a template");
    };
  }

  private Token action(List<Statement> into) throws TemplateSyntaxException {
    int before = tokens.position();
    Token token = tokens.nextNonSpace();
    switch (token.kind()) {
      case END -> {
        tokens.expect(Token.Kind.RIGHT_DELIMITER, "end");
        return token;
      }
      case ELSE -> {
        Token next = tokens.peekNonSpace();
        if (next.kind() != Token.Kind.IF && next.kind() != Token.Kind.WITH) {
          tokens.expect(Token.Kind.RIGHT_DELIMITER, "else");
        }
        return token;
      }
      case IF, WITH, RANGE -> into.add(control(token));
      case BREAK, CONTINUE -> into.add(jump(token));
      case TEMPLATE -> into.add(invoke(token));
      case BLOCK -> into.add(block(token));
      default -> {
        tokens.back(before);
        into.add(new Statement.Action(pipelines.pipeline("command", Token.Kind.RIGHT_DELIMITER)));
      }
    }
    return new Token(Token.Kind.TEXT, token.offset(), "");
  }

  private Statement jump(Token token) throws TemplateSyntaxException {
    tokens.expect(Token.Kind.RIGHT_DELIMITER, token.text());
    if (ranges == 0) {
      throw new TemplateSyntaxException(Span.of(token), "`" + token.text() + "` outside of a range");
    }
    return token.kind() == Token.Kind.BREAK ? new Statement.Break() : new Statement.Continue();
  }

  private Statement control(Token token) throws TemplateSyntaxException {
    int mark = scope.mark();
    boolean loops = token.kind() == Token.Kind.RANGE;
    Pipeline pipeline = pipelines.pipeline(token.text(), Token.Kind.RIGHT_DELIMITER);
    ranges += loops ? 1 : 0;
    Ended then = statements(token);
    ranges -= loops ? 1 : 0;
    List<Statement> otherwise = then.byElse() ? otherwise(token) : List.of();
    scope.reset(mark);
    return switch (token.kind()) {
      case IF -> new Statement.If(pipeline, then.statements, otherwise);
      case WITH -> new Statement.With(pipeline, then.statements, otherwise);
      default -> new Statement.Range(pipeline, then.statements, otherwise);
    };
  }

  /** Parses the branch after {@code else}, which may be {@code else if} or {@code else with}. */
  private List<Statement> otherwise(Token token) throws TemplateSyntaxException {
    Token next = tokens.peekNonSpace();
    boolean open = tokens.last().kind() != Token.Kind.RIGHT_DELIMITER;
    if (open && next.kind() != token.kind()) {
      throw Tokens.unexpected(next, "`else` of `" + token.text() + "`");
    }
    if (open) {
      if (++depth > DEEPEST) {
        throw new TemplateSyntaxException(Span.of(next), "actions are nested too deeply");
      }
      tokens.nextNonSpace();
      Statement chained = control(next);
      depth--;
      return List.of(chained);
    }
    Ended ended = statements(token);
    if (ended.byElse()) {
      throw new TemplateSyntaxException(Span.of(ended.by), "a second `else`, expected `end`");
    }
    return ended.statements;
  }

  private Statement invoke(Token token) throws TemplateSyntaxException {
    Token name = tokens.nextNonSpace();
    String unquoted = templateName(name, "template clause");
    Span at = Span.of(token).to(Span.of(name));
    if (tokens.peekNonSpace().kind() == Token.Kind.RIGHT_DELIMITER) {
      tokens.nextNonSpace();
      return new Statement.Invoke(at, unquoted, List.of());
    }
    return new Statement.Invoke(at, unquoted,
        List.of(pipelines.pipeline("template clause", Token.Kind.RIGHT_DELIMITER)));
  }

  private Statement block(Token token) throws TemplateSyntaxException {
    Token name = tokens.nextNonSpace();
    String unquoted = templateName(name, "block clause");
    Pipeline argument = pipelines.pipeline("block clause", Token.Kind.RIGHT_DELIMITER);
    define(unquoted, body(token), Span.of(name));
    return new Statement.Invoke(Span.of(token).to(Span.of(name)), unquoted, List.of(argument));
  }
}

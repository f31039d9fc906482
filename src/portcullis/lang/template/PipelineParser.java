package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Nearest;

/** Parses pipelines: the content of actions except for their keywords. */
final class PipelineParser {
  /** The names of functions in other languages. */
  private static final Map<String, String> ELSEWHERE = Map.of("upcase", "upper", "uppercase", "upper", "toupper",
      "upper", "downcase", "lower", "lowercase", "lower", "tolower", "lower", "strip", "trim", "urlencode", "urlenc",
      "json", "toJson", "base64", "b64enc");

  private static final int DEEPEST = 100;

  private final Tokens tokens;
  private final Scope scope;
  private int depth;

  PipelineParser(Tokens tokens, Scope scope) {
    this.tokens = tokens;
    this.scope = scope;
  }

  /** {@code [variables (":=" | "=")] command {"|" command} end} */
  Pipeline pipeline(String context, Token.Kind end) throws TemplateSyntaxException {
    if (++depth > DEEPEST) {
      throw new TemplateSyntaxException(Span.of(tokens.peek()), "parentheses are nested too deeply");
    }
    Span start = Span.of(tokens.peekNonSpace());
    Declarations declarations = declarations(context);
    List<Pipeline.Command> commands = new ArrayList<>();
    while (tokens.peekNonSpace().kind() != end) {
      if (!beginsOperand(tokens.peek().kind())) {
        throw Tokens.unexpected(tokens.peek(), context);
      }
      commands.add(command());
    }
    Token close = tokens.nextNonSpace();
    check(commands, context, start, close);
    depth--;
    Span last = commands.getLast().at();
    return new Pipeline(start.to(last), slots(declarations), declarations.assigns, List.copyOf(commands));
  }

  private static void check(List<Pipeline.Command> commands, String context, Span start, Token close)
      throws TemplateSyntaxException {
    if (commands.isEmpty()) {
      throw new TemplateSyntaxException(start.to(Span.of(close)), "missing value for " + context);
    }
    for (Pipeline.Command command : commands.subList(1, commands.size())) {
      switch (command.terms().getFirst()) {
        case Term.Dot _, Term.Nil _, Term.Literal _, Term.Number _ -> throw new TemplateSyntaxException(command.at(),
            "only a function or a member can follow `|`");
        case Term.Field _, Term.Variable _, Term.Name _, Term.Chain _, Term.Group _ -> {
        }
      }
    }
  }

  private record Declarations(List<String> names, boolean assigns) {
    static final Declarations NONE = new Declarations(List.of(), false);
  }

  private Declarations declarations(String context) throws TemplateSyntaxException {
    int start = tokens.position();
    List<Token> names = new ArrayList<>();
    while (tokens.peekNonSpace().kind() == Token.Kind.VARIABLE) {
      names.add(tokens.next());
      Token sign = tokens.peekNonSpace();
      if (sign.kind() == Token.Kind.ASSIGN || sign.kind() == Token.Kind.DECLARE) {
        tokens.nextNonSpace();
        names.forEach(name -> scope.announce(name.text()));
        return new Declarations(names.stream().map(Token::text).toList(), sign.kind() == Token.Kind.ASSIGN);
      }
      if (sign.kind() != Token.Kind.CHARACTER || !sign.text().equals(",")) {
        break;
      }
      tokens.nextNonSpace();
      checkSecond(names, sign, context);
    }
    return undeclared(names, start);
  }

  private void checkSecond(List<Token> names, Token comma, String context) throws TemplateSyntaxException {
    if (!context.equals("range") || names.size() > 1) {
      throw new TemplateSyntaxException(Span.of(names.getFirst()).to(Span.of(comma)),
          "too many variables in " + context);
    }
    switch (tokens.peekNonSpace().kind()) {
      case VARIABLE, RIGHT_DELIMITER, RIGHT_PAREN -> {
      }
      default -> throw new TemplateSyntaxException(Span.of(tokens.peek()), "range can only set variables");
    }
  }

  /** Returns to the variable, which is an argument rather than a declaration; no comma may follow it. */
  private Declarations undeclared(List<Token> names, int start) throws TemplateSyntaxException {
    if (names.size() > 1) {
      throw new TemplateSyntaxException(Span.of(names.getFirst()).to(Span.of(names.getLast())),
          "expected `:=` after the "
              + "variables");
    }
    if (names.size() == 1 && tokens.last().kind() == Token.Kind.CHARACTER) {
      throw new TemplateSyntaxException(Span.of(names.getFirst()), "missing value for range");
    }
    tokens.back(start);
    return Declarations.NONE;
  }

  private List<Integer> slots(Declarations of) {
    return of.names.stream().map(name -> of.assigns ? scope.slot(name) : scope.declare(name)).toList();
  }

  /** {@code operand {blank operand}} up to {@code |} or the end of the pipeline. */
  private Pipeline.Command command() throws TemplateSyntaxException {
    List<Term> terms = new ArrayList<>();
    boolean more = true;
    while (more) {
      if (beginsOperand(tokens.peekNonSpace().kind())) {
        terms.add(operand());
      }
      Token token = tokens.peek();
      switch (token.kind()) {
        case SPACE -> tokens.next();
        case PIPE -> {
          tokens.next();
          more = false;
        }
        case RIGHT_DELIMITER, RIGHT_PAREN -> more = false;
        case LEFT_PAREN -> throw new TemplateSyntaxException(Span.of(token), "unexpected `(` in operand",
            "arguments follow a blank, as in `.Request.Header \"X\"`");
        default -> throw Tokens.unexpected(token, "operand");
      }
    }
    return new Pipeline.Command(terms.getFirst().at().to(terms.getLast().at()), List.copyOf(terms));
  }

  private static boolean beginsOperand(Token.Kind kind) {
    return switch (kind) {
      case BOOL, CHARACTER_CONSTANT, COMPLEX, DOT, FIELD, IDENTIFIER, NUMBER, NIL, RAW_STRING, STRING, VARIABLE,
          LEFT_PAREN ->
        true;
      default -> false;
    };
  }

  /** {@code term {field}} */
  private Term operand() throws TemplateSyntaxException {
    Term term = term();
    if (tokens.peek().kind() != Token.Kind.FIELD) {
      return term;
    }
    Token first = tokens.peek();
    List<String> names = new ArrayList<>();
    Span at = term.at();
    while (tokens.peek().kind() == Token.Kind.FIELD) {
      at = at.to(Span.of(tokens.peek()));
      names.add(tokens.next().text().substring(1));
    }
    return switch (term) {
      case Term.Field field -> new Term.Field(at, joined(field.names(), names));
      case Term.Variable v -> new Term.Variable(at, v.name(), v.slot(), joined(v.names(), names));
      case Term.Name _, Term.Chain _, Term.Group _ -> new Term.Chain(at, term, List.copyOf(names));
      case Term.Dot _, Term.Nil _, Term.Literal _, Term.Number _ ->
        throw new TemplateSyntaxException(Span.of(first), "unexpected `.` after a value that has no members");
    };
  }

  private static List<String> joined(List<String> names, List<String> more) {
    List<String> all = new ArrayList<>(names);
    all.addAll(more);
    return List.copyOf(all);
  }

  private Term term() throws TemplateSyntaxException {
    Token token = tokens.next();
    Span at = Span.of(token);
    return switch (token.kind()) {
      case IDENTIFIER -> new Term.Name(at, function(token));
      case DOT -> new Term.Dot(at);
      case NIL -> new Term.Nil(at);
      case VARIABLE -> variable(token);
      case FIELD -> new Term.Field(at, List.of(token.text().substring(1)));
      case BOOL -> new Term.Literal(at, Item.of(token.text().equals("true")));
      case STRING, RAW_STRING -> new Term.Literal(at, Item.of(Literals.text(token)));
      case CHARACTER_CONSTANT, COMPLEX, NUMBER -> new Term.Number(at, NumberLiteral.of(token));
      case LEFT_PAREN -> {
        Pipeline pipeline = pipeline("parenthesised pipeline", Token.Kind.RIGHT_PAREN);
        yield new Term.Group(at.to(Span.of(tokens.last())), pipeline);
      }
      default -> throw Tokens.unexpected(token, "operand");
    };
  }

  private Term variable(Token token) throws TemplateSyntaxException {
    if (!scope.knows(token.text())) {
      throw new TemplateSyntaxException(Span.of(token), "undefined variable `" + token.text() + "`");
    }
    return new Term.Variable(Span.of(token), token.text(), scope.slot(token.text()), List.of());
  }

  private static Function function(Token token) throws TemplateSyntaxException {
    String name = token.text();
    if (UnsupportedFunctions.reason(name).isPresent()) {
      throw new TemplateSyntaxException(Span.of(token),
          "function `" + name + "` is not supported: " + UnsupportedFunctions.reason(name).get());
    }
    return Functions.named(name)
        .orElseThrow(() -> new TemplateSyntaxException(Span.of(token), "unknown function `" + name + "`",
            Optional.ofNullable(ELSEWHERE.get(name.toLowerCase(Locale.ROOT)))
                .or(() -> Nearest.of(name, Functions.names()))
                .map(n -> "did you mean `" + n + "`?").orElse("known are those of Go templates and of Sprig")));
  }
}

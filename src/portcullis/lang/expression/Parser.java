package portcullis.lang.expression;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Reads expressions by the grammar of CEL (its specification, "Syntax"), cited at each method. For one text. */
final class Parser {
  private static final int LONGEST = 20_000;
  private static final int DEEPEST = 100;
  private static final Set<String> RESERVED = Set.of("as", "break", "const", "continue", "else", "for", "function",
      "if",
      "import", "let", "loop", "package", "namespace", "return", "var", "void", "while");
  private static final Set<String> RELATIONS = Set.of("==", "!=", "<", "<=", ">", ">=", "in");

  private final List<Token> tokens;
  private final List<SourcePosition> places = new ArrayList<>();
  private int next;
  private int depth;

  private Parser(List<Token> tokens) {
    this.tokens = tokens;
  }

  /** Returns an empty optional exactly if a problem was added. */
  static Optional<Parsed> parse(LocatedText located, Problems problems) {
    String text = located.text();
    try {
      if (text.length() > LONGEST) {
        throw new SyntaxError(new SourcePosition(0, 1), "the expression has more than " + LONGEST + " characters", "");
      }
      Parser parser = new Parser(Lexer.tokens(text));
      return Optional.of(parser.whole());
    } catch (SyntaxError e) {
      problems.error(located.at(e.place().offset(), e.place().length()), located.path(), e.getMessage(), e.hint());
      return Optional.empty();
    }
  }

  private Parsed whole() throws SyntaxError {
    if (tokens.size() == 1) {
      throw new SyntaxError(new SourcePosition(0, 1), "the expression is empty", "");
    }
    Syntax root = expression();
    if (peek().kind() != Token.Kind.END) {
      throw unexpected();
    }
    checkDepth(root);
    return new Parsed(root, places);
  }

  // --- tokens and places

  private Token peek() {
    return tokens.get(next);
  }

  private Token take() {
    return tokens.get(next++);
  }

  private boolean accept(String symbol) {
    boolean there = peek().is(symbol);
    next += there ? 1 : 0;
    return there;
  }

  private SyntaxError unexpected() {
    Token token = peek();
    if (token.kind() == Token.Kind.END) {
      return new SyntaxError(token.place(), "the expression ends too early", "something is missing here");
    }
    boolean optional = token.is("?") && next > 0 && Set.of(".", "[", "{", ",").contains(tokens.get(next - 1).text());
    return new SyntaxError(token.place(), "unexpected `" + DisplayNames.cut(token.text()) + "`",
        optional ? "there are no optional values: test with `has(…)`" : expected());
  }

  /** Returns what can stand here instead. */
  private String expected() {
    boolean value = next > 0 && switch (tokens.get(next - 1).kind()) {
      case SYMBOL -> Set.of(")", "]", "}").contains(tokens.get(next - 1).text());
      default -> true;
    };
    return value ? "an operator such as `==` or `&&` is missing before it, or a quote or bracket around it"
        : "a value is expected here";
  }

  /** Returns the closing bracket. */
  private void close(Token open, String symbol) throws SyntaxError {
    if (!accept(symbol)) {
      throw peek().kind() == Token.Kind.END ? new SyntaxError(open.place(), "`" + open.text() + "` is not closed", "")
          : unexpected();
    }
  }

  int number(SourcePosition place) {
    places.add(place);
    return places.size() - 1;
  }

  SourcePosition place(Syntax part) {
    return places.get(part.id());
  }

  private static SyntaxError tooDeep(SourcePosition place) {
    return new SyntaxError(place, "the expression is nested too deeply here", "split it");
  }

  /** A syntax node and its depth. */
  private record Level(Syntax part, int depth) {}

  /** Checks the depth of the tree, which long chains of operators increase too. */
  private void checkDepth(Syntax root) throws SyntaxError {
    Deque<Level> levels = new ArrayDeque<>(List.of(new Level(root, 1)));
    while (!levels.isEmpty()) {
      Level level = levels.pop();
      if (level.depth() > DEEPEST) {
        throw tooDeep(place(level.part()));
      }
      Children.of(level.part()).forEach(child -> levels.push(new Level(child, level.depth() + 1)));
    }
  }

  // --- operators

  /** {@code Expr = ConditionalOr ["?" ConditionalOr ":" Expr]}. */
  private Syntax expression() throws SyntaxError {
    if (++depth > DEEPEST) {
      throw tooDeep(peek().place());
    }
    Syntax test = logic(false);
    if (peek().is("?")) {
      int id = number(take().place());
      Syntax yes = logic(false);
      colon();
      test = new Syntax.Call(id, Optional.empty(), "_?_:_", List.of(test, yes, expression()));
    }
    depth--;
    return test;
  }

  /** {@code ConditionalOr = ConditionalAnd {"||" ConditionalAnd}; ConditionalAnd = Relation {"&&" Relation}}. */
  private Syntax logic(boolean and) throws SyntaxError {
    List<Syntax> operands = new ArrayList<>();
    List<Integer> operators = new ArrayList<>();
    operands.add(and ? relation() : logic(true));
    while (peek().is(and ? "&&" : "||")) {
      operators.add(number(take().place()));
      operands.add(and ? relation() : logic(true));
    }
    return operators.isEmpty() ? operands.getFirst() : new Syntax.Logic(and, operands, operators);
  }

  /** {@code Relation = Addition {RelOp Addition}}. */
  private Syntax relation() throws SyntaxError {
    return chain(RELATIONS, () -> chain(Set.of("+", "-"), () -> chain(Set.of("*", "/", "%"), this::unary)));
  }

  @FunctionalInterface
  private interface Reading {
    Syntax read() throws SyntaxError;
  }

  /** Parses left-associative operators of one precedence. */
  private Syntax chain(Set<String> operators, Reading operand) throws SyntaxError {
    Syntax left = operand.read();
    while (peek().kind() == Token.Kind.SYMBOL && operators.contains(peek().text())) {
      Token operator = take();
      String function = operator.is("in") ? "@in" : "_" + operator.text() + "_";
      int id = number(operator.place());
      left = new Syntax.Call(id, Optional.empty(), function, List.of(left, operand.read()));
    }
    return left;
  }

  /** {@code Unary = Member | "!" {"!"} Member | "-" {"-"} Member}; an even number of either cancels out. */
  private Syntax unary() throws SyntaxError {
    Token first = peek();
    boolean isSign = first.is("-") && Set.of(Token.Kind.INT, Token.Kind.DOUBLE).contains(tokens.get(next + 1).kind());
    if (isSign || !first.is("!") && !first.is("-")) {
      return member();
    }
    int count = 0;
    while (accept(first.text())) {
      count++;
    }
    int id = number(first.place());
    Syntax operand = member();
    return count % 2 == 0 ? operand : new Syntax.Call(id, Optional.empty(), first.text() + "_", List.of(operand));
  }

  // --- members

  /** {@code Member = Primary {"." NAME ["(" [List] ")"] | "." QUOTED | "[" Expr "]"}}. */
  private Syntax member() throws SyntaxError {
    Syntax part = primary();
    while (peek().is(".") || peek().is("[")) {
      part = peek().is(".") ? selected(part) : indexed(part);
    }
    return part;
  }

  private Syntax indexed(Syntax operand) throws SyntaxError {
    Token open = take();
    int id = number(open.place());
    Syntax index = expression();
    close(open, "]");
    return new Syntax.Call(id, Optional.empty(), "_[_]", List.of(operand, index));
  }

  private Syntax selected(Syntax operand) throws SyntaxError {
    take();
    Token name = peek();
    if (name.kind() == Token.Kind.QUOTED_NAME) {
      return new Syntax.Select(number(take().place()), operand, name.text());
    }
    if (name.kind() != Token.Kind.NAME) {
      throw unexpected();
    }
    int id = number(take().place());
    if (peek().is("(")) {
      List<Syntax> arguments = list(")");
      Optional<Syntax> macro = new Macros(this).ofReceiver(id, operand, name.text(), arguments);
      return macro.orElseGet(() -> new Syntax.Call(id, Optional.of(operand), name.text(), arguments));
    }
    Syntax.Select select = new Syntax.Select(id, operand, name.text());
    return peek().is("{") && select.qualified().isPresent() ? object(select) : select;
  }

  // --- primaries

  /**
   * {@code Primary = ["."] NAME ["(" [List] ")"] | "(" Expr ")" | "[" [List] "]" | "{" [Entries] "}" | Object |
   * Literal}.
   */
  private Syntax primary() throws SyntaxError {
    Token token = peek();
    return switch (token.kind()) {
      case NAME -> name(take(), "");
      case SYMBOL -> switch (token.text()) {
        case "(" -> nested();
        case "[" -> new Syntax.ListOf(number(token.place()), list("]"));
        case "{" -> map();
        case "." -> rooted();
        case "-", "true", "false", "null" -> constant(take());
        default -> throw unexpected();
      };
      case INT, UINT, DOUBLE, TEXT, BYTES -> constant(take());
      case QUOTED_NAME, END -> throw unexpected();
    };
  }

  private Syntax rooted() throws SyntaxError {
    take();
    if (peek().kind() != Token.Kind.NAME) {
      throw unexpected();
    }
    return name(take(), ".");
  }

  private Syntax nested() throws SyntaxError {
    Token open = take();
    Syntax inner = expression();
    close(open, ")");
    return inner;
  }

  private Syntax name(Token token, String prefix) throws SyntaxError {
    if (RESERVED.contains(token.text())) {
      throw new SyntaxError(token.place(), "`" + token.text() + "` is a reserved word", "");
    }
    int id = number(token.place());
    String name = prefix + token.text();
    if (peek().is("(")) {
      List<Syntax> arguments = list(")");
      Optional<Syntax> macro = new Macros(this).ofFunction(name, arguments);
      return macro.orElseGet(() -> new Syntax.Call(id, Optional.empty(), name, arguments));
    }
    Syntax.Name plain = new Syntax.Name(id, name);
    return peek().is("{") ? object(plain) : plain;
  }

  /** {@code List = Expr {"," Expr}}, in brackets; a list may end with a comma. */
  private List<Syntax> list(String end) throws SyntaxError {
    List<Syntax> elements = new ArrayList<>();
    items(end, end.equals("]"), () -> elements.add(expression()));
    return elements;
  }

  @FunctionalInterface
  private interface Item {
    void read() throws SyntaxError;
  }

  /** Parses comma-separated expressions up to the closing bracket. */
  private void items(String end, boolean lastComma, Item item) throws SyntaxError {
    Token open = take();
    boolean more = !peek().is(end) && !(lastComma && peek().is(",") && tokens.get(next + 1).is(end) && accept(","));
    while (more) {
      item.read();
      more = accept(",") && !(lastComma && peek().is(end));
    }
    close(open, end);
  }

  /** {@code Entries = Expr ":" Expr {"," Expr ":" Expr} [","]}. */
  private Syntax map() throws SyntaxError {
    int id = number(peek().place());
    List<Syntax.Entry> entries = new ArrayList<>();
    items("}", true, () -> {
      Syntax key = expression();
      entries.add(new Syntax.Entry(number(colon().place()), key, expression()));
    });
    return new Syntax.MapOf(id, entries);
  }

  private Token colon() throws SyntaxError {
    if (!peek().is(":")) {
      throw unexpected();
    }
    return take();
  }

  /** {@code Object = ["."] NAME {"." NAME} "{" [NAME ":" Expr {"," NAME ":" Expr} [","]] "}"}. */
  private Syntax object(Syntax type) throws SyntaxError {
    List<Syntax.Field> fields = new ArrayList<>();
    items("}", true, () -> {
      Token field = peek();
      boolean isName = field.kind() == Token.Kind.NAME || field.kind() == Token.Kind.QUOTED_NAME;
      if (!isName) {
        throw unexpected();
      }
      int id = number(take().place());
      colon();
      fields.add(new Syntax.Field(id, field.text(), expression()));
    });
    return new Syntax.ObjectOf(type.id(), type.qualified().orElseThrow(), fields);
  }

  /** {@code Literal = ["-"] INT | UINT | ["-"] DOUBLE | TEXT | BYTES | "true" | "false" | "null"}. */
  private Syntax constant(Token token) throws SyntaxError {
    if (!token.is("-")) {
      return new Syntax.Constant(number(token.place()), Literals.read(token, ""));
    }
    Token number = peek();
    if (number.kind() != Token.Kind.INT && number.kind() != Token.Kind.DOUBLE) {
      throw unexpected();
    }
    SourcePosition both = new SourcePosition(token.offset(), number.offset() + number.length() - token.offset());
    return new Syntax.Constant(number(both), Literals.read(take(), "-"));
  }
}

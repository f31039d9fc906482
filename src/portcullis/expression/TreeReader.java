package portcullis.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.projectnessie.cel.parser.gen.CELParser;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.ParserRuleContext;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.Token;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.tree.ParseTree;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/** Turns the grammar's tree, which is free of faults, to ours; for one text. */
final class TreeReader {
  private static final Set<String> RESERVED = Set.of("as", "break", "const", "continue", "else", "for", "function", "if",
      "import", "let", "loop", "package", "namespace", "return", "var", "void", "while");

  private final Draft draft;
  private final LocatedText located;
  private final Problems problems;
  private final List<Place> places = new ArrayList<>();
  private boolean failed;

  TreeReader(Draft draft, LocatedText located, Problems problems) {
    this.draft = draft;
    this.located = located;
    this.problems = problems;
  }

  /** Empty exactly if a problem was added. */
  Optional<Parsed> read(CELParser.StartContext start) {
    Syntax root = condition(start.e);
    return failed ? Optional.empty() : Optional.of(new Parsed(root, places));
  }

  // --- parts that the macros and literals need too

  int number(Token token) {
    return number(token.getStartIndex(), token.getStopIndex() + 1);
  }

  private int number(ParserRuleContext context) {
    return number(context.getStart().getStartIndex(), context.getStop().getStopIndex() + 1);
  }

  private int number(int from, int to) {
    places.add(new Place(from, Math.max(1, to - from)));
    return places.size() - 1;
  }

  /** Another number for the same place. */
  int sibling(int id) {
    places.add(places.get(id));
    return places.size() - 1;
  }

  /** Notes a problem at that part and stands in for it. */
  Syntax problem(int id, String message, String hint) {
    failed = true;
    Place place = places.get(id);
    problems.error(located.at(place.offset(), place.length()), located.path(), message, hint);
    return new Syntax.Constant(id, Val.NULL);
  }

  // --- operators

  private Syntax condition(CELParser.ExprContext context) {
    Syntax test = or(context.e);
    return context.op == null ? test : new Syntax.Call(number(context.op), Optional.empty(), "_?_:_",
        List.of(test, or(context.e1), condition(context.e2)));
  }

  private Syntax or(CELParser.ConditionalOrContext context) {
    List<Syntax> operands = new ArrayList<>(List.of(and(context.e)));
    context.e1.forEach(e -> operands.add(and(e)));
    return logic(false, operands, context.ops);
  }

  private Syntax and(CELParser.ConditionalAndContext context) {
    List<Syntax> operands = new ArrayList<>(List.of(relation(context.e)));
    context.e1.forEach(e -> operands.add(relation(e)));
    return logic(true, operands, context.ops);
  }

  private Syntax logic(boolean and, List<Syntax> operands, List<Token> operators) {
    return operands.size() == 1 ? operands.getFirst()
        : new Syntax.Logic(and, operands, operators.stream().map(this::number).toList());
  }

  private Syntax relation(CELParser.RelationContext context) {
    if (context.calc() != null) {
      return calc(context.calc());
    }
    String function = context.op.getText().equals("in") ? "@in" : "_" + context.op.getText() + "_";
    Syntax left = relation(context.relation(0));
    return new Syntax.Call(number(context.op), Optional.empty(), function, List.of(left, relation(context.relation(1))));
  }

  private Syntax calc(CELParser.CalcContext context) {
    if (context.unary() != null) {
      return unary(context.unary());
    }
    Syntax left = calc(context.calc(0));
    return new Syntax.Call(number(context.op), Optional.empty(), "_" + context.op.getText() + "_",
        List.of(left, calc(context.calc(1))));
  }

  private Syntax unary(CELParser.UnaryContext context) {
    return switch (context) {
      case CELParser.LogicalNotContext not -> prefixed("!_", not.ops, member(not.member()));
      case CELParser.NegateContext negate -> prefixed("-_", negate.ops, member(negate.member()));
      case CELParser.MemberExprContext plain -> member(plain.member());
      default -> odd(context);
    };
  }

  /** An even number of signs or negations means nothing. */
  private Syntax prefixed(String function, List<Token> operators, Syntax operand) {
    return operators.size() % 2 == 0 ? operand
        : new Syntax.Call(number(operators.getFirst()), Optional.empty(), function, List.of(operand));
  }

  // --- members

  private Syntax member(CELParser.MemberContext context) {
    return switch (context) {
      case CELParser.PrimaryExprContext primary -> primary(primary.primary());
      case CELParser.SelectOrCallContext select -> selectOrCall(select);
      case CELParser.IndexContext index -> {
        Syntax operand = member(index.member());
        yield new Syntax.Call(number(index.op), Optional.empty(), "_[_]", List.of(operand, condition(index.index)));
      }
      case CELParser.CreateMessageContext message -> object(message);
      default -> odd(context);
    };
  }

  private Syntax selectOrCall(CELParser.SelectOrCallContext context) {
    Syntax operand = member(context.member());
    String name = context.id.getText();
    int id = number(context.id);
    if (context.open == null) {
      return new Syntax.Select(id, operand, draft.member(name));
    }
    List<Syntax> arguments = list(context.args);
    if (draft.standIns().containsKey(name)) {
      return problem(id, "a function has no quoted name", "");
    }
    return new Macros(this).ofReceiver(id, operand, name, arguments)
        .orElseGet(() -> new Syntax.Call(id, Optional.of(operand), name, arguments));
  }

  private Syntax object(CELParser.CreateMessageContext context) {
    Syntax type = member(context.member());
    Optional<String> name = qualified(type);
    int id = number(context.op);
    if (name.isEmpty()) {
      return problem(type.id(), "a type's name is expected before `{`", "");
    }
    List<Syntax.Field> fields = new ArrayList<>();
    if (context.entries != null) {
      for (int i = 0; i < context.entries.fields.size(); i++) {
        Token field = context.entries.fields.get(i);
        fields.add(new Syntax.Field(number(field), field.getText(), condition(context.entries.values.get(i))));
      }
    }
    return new Syntax.ObjectOf(id, name.get(), fields);
  }

  /** The name that a chain of members spells. */
  static Optional<String> qualified(Syntax part) {
    return switch (part) {
      case Syntax.Name name -> Optional.of(name.name());
      case Syntax.Select select -> qualified(select.operand()).map(prefix -> prefix + "." + select.member());
      default -> Optional.empty();
    };
  }

  // --- primaries

  private Syntax primary(CELParser.PrimaryContext context) {
    return switch (context) {
      case CELParser.NestedContext nested -> condition(nested.e);
      case CELParser.IdentOrGlobalCallContext name -> nameOrCall(name);
      case CELParser.CreateListContext list -> new Syntax.ListOf(number(list), list(list.elems));
      case CELParser.CreateStructContext map -> new Syntax.MapOf(number(map), entries(map.entries));
      case CELParser.ConstantLiteralContext literal ->
        new Literals(this, number(literal)).read(literal.literal());
      default -> odd(context);
    };
  }

  private Syntax nameOrCall(CELParser.IdentOrGlobalCallContext context) {
    String word = context.id.getText();
    int id = number(context.id);
    if (RESERVED.contains(word)) {
      return problem(id, "`" + word + "` is a reserved word", "");
    }
    String name = context.leadingDot == null ? word : "." + word;
    if (context.op == null) {
      return new Syntax.Name(id, name);
    }
    List<Syntax> arguments = list(context.args);
    return new Macros(this).ofFunction(id, name, arguments)
        .orElseGet(() -> new Syntax.Call(id, Optional.empty(), name, arguments));
  }

  private List<Syntax> list(CELParser.ExprListContext context) {
    return context == null ? List.of() : context.e.stream().map(this::condition).toList();
  }

  private List<Syntax.Entry> entries(CELParser.MapInitializerListContext context) {
    List<Syntax.Entry> entries = new ArrayList<>();
    if (context != null) {
      for (int i = 0; i < context.keys.size(); i++) {
        entries.add(new Syntax.Entry(number(context.cols.get(i)), condition(context.keys.get(i)),
            condition(context.values.get(i))));
      }
    }
    return entries;
  }

  private Syntax odd(ParseTree tree) {
    throw new IllegalStateException("the grammar has no " + tree.getClass().getSimpleName());
  }
}

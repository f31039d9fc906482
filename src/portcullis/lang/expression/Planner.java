package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * Turns a checked expression to terms. What is constant is computed now; a constant that fails where the reference
 * finds it when a rule is loaded (a conversion, a pattern, a format) is a problem. For one expression.
 */
final class Planner {
  private static final Set<String> CONVERSIONS = Set.of("bool", "int", "uint", "double", "string", "bytes", "timestamp",
      "duration", "dyn", "type");
  private static final Set<String> PATTERNS = Set.of("matches", "regexFind", "regexFindAll");
  private static final Set<String> TYPES = Set.of("bool", "int", "uint", "double", "string", "bytes", "list", "map",
      "null_type", "type", "google.protobuf.Timestamp", "google.protobuf.Duration");

  private final LocatedText text;
  private final Parsed parsed;
  private final Checked checked;
  private final Problems problems;
  private final Map<String, Integer> locals = new HashMap<>();
  private int depth;
  private int deepest;
  private boolean failed;

  Planner(LocatedText text, Parsed parsed, Checked checked, Problems problems) {
    this.text = text;
    this.parsed = parsed;
    this.checked = checked;
    this.problems = problems;
  }

  /**
   * Something to evaluate.
   *
   * @param locals how many loops are at most under way at once
   */
  record Plan(Term root, int locals) {}

  /** Returns an empty optional exactly if a problem was added. */
  Optional<Plan> plan() {
    Term root = term(parsed.root());
    return failed ? Optional.empty() : Optional.of(new Plan(root, deepest));
  }

  private Term term(Syntax part) {
    return switch (part) {
      case Syntax.Constant constant -> new Term.Constant(constant.value());
      case Syntax.Name name -> name(name.name());
      case Syntax.Select select -> checked.name(select).map(this::name).orElseGet(
          () -> new Members.Select(term(select.operand()), select.member(), DisplayNames.path(select.operand())));
      case Syntax.Has has -> new Members.Has(term(has.operand()), has.member());
      case Syntax.Call call -> call(call);
      case Syntax.Logic logic -> new Logic.Any(!logic.and(), terms(logic.operands()));
      case Syntax.ListOf list -> list(terms(list.elements()));
      case Syntax.MapOf map -> map(terms(map.entries().stream().map(Syntax.Entry::key).toList()),
          terms(map.entries().stream().map(Syntax.Entry::value).toList()));
      case Syntax.ObjectOf object -> object(object);
      case Syntax.Loop loop -> loop(loop);
    };
  }

  private List<Term> terms(List<Syntax> parts) {
    List<Term> terms = new ArrayList<>(parts.size());
    parts.forEach(part -> terms.add(term(part)));
    return List.copyOf(terms);
  }

  private Term name(String name) {
    if (locals.containsKey(name)) {
      return new Term.Local(locals.get(name));
    }
    String plain = name.startsWith(".") ? name.substring(1) : name;
    for (ErrorKind kind : ErrorKind.values()) {
      if (kind.constant().equals(plain)) {
        return new Term.Constant(new Val.Kinds(Set.of(kind), true));
      }
    }
    if (TYPES.contains(plain) || Structs.names().contains(plain)) {
      return new Term.Constant(new Val.Type(plain));
    }
    return new Term.Root(plain);
  }

  private static boolean areConstant(List<Term> terms) {
    return terms.stream().allMatch(term -> term instanceof Term.Constant);
  }

  private static Term map(List<Term> keys, List<Term> values) {
    Term.MapOf map = new Term.MapOf(keys, values);
    return areConstant(keys) && areConstant(values) ? evaluated(map).orElse(map) : map;
  }

  private static Term list(List<Term> elements) {
    if (!areConstant(elements)) {
      return new Term.ListOf(elements);
    }
    return new Term.Constant(new Val.Items(elements.stream().map(e -> ((Term.Constant) e).constant()).toList()));
  }

  private Term object(Syntax.ObjectOf object) {
    Map<String, Term> members = new LinkedHashMap<>();
    object.fields().forEach(field -> members.put(field.name(), term(field.value())));
    return new Term.ObjectOf(object.type(), members);
  }

  private Term loop(Syntax.Loop loop) {
    Term range = term(loop.range());
    int local = depth++;
    deepest = Math.max(deepest, depth);
    Optional<Integer> outer = Optional.ofNullable(locals.put(loop.variable(), local));
    Optional<Term> filter = loop.filter().map(this::term);
    Term body = term(loop.body());
    depth--;
    outer.ifPresentOrElse(o -> locals.put(loop.variable(), o), () -> locals.remove(loop.variable()));
    int weight = weight(loop.body()) + loop.filter().map(Planner::weight).orElse(0);
    return new Loop(loop.kind(), range, local, filter, body, weight);
  }

  private static int weight(Syntax part) {
    return 1 + Children.of(part).stream().mapToInt(Planner::weight).sum();
  }

  // --- calls

  private Term call(Syntax.Call call) {
    Optional<String> namespaced = checked.namespaced(call);
    String name = namespaced.orElse(call.function());
    String function = name.startsWith(".") ? name.substring(1) : name;
    List<Term> arguments = terms(namespaced.isPresent() ? call.arguments() : Children.of(call));
    return switch (function) {
      case "_==_", "_!=_" -> new Equality.Equal(arguments.get(0), arguments.get(1), function.equals("_==_"));
      case "@in" -> isEmptyList(arguments.get(1)) ? new Term.Constant(Val.FALSE)
          : new Equality.In(arguments.get(0), arguments.get(1));
      case "_[_]" -> index(call, arguments);
      case "_?_:_" -> new Logic.Conditional(arguments.get(0), arguments.get(1), arguments.get(2));
      case "!_" -> new Logic.Not(arguments.getFirst());
      default -> function(call, function, arguments);
    };
  }

  /** In an empty list {@code in} is false, even if the operand fails, as in cel-go. */
  private static boolean isEmptyList(Term term) {
    return term instanceof Term.Constant(Val.Items items) && items.values().isEmpty();
  }

  private Term index(Syntax.Call call, List<Term> arguments) {
    boolean isNone = arguments.get(1) instanceof Term.Constant(Val index)
        && !(index instanceof Val.Text || index instanceof Val.Bool || Order.isNumber(index));
    if (isNone && arguments.get(1) instanceof Term.Constant(Val at)) {
      problem(call.arguments().get(1), "an index cannot be " + at.type());
    }
    return new Members.Index(arguments.get(0), arguments.get(1), DisplayNames.path(call.arguments().getFirst()));
  }

  private Term function(Syntax.Call call, String name, List<Term> arguments) {
    if (PATTERNS.contains(name) && arguments.getLast() instanceof Term.Constant(Val.Text pattern)) {
      return patterned(call, name, pattern.value(), arguments);
    }
    if (name.equals("format") && call.target().orElse(call) instanceof Syntax.Constant(_, Val.Text format)) {
      checkFormat(call, format.value());
    }
    Term.Call term = new Term.Call(name, Functions.find(name), arguments);
    return areConstant(arguments) && (CONVERSIONS.contains(name) || name.equals("networks")) ? folded(call, term)
        : term;
  }

  /** An invalid pattern of {@code regexFind} fails at evaluation, as in heimdall. */
  private Term patterned(Syntax.Call call, String name, String pattern, List<Term> arguments) {
    try {
      return new Term.Call(name, Regexes.find(name, Regexes.compile(pattern)).orElseThrow(), arguments);
    } catch (EvaluationFailure e) {
      if (name.equals("matches")) {
        problem(call.arguments().getLast(), e.getMessage());
      }
      return new Term.Call(name, Functions.find(name), arguments);
    }
  }

  private Term folded(Syntax.Call call, Term.Call term) {
    try {
      return new Term.Constant(term.value(nothing()));
    } catch (EvaluationFailure e) {
      if (CONVERSIONS.contains(term.name())) {
        problem(call, e.getMessage());
      }
      return term;
    }
  }

  /** Evaluates a constant part; returns an empty optional if it fails. */
  private static Optional<Term> evaluated(Term term) {
    try {
      return Optional.of(new Term.Constant(term.value(nothing())));
    } catch (EvaluationFailure _) {
      return Optional.empty();
    }
  }

  private static Frame nothing() {
    return new Frame(_ -> Optional.empty(), new Val[0], new Meter());
  }

  private void checkFormat(Syntax.Call call, String format) {
    try {
      List<Format.Clause> clauses = Format.parse(format);
      if (call.arguments().getFirst() instanceof Syntax.ListOf list) {
        for (int i = 0; i < clauses.size() - 1; i++) {
          checkClause(clauses.get(i), i, list);
        }
        if (list.elements().size() >= clauses.size()) {
          problem(list, "the format has " + (clauses.size() - 1) + " clauses, the list has "
              + list.elements().size() + " values");
        }
      }
    } catch (EvaluationFailure e) {
      problem(call.target().orElse(call), e.getMessage());
    }
  }

  private void checkClause(Format.Clause clause, int index, Syntax.ListOf values) {
    if (index >= values.elements().size()) {
      problem(values, "the format has more than " + index + " clauses, the list has "
          + values.elements().size() + " values");
      return;
    }
    Syntax value = values.elements().get(index);
    if (!clause.takes(checked.type(value).toString())) {
      problem(value, "`%" + clause.kind() + "` does not take " + DisplayNames.type(checked.type(value)));
    }
  }

  private void problem(Syntax part, String message) {
    failed = true;
    SourcePosition place = parsed.place(part);
    problems.error(text.at(place.offset(), place.length()), text.path(), message, "");
  }
}

package portcullis.lang.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Follows values of clients through a template, from the data to what is printed. Conditions are not followed, as they
 * print nothing; a function's result has what its arguments have unless it quotes, hashes, counts or compares.
 */
final class ClientValues {
  private static final int DEEPEST = 20;
  private static final Set<String> HARMLESS = Set.of("urlenc", "urlquery", "b64enc", "b32enc", "sha1sum", "sha256sum",
      "sha512sum", "adler32sum", "htpasswd", "bcrypt", "len", "int", "int64", "float64", "toDecimal", "atoi", "eq",
      "ne",
      "lt", "le", "gt", "ge", "not", "has", "hasKey", "contains", "hasPrefix", "hasSuffix", "empty", "kindOf", "kindIs",
      "typeOf", "typeIs", "typeIsLike", "deepEqual", "add", "add1", "sub", "mul", "div", "mod", "max", "min", "floor",
      "ceil", "round", "regexMatch", "semverCompare", "all", "any", "isAbs");
  private static final Map<Insertion.Context, Set<String>> QUOTING = Map.of(Insertion.Context.JSON,
      Set.of("quote", "toJson", "toPrettyJson", "toRawJson", "mustToJson", "mustToPrettyJson", "mustToRawJson", "js",
          "html"),
      Insertion.Context.HTML, Set.of("html", "js"), Insertion.Context.FORM, Set.of(),
      Insertion.Context.HEADER, Set.of());

  private final Map<String, Definition> definitions;
  private final Set<String> quoting;
  private final Function<String, Set<ClientValue>> values;
  private final Map<Integer, Set<ClientValue>> variables = new HashMap<>();
  private final List<Printed> out = new ArrayList<>();
  private int depth;

  /** What an action prints. */
  record Printed(Span at, ClientValue value) {}

  /**
   * The value of the dot.
   *
   * @param root whether it is the data
   */
  private record Dot(boolean root, Set<ClientValue> values) {}

  private ClientValues(Map<String, Definition> definitions, Optional<Insertion.Context> context,
      Function<String, Set<ClientValue>> values) {
    this.definitions = definitions;
    this.quoting = context.map(QUOTING::get).orElse(Set.of());
    this.values = values;
  }

  /**
   * Returns what a template prints of values of clients.
   *
   * @param context whose quoting functions count; empty for none
   * @param values of clients in {@code Values.name}
   */
  static List<Printed> printed(Map<String, Definition> definitions, Optional<Insertion.Context> context,
      Function<String, Set<ClientValue>> values) {
    ClientValues found = new ClientValues(definitions, context, values);
    found.statements(definitions.get(Parser.ROOT).statements(), new Dot(true, Set.of()));
    return found.out.stream().distinct().toList();
  }

  private void statements(List<Statement> statements, Dot dot) {
    statements.forEach(statement -> statement(statement, dot));
  }

  private void statement(Statement statement, Dot dot) {
    switch (statement) {
      case Statement.Text _, Statement.Break _, Statement.Continue _ -> {
      }
      case Statement.Action(Pipeline pipeline) -> {
        Set<ClientValue> found = set(pipeline, dot);
        if (pipeline.slots().isEmpty()) {
          found.forEach(value -> out.add(new Printed(pipeline.at(), value)));
        }
      }
      case Statement.If choice -> {
        set(choice.pipeline(), dot);
        statements(choice.then(), dot);
        statements(choice.otherwise(), dot);
      }
      case Statement.With with -> {
        statements(with.then(), inner(with.pipeline(), dot));
        statements(with.otherwise(), dot);
      }
      case Statement.Range range -> {
        statements(range.each(), inner(range.pipeline(), dot));
        statements(range.otherwise(), dot);
      }
      case Statement.Invoke invoke -> {
        Definition definition = definitions.get(invoke.name());
        if (definition != null && depth < DEEPEST) {
          depth++;
          Dot passed = invoke.argument().isEmpty() ? new Dot(false, Set.of())
              : inner(invoke.argument().getFirst(), dot);
          statements(definition.statements(), passed);
          depth--;
        }
      }
    }
  }

  private Dot inner(Pipeline pipeline, Dot dot) {
    boolean same = pipeline.commands().size() == 1 && pipeline.commands().getFirst().terms().size() == 1
        && isRoot(pipeline.commands().getFirst().terms().getFirst(), dot);
    return same ? dot : new Dot(false, set(pipeline, dot));
  }

  private static boolean isRoot(Term term, Dot dot) {
    return term instanceof Term.Dot && dot.root
        || term instanceof Term.Variable v && v.slot() == Scope.ROOT && v.names().isEmpty();
  }

  /** Returns the values of a pipeline, and notes those of the variables that it sets. */
  private Set<ClientValue> set(Pipeline pipeline, Dot dot) {
    Set<ClientValue> piped = Set.of();
    for (Pipeline.Command command : pipeline.commands()) {
      piped = command(command, piped, dot);
    }
    Set<ClientValue> found = piped;
    pipeline.slots().forEach(slot -> variables.merge(slot, found, ClientValues::union));
    return found;
  }

  private Set<ClientValue> command(Pipeline.Command command, Set<ClientValue> piped, Dot dot) {
    Term head = command.terms().getFirst();
    List<Term> arguments = command.terms().subList(1, command.terms().size());
    if (head instanceof Term.Name name) {
      return function(name.function().name(), arguments, piped, dot);
    }
    Set<ClientValue> read = term(head, literals(arguments), dot);
    return arguments.isEmpty() ? read : union(read, union(all(arguments, dot), piped));
  }

  private Set<ClientValue> function(String name, List<Term> arguments, Set<ClientValue> piped, Dot dot) {
    if (HARMLESS.contains(name) || quoting.contains(name)) {
      return Set.of();
    }
    return switch (name) {
      case "ternary" -> all(arguments.subList(0, Math.min(2, arguments.size())), dot);
      case "index", "get", "dig" -> arguments.isEmpty() ? piped
          : union(piped, union(term(arguments.getFirst(), literals(arguments.subList(1, arguments.size())), dot),
              name.equals("dig") ? all(arguments, dot) : Set.of()));
      case "printf" -> arguments.getFirst() instanceof Term.Literal(_, Item.Text(String format))
          && !format.replace("%%", "").replaceAll("%[0-9.+-]*[qdxXtfFeEgG]", "").contains("%") ? Set.of()
              : union(all(arguments, dot), piped);
      default -> union(all(arguments, dot), piped);
    };
  }

  private Set<ClientValue> all(List<Term> terms, Dot dot) {
    Set<ClientValue> out = Set.of();
    for (Term term : terms) {
      out = union(out, term(term, List.of(), dot));
    }
    return out;
  }

  /** @param arguments literal ones, which name what is read */
  private Set<ClientValue> term(Term term, List<String> arguments, Dot dot) {
    return switch (term) {
      case Term.Dot _ -> dot.root ? Set.of() : dot.values;
      case Term.Field field -> dot.root ? read(field.names(), arguments) : dot.values;
      case Term.Variable v when v.slot() == Scope.ROOT -> read(v.names(), arguments);
      case Term.Variable v -> variables.getOrDefault(v.slot(), Set.of());
      case Term.Chain chain -> chained(chain, arguments, dot);
      case Term.Group group -> set(group.pipeline(), dot);
      case Term.Name name -> function(name.function().name(), List.of(), Set.of(), dot);
      case Term.Nil _, Term.Literal _, Term.Number _ -> Set.of();
    };
  }

  private Set<ClientValue> chained(Term.Chain chain, List<String> arguments, Dot dot) {
    Set<ClientValue> inner = term(chain.of(), List.of(), dot);
    return inner.isEmpty() && chain.of() instanceof Term.Dot && dot.root ? read(chain.names(), arguments) : inner;
  }

  private Set<ClientValue> read(List<String> names, List<String> arguments) {
    if (names.size() > 1 && names.getFirst().equals("Values")) {
      return values.apply(names.get(1));
    }
    if (names.size() == 1 && names.getFirst().equals("Values") && arguments.size() == 1) {
      return values.apply(arguments.getFirst());
    }
    return ClientValue.of(names, arguments).map(Set::of).orElse(Set.of());
  }

  private static List<String> literals(List<Term> terms) {
    List<String> out = new ArrayList<>();
    terms.forEach(term -> {
      if (term instanceof Term.Literal(_, Item.Text(String text))) {
        out.add(text);
      }
    });
    return out;
  }

  private static Set<ClientValue> union(Set<ClientValue> a, Set<ClientValue> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    Set<ClientValue> out = new LinkedHashSet<>(a);
    out.addAll(b);
    return out;
  }
}

package portcullis.lang.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * Finds members that the objects of a template's data do not have, by an example of the data: each rendering would fail
 * there. Follows the dot and variables as far as their objects are known. For one template.
 */
final class MemberCheck {
  private final Value.Dict example;
  private final LocatedText text;
  private final Problems problems;
  private final Map<Integer, Optional<Value>> variables = new HashMap<>();
  private boolean good = true;

  MemberCheck(Value.Dict example, LocatedText text, Problems problems) {
    this.example = example;
    this.text = text;
    this.problems = problems;
    variables.put(0, Optional.of(example));
  }

  /** Returns whether no error was added. */
  boolean check(Definition root) {
    statements(root.statements(), Optional.of(example));
    return good;
  }

  private void statements(List<Statement> statements, Optional<Value> dot) {
    statements.forEach(statement -> statement(statement, dot));
  }

  private void statement(Statement statement, Optional<Value> dot) {
    switch (statement) {
      case Statement.Text _, Statement.Break _, Statement.Continue _ -> {
      }
      case Statement.Action(Pipeline pipeline) -> pipeline(pipeline, dot);
      case Statement.If choice -> {
        pipeline(choice.pipeline(), dot);
        statements(choice.then(), dot);
        statements(choice.otherwise(), dot);
      }
      case Statement.With with -> {
        statements(with.then(), pipeline(with.pipeline(), dot));
        statements(with.otherwise(), dot);
      }
      case Statement.Range range -> {
        pipeline(range.pipeline(), dot);
        range.pipeline().slots().forEach(slot -> variables.put(slot, Optional.empty()));
        statements(range.each(), Optional.empty());
        statements(range.otherwise(), dot);
      }
      case Statement.Invoke invoke -> invoke.argument().forEach(argument -> pipeline(argument, dot));
    }
  }

  /** Returns an example of the result, if its object is known. */
  private Optional<Value> pipeline(Pipeline pipeline, Optional<Value> dot) {
    Optional<Value> result = Optional.empty();
    boolean first = true;
    for (Pipeline.Command command : pipeline.commands()) {
      result = command(command, first, dot);
      first = false;
    }
    Optional<Value> known = pipeline.assigns() ? Optional.empty() : result;
    pipeline.slots().forEach(slot -> variables.put(slot, known));
    return result;
  }

  private Optional<Value> command(Pipeline.Command command, boolean first, Optional<Value> dot) {
    List<Term> terms = command.terms();
    boolean arguments = terms.size() > 1 || !first;
    terms.subList(1, terms.size()).forEach(term -> term(term, false, dot));
    Optional<Value> result = term(terms.getFirst(), arguments, dot);
    return arguments ? Optional.empty() : result;
  }

  private Optional<Value> term(Term term, boolean arguments, Optional<Value> dot) {
    return switch (term) {
      case Term.Dot _ -> dot;
      case Term.Field field -> chain(dot, field.names(), field.at(), arguments);
      case Term.Variable variable -> chain(variables.getOrDefault(variable.slot(), Optional.empty()), variable.names(),
          variable.at(), arguments);
      case Term.Chain chain -> chain(term(chain.of(), false, dot), chain.names(), chain.at(), arguments);
      case Term.Group group -> pipeline(group.pipeline(), dot);
      case Term.Nil _, Term.Literal _, Term.Number _, Term.Name _ -> Optional.empty();
    };
  }

  /** @param arguments whether the last name is called with some */
  private Optional<Value> chain(Optional<Value> of, List<String> names, Span at, boolean arguments) {
    Optional<Value> found = of;
    for (int i = 0; i < names.size() && found.isPresent(); i++) {
      boolean last = i == names.size() - 1;
      found = switch (found.get()) {
        case HostObject object -> member(object, names, i, at, last && arguments);
        case Value.Dict dict when dict.equals(example) -> variable(names.get(i), at);
        default -> Optional.empty();
      };
    }
    return found;
  }

  private Optional<Value> variable(String name, Span at) {
    Optional<Value> found = example.get(name);
    if (found.isEmpty()) {
      Set<String> known = new TreeSet<>(example.members().keySet());
      Optional<String> near = Nearest.of(name, known);
      problem(at, name, near.isPresent(), "there is no variable `." + name + "`",
          near.map(n -> "did you mean `." + n + "`?").orElseGet(() -> Nearest.hint(name, known)));
    }
    return found;
  }

  private Optional<Value> member(HostObject object, List<String> names, int index, Span at, boolean arguments) {
    String name = names.get(index);
    Optional<Value> member = arguments ? Optional.empty() : object.member(name);
    if (member.isPresent() || object.entries().isPresent()) {
      return member;
    }
    if (object.functions().contains(name)) {
      return arguments ? Optional.empty() : called(object, name, at);
    }
    boolean more = index + 1 < names.size();
    if (object.isOpen() && more && object.members().contains(names.get(index + 1))) {
      return Optional.of(object);
    }
    Set<String> known = new TreeSet<>(object.members());
    known.addAll(object.functions());
    boolean near = Nearest.of(name, known).isPresent();
    problem(at, name, near || !object.isOpen(), "no member `" + name + "` in `" + object.name() + "`",
        Nearest.hint(name, known));
    return Optional.empty();
  }

  /** Calls a function of the example without arguments, which fails if it needs some. */
  private Optional<Value> called(HostObject object, String name, Span at) {
    try {
      return Optional.of(object.call(name, List.of()));
    } catch (ValueException e) {
      problem(at, name, true, e.getMessage(), "as `" + name + " \"…\"`");
      return Optional.empty();
    }
  }

  private void problem(Span at, String name, boolean isError, String message, String hint) {
    good &= !isError;
    String written = text.text().substring(at.offset(), Math.min(text.text().length(), at.offset() + at.length()));
    int point = written.indexOf("." + name);
    Origin origin = point < 0 ? text.at(at.offset(), at.length()) : text.at(at.offset() + point + 1, name.length());
    if (isError) {
      problems.error(origin, text.path(), message, hint);
    } else {
      problems.warning(origin, text.path(), message, hint);
    }
  }
}

package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/**
 * A member of a variable that an expression reads, and the constants that stand beside it, for requests that make the
 * expression true or false.
 *
 * @param path the names of the variable, its members, functions and their arguments: {@code Request}, {@code Header},
 *     {@code X-A}
 * @param constants in the same part of the expression, parts being separated by {@code &&}, {@code ||} and {@code ?:}
 * @param isList whether the member is a list
 */
public record Comparison(List<String> path, List<Value> constants, boolean isList) {
  private static final Set<String> VARIABLES = Set.of("Request", "Subject");

  public Comparison {
    path = List.copyOf(path);
    constants = List.copyOf(constants);
  }

  /** Returns what the expression reads of the request and the subject, in the order of the text. */
  public static List<Comparison> of(String expression) {
    Set<Comparison> out = new LinkedHashSet<>();
    Parser.parse(LocatedText.of("expression", expression), new Problems())
        .ifPresent(parsed -> part(parsed.root(), out));
    return List.copyOf(out);
  }

  private static void part(Syntax part, Set<Comparison> out) {
    boolean splits = part instanceof Syntax.Logic
        || part instanceof Syntax.Call call && (call.function().equals("_?_:_") || call.function().equals("!_"));
    if (splits) {
      Children.of(part).forEach(child -> part(child, out));
      return;
    }
    List<Read> reads = new ArrayList<>();
    List<Value> constants = new ArrayList<>();
    collect(part, false, reads, constants);
    reads.forEach(read -> out.add(new Comparison(read.path, constants, read.isList)));
  }

  private record Read(List<String> path, boolean isList) {}

  private static void collect(Syntax part, boolean asList, List<Read> reads, List<Value> constants) {
    Optional<List<String>> path = path(part instanceof Syntax.Has has
        ? new Syntax.Select(has.id(), has.operand(), has.member())
        : part);
    if (path.isPresent()) {
      reads.add(new Read(path.get(), asList));
    } else if (part instanceof Syntax.Constant(int _, Val value)) {
      constant(value).ifPresent(constants::add);
    } else {
      List<Syntax> children = Children.of(part);
      for (int i = 0; i < children.size(); i++) {
        collect(children.get(i), isList(part, i), reads, constants);
      }
    }
  }

  /** Returns whether a part of that number is a list. */
  private static boolean isList(Syntax part, int index) {
    return part instanceof Syntax.Loop && index == 0
        || part instanceof Syntax.Call call && call.function().equals("@in") && index == 1;
  }

  private static Optional<List<String>> path(Syntax part) {
    return switch (part) {
      case Syntax.Name name when VARIABLES.contains(name.name()) -> Optional.of(List.of(name.name()));
      case Syntax.Select select -> path(select.operand()).map(before -> with(before, List.of(select.member())));
      case Syntax.Call call when call.target().isPresent() && Character.isUpperCase(call.function().charAt(0)) ->
        path(call.target().get()).flatMap(before -> names(call.arguments())
            .map(names -> with(with(before, List.of(call.function())), names)));
      case Syntax.Call call when call.function().equals("_[_]") -> path(call.arguments().getFirst())
          .flatMap(before -> names(call.arguments().subList(1, 2)).map(names -> with(before, names)));
      default -> Optional.empty();
    };
  }

  private static List<String> with(List<String> before, List<String> more) {
    List<String> out = new ArrayList<>(before);
    out.addAll(more);
    return out;
  }

  /** Returns constant strings; numbers are left out, as indexes of lists are not names. */
  private static Optional<List<String>> names(List<Syntax> arguments) {
    List<String> out = new ArrayList<>();
    for (Syntax argument : arguments) {
      Optional<Value> value = argument instanceof Syntax.Constant(int _, Val constant) ? constant(constant)
          : Optional.empty();
      if (value.isEmpty()) {
        return Optional.empty();
      }
      if (value.get() instanceof Value.Str(String text)) {
        out.add(text);
      }
    }
    return Optional.of(out);
  }

  private static Optional<Value> constant(Val value) {
    try {
      return Optional.of(ResultConverter.of(value));
    } catch (EvaluationFailure _) {
      return Optional.empty();
    }
  }
}

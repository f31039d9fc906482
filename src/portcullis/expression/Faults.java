package portcullis.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import portcullis.source.LocatedText;
import portcullis.source.Nearest;
import portcullis.source.Problems;

/** Says in plain words, and at the right place, what is wrong with the types of an expression. */
final class Faults {
  private static final int LONGEST_NAME = 60;
  private static final Set<String> NAMESPACES = Set.of("math", "sets", "lists", "strings", "base64");

  private final Declarations declarations;
  private final LocatedText text;
  private final Parsed parsed;
  private final Problems problems;
  private final Map<Integer, Syntax> parts = new HashMap<>();

  Faults(Declarations declarations, LocatedText text, Parsed parsed, Problems problems) {
    this.declarations = declarations;
    this.text = text;
    this.parsed = parsed;
    this.problems = problems;
    index(parsed.root());
  }

  private void index(Syntax part) {
    parts.put(part.id(), part);
    if (part instanceof Syntax.Logic logic) {
      logic.operators().forEach(operator -> parts.put(operator, logic));
    }
    for (Syntax child : Children.of(part)) {
      index(child);
    }
  }

  /** Adds a problem for each call of a function, and each object of a type, that is not there; the calls and objects. */
  List<Syntax> unknownCalls() {
    List<Syntax> unknown = new ArrayList<>();
    for (Syntax part : parts.values()) {
      switch (part) {
        case Syntax.Call call when !isFunction(call) -> {
          unknown.add(call);
          noFunction(call);
        }
        case Syntax.ObjectOf object when !Structs.NAMES.contains(object.type()) -> {
          unknown.add(object);
          problem(object.id(), "no type `" + object.type() + "` to make an object of", "known: "
              + String.join(", ", new TreeSet<>(Structs.NAMES)));
        }
        default -> { }
      }
    }
    return unknown;
  }

  private boolean isFunction(Syntax.Call call) {
    String name = call.function();
    boolean internal = !Character.isLetter(name.charAt(0)) && name.charAt(0) != '.' || name.indexOf('@') >= 0;
    return internal || declarations.isFunction(name)
        || qualified(call).map(declarations::isFunction).orElse(false);
  }

  private static Optional<String> qualified(Syntax.Call call) {
    return call.target().flatMap(TreeReader::qualified).map(prefix -> prefix + "." + call.function());
  }

  private void noFunction(Syntax.Call call) {
    String name = call.function();
    Optional<String> full = qualified(call).filter(q -> NAMESPACES.contains(q.substring(0, q.indexOf('.'))));
    Optional<String> usage = Macros.usage(name);
    if (usage.isPresent()) {
      problem(call.id(), "`" + name + "` takes other arguments", "it is written `" + usage.get() + "`");
    } else {
      String shown = full.orElse(name);
      problem(call.id(), "no function `" + shown + "`", suggestion(shown, declarations.functions()));
    }
  }

  private static String suggestion(String name, Set<String> known) {
    return name.length() > LONGEST_NAME ? "" : Nearest.of(name, known).map(k -> "did you mean `" + k + "`?").orElse("");
  }

  /** Adds the problem for one error of the library's checker. */
  void add(String message, int id, Checked checked, ProtoTree tree) {
    Optional<Syntax.Loop> owner = tree.owner(id);
    if (owner.isPresent()) {
      loop(owner.get(), checked);
    } else if (!parts.containsKey(id)) {
      problem(id, message, "");
    } else if (message.startsWith("undeclared reference")) {
      noVariable(parts.get(id));
    } else if (message.startsWith("found no matching overload")) {
      wrongOperands(parts.get(id), checked);
    } else if (message.startsWith("type '")) {
      noMembers(parts.get(id), checked);
    } else if (message.startsWith("undefined field")) {
      noMember(parts.get(id), checked);
    } else if (message.startsWith("expression of type")) {
      problem(id, "a loop goes over a list or a map, this is " + checked.type(id), "");
    } else {
      problem(id, message, "");
    }
  }

  private void noVariable(Syntax part) {
    String name = TreeReader.qualified(part).orElse("?");
    Optional<Syntax.Call> namespace = parts.values().stream().filter(p -> p instanceof Syntax.Call)
        .map(p -> (Syntax.Call) p).filter(c -> c.target().equals(Optional.of(part))).findFirst();
    if (namespace.isPresent() && NAMESPACES.contains(name)) {
      noFunction(namespace.get());
    } else {
      problem(part.id(), "no variable `" + name + "`", name.length() > LONGEST_NAME ? "" : Nearest.hint(name, declarations.known()));
    }
  }

  private void wrongOperands(Syntax part, Checked checked) {
    List<Syntax> operands = Children.of(part);
    if (part instanceof Syntax.Logic) {
      operands.stream().filter(o -> !Set.of("bool", "dyn").contains(checked.type(o))).findFirst()
          .ifPresent(o -> notBool(o, checked.type(o)));
      return;
    }
    List<String> types = operands.stream().map(checked::type).toList();
    String listed = types.isEmpty() ? "no arguments" : String.join(types.size() == 2 ? " and " : ", ", types);
    problem(part.id(), "`" + Words.operator(part) + "` does not take " + listed, Words.mixed(types));
  }

  private void noMembers(Syntax part, Checked checked) {
    String type = Children.of(part).isEmpty() ? "this" : checked.type(Children.of(part).getFirst());
    problem(part.id(), type + " has no members", "");
  }

  private void noMember(Syntax part, Checked checked) {
    Syntax operand = Children.of(part).getFirst();
    String member = part instanceof Syntax.Select select ? select.member() : part instanceof Syntax.Has has ? has.member() : "?";
    Set<String> known = Structs.members(checked.type(operand)).keySet();
    problem(part.id(), "no member `" + member + "` in " + Words.path(operand), Nearest.hint(member, known));
  }

  /** What was put in for a loop does not fit: its body is of the wrong type, or its elements cannot be sorted. */
  private void loop(Syntax.Loop loop, Checked checked) {
    String body = checked.type(loop.body());
    switch (loop.kind()) {
      case SORT_BY -> problem(loop.body().id(), "`sortBy` cannot order by " + body, "");
      case MAP -> loop.filter().ifPresentOrElse(filter -> notBool(filter, checked.type(filter)),
          () -> problem(loop.body().id(), "`map` does not take " + body, ""));
      case ALL, EXISTS, EXISTS_ONE, FILTER -> notBool(loop.body(), body);
    }
  }

  private void notBool(Syntax condition, String type) {
    problem(condition.id(), "a condition is bool, this is " + type, "");
  }

  private void problem(int id, String message, String hint) {
    Place place = id < parsed.places().size() ? parsed.places().get(id) : new Place(0, text.text().length());
    problems.error(text.at(place.offset(), place.length()), text.path(), message, hint);
  }
}

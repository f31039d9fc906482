package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;

/** Reports errors in the names and types of an expression at their position. */
final class TypeErrors {
  private static final int LONGEST_NAME = 60;
  private static final Set<String> NAMESPACES = Set.of("math", "sets", "lists", "strings", "base64", "json");

  private final Declarations declarations;
  private final Optional<Available> available;
  private final LocatedText text;
  private final Parsed parsed;
  private final Problems problems;
  private boolean any;

  /** @param available what the expression can read, if that is known */
  TypeErrors(Declarations declarations, Optional<Available> available, LocatedText text, Parsed parsed,
      Problems problems) {
    this.declarations = declarations;
    this.available = available;
    this.text = text;
    this.parsed = parsed;
    this.problems = problems;
  }

  /** Returns whether an error was reported. */
  boolean any() {
    return any;
  }

  void noVariable(Syntax.Name part) {
    String name = part.name();
    problem(part.id(), "no variable `" + DisplayNames.cut(name) + "`",
        name.length() > LONGEST_NAME ? ""
            : Nearest.of(name, declarations.variables()).map(near -> "did you mean `" + near + "`?").orElseGet(
                () -> Nearest.hint(name, available.map(Available::variables).orElse(declarations.variables()))));
  }

  void noFunction(Syntax.Call call) {
    Optional<String> usage = Macros.usage(call.function());
    if (usage.isPresent()) {
      problem(call.id(), "`" + call.function() + "` takes other arguments", "it is written `" + usage.get() + "`");
      return;
    }
    Optional<String> namespaced = call.target().flatMap(Syntax::qualified).filter(NAMESPACES::contains)
        .map(namespace -> namespace + "." + call.function());
    String name = namespaced.orElse(call.function());
    problem(call.id(), "no function `" + DisplayNames.cut(name) + "`", suggestion(name, declarations.functions()));
  }

  private static String suggestion(String name, Set<String> known) {
    return name.length() > LONGEST_NAME ? "" : Nearest.of(name, known).map(k -> "did you mean `" + k + "`?").orElse("");
  }

  void noObject(Syntax.ObjectOf object) {
    problem(object.id(), "no type `" + DisplayNames.cut(object.type()) + "` to make an object of",
        "known: " + String.join(", ", new TreeSet<>(Structs.names())));
  }

  void wrongField(Syntax.Field field, Syntax.ObjectOf object, String wanted) {
    if (wanted.isEmpty()) {
      problem(field.id(), "no member `" + field.name() + "` in " + object.type(),
          suggestion(field.name(), Structs.members(object.type()).keySet()));
    } else {
      problem(field.id(), "`" + field.name() + "` is " + wanted, "");
    }
  }

  void wrongArguments(Syntax.Call call, List<Type> types) {
    List<String> names = types.stream().map(DisplayNames::type).toList();
    String listed = names.isEmpty() ? "no arguments" : String.join(names.size() == 2 ? " and " : ", ", names);
    problem(call.id(), "`" + DisplayNames.operator(call.function()) + "` does not take " + listed,
        DisplayNames.mixed(names));
  }

  void noMembers(Syntax part, Type type) {
    problem(part.id(), "a value of type " + DisplayNames.type(type) + " has no members", "");
  }

  void noMember(Syntax part, Syntax operand, Type.Struct struct, String member) {
    Set<String> known = Structs.members(struct.name()).keySet();
    problem(part.id(), "no member `" + DisplayNames.cut(member) + "` in " + DisplayNames.path(operand),
        Nearest.hint(member, known));
  }

  void noRange(Syntax range, Type type) {
    problem(range.id(), "a loop goes over a list or a map, this is " + DisplayNames.type(type), "");
  }

  void noOrder(Syntax.Loop loop, Type key) {
    problem(loop.body().id(), "`sortBy` cannot order by " + DisplayNames.type(key), "");
  }

  void notBool(Syntax condition, Type type) {
    problem(condition.id(), "a condition is bool, this is " + DisplayNames.type(type), "");
  }

  private void problem(int id, String message, String hint) {
    any = true;
    SourcePosition place = parsed.places().get(id);
    problems.error(text.at(place.offset(), place.length()), text.path(), message, hint);
  }
}

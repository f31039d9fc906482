package portcullis.lang.expression;

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

/**
 * Finds members of {@code Request} and {@code Subject} that do not exist, which are errors, and variables without a
 * value, for which it warns, as heimdall accepts them. The type check does not find members, as both are declared as
 * {@code dyn}, so that each evaluation would fail. For one expression.
 */
final class MemberCheck {
  private static final Map<String, Type> OBJECTS = Map.of("Request", new Type.Struct("heimdall.Request"), "Subject",
      new Type.Struct("subject.Subject"));
  /** Members of any type; those of URLs are from Go's net/url. */
  private static final Map<String, Set<String>> UNTYPED = Map.of("heimdall.Request", Set.of("Body"), "heimdall.URL",
      Set.of("User", "Opaque", "OmitHost", "ForceQuery", "RawFragment"));
  private static final Map<String, String> FUNCTIONS = Map.of("Header", "Header(\"X-Name\")", "Cookie",
      "Cookie(\"name\")", "Query", "Query()", "Hostname", "Hostname()", "Port", "Port()", "String",
      "String()");

  private final Available available;
  private final Declarations declarations;
  private final LocatedText text;
  private final Parsed parsed;
  private final Problems problems;
  private final Map<String, Integer> locals = new HashMap<>();
  private boolean good = true;

  MemberCheck(Available available, Declarations declarations, LocatedText text, Parsed parsed, Problems problems) {
    this.available = available;
    this.declarations = declarations;
    this.text = text;
    this.parsed = parsed;
    this.problems = problems;
  }

  /** Returns whether no error was added. */
  boolean check() {
    visit(parsed.root());
    return good;
  }

  /** Returns the type of an object whose members are known. */
  private Optional<Type> visit(Syntax part) {
    return switch (part) {
      case Syntax.Name name -> variable(name);
      case Syntax.Select select -> visit(select.operand())
          .flatMap(of -> member(select, select.operand(), of, select.member()));
      case Syntax.Has has -> {
        visit(has.operand()).ifPresent(of -> member(has, has.operand(), of, has.member()));
        yield Optional.empty();
      }
      case Syntax.Loop loop -> {
        visit(loop.range());
        locals.merge(loop.variable(), 1, Integer::sum);
        loop.filter().ifPresent(this::visit);
        visit(loop.body());
        locals.merge(loop.variable(), -1, Integer::sum);
        yield Optional.empty();
      }
      default -> {
        Children.of(part).forEach(this::visit);
        yield Optional.empty();
      }
    };
  }

  private Optional<Type> variable(Syntax.Name name) {
    String known = name.name().startsWith(".") ? name.name().substring(1) : name.name();
    if (locals.getOrDefault(name.name(), 0) > 0) {
      return Optional.empty();
    }
    if (declarations.inputs().contains(known) && !available.variables().contains(known)) {
      problem(name, false, "`" + known + "` has no value here, so evaluation fails",
          "known: " + String.join(", ", new TreeSet<>(available.variables())));
    }
    return Optional.ofNullable(OBJECTS.get(known));
  }

  private Optional<Type> member(Syntax part, Syntax operand, Type of, String member) {
    if (!(of instanceof Type.Struct struct)) {
      return Optional.empty();
    }
    Map<String, String> members = Structs.members(struct.name());
    if (members.containsKey(member)) {
      return Optional.of(TypeText.type(members.get(member)));
    }
    boolean isSubject = struct.equals(OBJECTS.get("Subject"));
    if (isSubject && available.principals() && isRead(parsed.root(), part)) {
      return Optional.of(struct);
    }
    boolean maybePrincipal = isSubject && available.principals() && Nearest.of(member, members.keySet()).isEmpty();
    if (!UNTYPED.getOrDefault(struct.name(), Set.of()).contains(member)) {
      problem(part, !maybePrincipal, "no member `" + DisplayNames.cut(member) + "` in " + DisplayNames.path(operand),
          hint(struct, operand, member, members));
    }
    return Optional.empty();
  }

  /** Returns whether the members of a subject are read of a part, which makes it a principal. */
  private static boolean isRead(Syntax within, Syntax part) {
    Set<String> members = Structs.members("subject.Subject").keySet();
    boolean here = switch (within) {
      case Syntax.Select select -> select.operand().equals(part) && members.contains(select.member());
      case Syntax.Has has -> has.operand().equals(part) && members.contains(has.member());
      default -> false;
    };
    return here || Children.of(within).stream().anyMatch(child -> isRead(child, part));
  }

  private static String hint(Type.Struct struct, Syntax operand, String member, Map<String, String> members) {
    if (FUNCTIONS.containsKey(member)) {
      return "it is a function: `" + DisplayNames.path(operand) + "." + FUNCTIONS.get(member) + "`";
    }
    boolean attribute = struct.equals(OBJECTS.get("Subject")) && Nearest.of(member, members.keySet()).isEmpty();
    return attribute
        ? "attributes are read as `" + DisplayNames.path(operand) + ".Attributes." + DisplayNames.cut(member) + "`"
        : Nearest.hint(member, List.copyOf(members.keySet()));
  }

  private void problem(Syntax part, boolean isError, String message, String hint) {
    good &= !isError;
    SourcePosition place = parsed.places().get(part.id());
    Origin at = text.at(place.offset(), place.length());
    if (isError) {
      problems.error(at, text.path(), message, hint);
    } else {
      problems.warning(at, text.path(), message, hint);
    }
  }
}

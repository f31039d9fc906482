package portcullis.lang.expression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Lists what an expression reads from its variables, for messages to operators. */
public final class ReadValues {
  private static final Set<String> VARIABLES = Set.of("Request", "Subject", "Outputs", "Values", "Payload", "Error");
  private static final int LONGEST = 200;

  private ReadValues() {}

  /**
   * Returns each member of a variable that the expression reads, as written, with its value as JSON of at most some 200
   * characters, or the reason why it has none; in the order of the text.
   */
  public static SequencedMap<String, String> of(LocatedText text, Variables variables) {
    SequencedMap<String, String> out = new LinkedHashMap<>();
    Parser.parse(text, new Problems()).ifPresent(parsed -> collect(parsed.root(), variables, out));
    return out;
  }

  private static void collect(Syntax part, Variables variables, SequencedMap<String, String> out) {
    Optional<String> member = member(part instanceof Syntax.Has has ? has.operand() : part);
    if (member.isPresent()) {
      out.computeIfAbsent(member.get(), name -> value(name, variables));
    } else {
      Children.of(part).forEach(child -> collect(child, variables, out));
    }
  }

  /** Returns the text of a chain of members, indexes and methods that begins with a variable. */
  private static Optional<String> member(Syntax part) {
    return switch (part) {
      case Syntax.Name name when VARIABLES.contains(name.name()) -> Optional.of(name.name());
      case Syntax.Select select -> member(select.operand()).map(before -> before + "." + select.member());
      case Syntax.Call call when call.target().isPresent() && Character.isUpperCase(call.function().charAt(0)) ->
        member(call.target().get())
            .flatMap(
                before -> constants(call.arguments()).map(list -> before + "." + call.function() + "(" + list + ")"));
      case Syntax.Call call when call.function().equals("_[_]") -> member(call.arguments().getFirst())
          .flatMap(before -> constants(call.arguments().subList(1, 2)).map(index -> before + "[" + index + "]"));
      default -> Optional.empty();
    };
  }

  /** Returns constants as written in CEL, separated by commas; empty if something else is among them. */
  private static Optional<String> constants(List<Syntax> arguments) {
    StringBuilder out = new StringBuilder();
    for (Syntax argument : arguments) {
      if (!(argument instanceof Syntax.Constant constant)) {
        return Optional.empty();
      }
      try {
        out.append(out.isEmpty() ? "" : ", ").append(JsonText.plain(ResultConverter.of(constant.value())));
      } catch (EvaluationFailure _) {
        return Optional.empty();
      }
    }
    return Optional.of(out.toString());
  }

  private static String value(String member, Variables variables) {
    Problems problems = new Problems();
    Optional<Expression> expression = Expression.any(LocatedText.of("member", member), problems);
    if (expression.isEmpty()) {
      return "unknown";
    }
    try {
      Value value = expression.get().evaluate(variables);
      String text = JsonText.plain(value);
      return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    } catch (EvaluationFailure e) {
      return "none: " + e.getMessage();
    }
  }
}

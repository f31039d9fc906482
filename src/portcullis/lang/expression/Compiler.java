package portcullis.lang.expression;

import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Compiles expressions. Thread-safe. */
final class Compiler {
  private final Declarations declarations;

  /** @param variables names and types, one per line */
  Compiler(String variables) {
    declarations = new Declarations(variables);
  }

  /**
   * Returns an empty optional exactly if a problem was added.
   *
   * @param available what it can read; if empty, names of members are not checked
   */
  Optional<Expression> compile(LocatedText text, boolean condition, Optional<Available> available, Problems problems) {
    return Parser.parse(text, problems).flatMap(parsed -> compile(text, parsed, condition, available, problems));
  }

  private Optional<Expression> compile(LocatedText text, Parsed parsed, boolean condition,
      Optional<Available> available, Problems problems) {
    TypeErrors errors = new TypeErrors(declarations, available, text, parsed, problems);
    Optional<Checked> checked = new Checker(declarations, errors).check(parsed.root());
    if (checked.isEmpty()
        || !available.map(a -> new MemberCheck(a, declarations, text, parsed, problems).check()).orElse(true)) {
      return Optional.empty();
    }
    Type type = checked.get().type(parsed.root());
    if (condition && !type.equals(Type.BOOL)) {
      problems.error(text.at(0, text.text().length()), text.path(),
          "a condition is bool, this is " + DisplayNames.type(type),
          type.equals(Type.DYN) ? "write `… == true`" : "compare it with something, as by `==`");
      return Optional.empty();
    }
    return new Planner(text, parsed, checked.get(), problems).plan()
        .map(plan -> new Expression(plan, type.toString(), text.text()));
  }
}

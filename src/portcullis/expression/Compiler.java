package portcullis.expression;

import java.util.Optional;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/** Makes expressions of texts; for any thread. */
final class Compiler {
  private final Checker checker;

  /** @param variables the names and types of what the expressions can read, one a line */
  Compiler(String variables) {
    checker = new Checker(variables);
  }

  /** Empty exactly if a problem was added. */
  Optional<Expression> compile(LocatedText text, boolean condition, Problems problems) {
    long before = problems.errors();
    try {
      return Draft.of(text, problems).flatMap(draft -> Grammar.parse(text, draft, problems))
          .flatMap(parsed -> compile(text, parsed, condition, problems));
    } catch (RuntimeException | StackOverflowError e) {
      // the library's parser and checker have faults of their own; what they cannot read is refused
      if (problems.errors() == before) {
        problems.error(text.at(0, text.text().length()), text.path(), "the expression cannot be compiled", "");
      }
      return Optional.empty();
    }
  }

  private Optional<Expression> compile(LocatedText text, Parsed parsed, boolean condition, Problems problems) {
    Optional<Checked> checked = checker.check(text, parsed, problems);
    if (checked.isEmpty()) {
      return Optional.empty();
    }
    String type = checked.get().type(parsed.root());
    if (condition && !type.equals("bool")) {
      problems.error(text.at(0, text.text().length()), text.path(), "a condition is bool, this is " + type,
          type.equals("dyn") ? "write `… == true`" : "");
      return Optional.empty();
    }
    return new Planner(text, parsed, checked.get(), problems).plan().map(plan -> new Expression(plan, type));
  }
}

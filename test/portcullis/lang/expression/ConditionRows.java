package portcullis.lang.expression;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.fixture.GoldenContext;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.GoldenRow;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** The rows of {@code golden/cel-heimdall.json}: conditions with the results of heimdall's own library. */
final class ConditionRows {
  static final String FILE = "golden/cel-heimdall.json";

  private ConditionRows() {}

  static GoldenReport report() {
    return GoldenRow.run(FILE, ConditionRows::miss);
  }

  private static Optional<String> miss(GoldenRow row) {
    String expression = row.text("expression");
    String wanted = wanted(row);
    String got = got(row, expression);
    return got.split(":")[0].equals(wanted) ? Optional.empty() : GoldenRow.difference(expression, wanted, got);
  }

  private static String wanted(GoldenRow row) {
    if (row.has("output")) {
      return Boolean.toString(row.member("output").equals(Optional.of(Value.TRUE)));
    }
    return Set.of("exec", "panic").contains(row.text("stage")) ? "fails" : "refused";
  }

  private static String got(GoldenRow row, String expression) {
    Problems problems = new Problems();
    Optional<Expression> compiled = Expression.condition(LocatedText.of("row", expression), problems);
    if (compiled.isEmpty()) {
      return "refused: " + problems.sorted().stream().map(Problem::text).toList();
    }
    try {
      return Boolean.toString(compiled.get().test(variables(row.context("context"))));
    } catch (EvaluationFailure e) {
      return "fails: " + e.getMessage();
    } catch (RuntimeException e) {
      return "throws: " + e;
    }
  }

  /** Returns the variables without a subject that is null: heimdall cannot pass on a nil pointer. */
  static Variables variables(Value context) {
    Map<String, Value> variables = new HashMap<>(GoldenContext.of(context).members());
    variables.remove("Subject", Value.NULL);
    return Variables.of(variables);
  }
}

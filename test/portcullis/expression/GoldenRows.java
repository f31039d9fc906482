package portcullis.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.source.LocatedText;
import portcullis.source.Problem;
import portcullis.source.Problems;
import portcullis.value.Value;

/** The rows of {@code golden/cel-heimdall.json}: conditions with the answers of heimdall's own library. */
final class GoldenRows {
  static final String FILE = "golden/cel-heimdall.json";

  private GoldenRows() {}

  /** A row that came out otherwise than it should. */
  record Miss(String name, String expression, String wanted, String got) {}

  record Result(int rows, List<Miss> misses) {}

  static Result run() {
    Value file = Corpora.read(FILE);
    Value contexts = Corpora.member(file, "contexts").orElse(Value.Dict.EMPTY);
    List<Miss> misses = new ArrayList<>();
    List<Value> rows = Corpora.items(file, "cases");
    for (Value row : rows) {
      String wanted = wanted(row);
      String expression = Corpora.text(row, "expression");
      String got = got(expression, context(contexts, row));
      if (!got.split(":")[0].equals(wanted)) {
        misses.add(new Miss(Corpora.text(row, "name"), expression, wanted, got));
      }
    }
    return new Result(rows.size(), misses);
  }

  private static Variables context(Value contexts, Value row) {
    Value context = Corpora.member(row, "context").orElse(Value.Dict.EMPTY);
    return CorpusContext.of(context instanceof Value.Text name ? Corpora.member(contexts, name.value()).orElseThrow() : context);
  }

  private static String wanted(Value row) {
    Optional<Value> output = Corpora.member(row, "output");
    if (output.isPresent()) {
      return output.get().equals(Value.TRUE) ? "true" : "false";
    }
    String stage = Corpora.text(row, "stage");
    return stage.equals("exec") || stage.equals("panic") ? "fails" : "refused";
  }

  private static String got(String expression, Variables variables) {
    Problems problems = new Problems();
    Optional<Expression> compiled = Expression.condition(LocatedText.of("row", expression), problems);
    if (compiled.isEmpty()) {
      return "refused: " + problems.sorted().stream().map(Problem::text).toList();
    }
    try {
      return Boolean.toString(compiled.get().test(variables));
    } catch (EvaluationFailure e) {
      return "fails: " + e.getMessage();
    }
  }
}

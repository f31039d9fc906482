package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.fixture.GoldenReport;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** The rows of {@code golden/cel-heimdall.json}: conditions with the answers of heimdall's own library. */
public final class GoldenRows {
  static final String FILE = "golden/cel-heimdall.json";

  private GoldenRows() {}

  /** A row that came out otherwise than it should. */
  record Miss(String name, String expression, String wanted, String got) {}

  record Result(int rows, List<Miss> misses) {}

  /** A report on each of the files that are there, the suite of the specification among them. */
  public static List<GoldenReport> reports() {
    List<GoldenReport> out = new ArrayList<>();
    for (String file : files()) {
      if (Corpora.has(file)) {
        Result result = run(file);
        out.add(new GoldenReport(file, result.rows(), result.misses().stream()
            .map(m -> m.name() + ": " + m.expression() + " should be " + m.wanted() + ", is " + m.got()).toList()));
      }
    }
    return out;
  }

  private static List<String> files() {
    return Stream.concat(Stream.of(FILE), ConformanceRows.FILES.stream()).toList();
  }

  static Result run(String file) {
    return file.equals(FILE) ? run() : ConformanceRows.run(file);
  }

  /** The names of the rows that are there. */
  static Set<String> names() {
    return Corpora.items(Corpora.read(FILE), "cases").stream().map(row -> Corpora.text(row, "name"))
        .collect(Collectors.toSet());
  }

  private static Result run() {
    Value file = Corpora.read(FILE);
    Value contexts = Corpora.member(file, "contexts").orElse(Value.Dict.EMPTY);
    List<Miss> misses = new ArrayList<>();
    List<Value> rows = Corpora.items(file, "cases");
    for (Value row : rows) {
      String wanted = wanted(row);
      String expression = Corpora.text(row, "expression");
      String got = got(expression, contexts, row);
      if (!got.split(":")[0].equals(wanted)) {
        misses.add(new Miss(Corpora.text(row, "name"), expression, wanted, got));
      }
    }
    return new Result(rows.size(), misses);
  }

  private static Variables context(Value contexts, Value row) {
    Value context = Corpora.member(row, "context").orElse(Value.Dict.EMPTY);
    return CorpusContext
        .of(context instanceof Value.Text name ? Corpora.member(contexts, name.value()).orElseThrow() : context);
  }

  private static String wanted(Value row) {
    Optional<Value> output = Corpora.member(row, "output");
    if (output.isPresent()) {
      return output.get().equals(Value.TRUE) ? "true" : "false";
    }
    String stage = Corpora.text(row, "stage");
    return stage.equals("exec") || stage.equals("panic") ? "fails" : "refused";
  }

  /** A row that cannot even be set up has failed; the others go on. */
  private static String got(String expression, Value contexts, Value row) {
    try {
      return got(expression, context(contexts, row));
    } catch (RuntimeException e) {
      return "throws: " + e;
    }
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

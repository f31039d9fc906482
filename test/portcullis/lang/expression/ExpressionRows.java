package portcullis.lang.expression;

import java.util.List;
import java.util.stream.Stream;
import portcullis.fixture.Corpora;
import portcullis.fixture.GoldenReport;

/** Runs the golden conditions and the suite of the CEL specification. */
public final class ExpressionRows {
  private ExpressionRows() {}

  /** Returns a report on each file that exists. */
  public static List<GoldenReport> reports() {
    return Stream.concat(Stream.of(ConditionRows.FILE), ConformanceRows.FILES.stream()).filter(Corpora::has)
        .map(ExpressionRows::report).toList();
  }

  static GoldenReport report(String file) {
    return file.equals(ConditionRows.FILE) ? ConditionRows.report() : ConformanceRows.report(file);
  }
}

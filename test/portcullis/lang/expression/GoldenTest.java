package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import portcullis.fixture.Corpora;
import portcullis.fixture.GoldenReport;

class GoldenTest {
  private static final List<String> SUITE = ConformanceRows.FILES;

  @Test
  void matchesTheReference() {
    check(ConditionRows.FILE);
  }

  @ParameterizedTest
  @FieldSource("SUITE")
  void matchesTheSpecification(String file) {
    assumeTrue(Corpora.has(file), () -> "no " + Corpora.path(file) + ": set CORPORA to the folder of the corpora");
    check(file);
  }

  private static void check(String file) {
    GoldenReport report = ExpressionRows.report(file);
    assertEquals(List.of(), report.unexpected(KnownDifferences.of(file).keySet()));
    assertTrue(report.isGood(), "too many differences");
  }
}

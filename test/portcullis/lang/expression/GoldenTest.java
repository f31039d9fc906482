package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.Needs;

class GoldenTest {
  private static final List<String> SUITE = ConformanceRows.FILES;

  @Test
  void matchesTheReference() {
    check(ConditionRows.FILE);
  }

  @ParameterizedTest
  @FieldSource("SUITE")
  void matchesTheSpecification(String file) {
    Needs.corpus(file);
    check(file);
  }

  private static void check(String file) {
    GoldenReport report = ExpressionRows.report(file);
    assertEquals(List.of(), report.unexpected(KnownDifferences.of(file).keySet()));
    assertTrue(report.isGood(), "too many differences");
  }
}

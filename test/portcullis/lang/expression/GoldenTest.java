package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the corpora, at {@code $CORPORA}: without them the tests are skipped, saying so. */
class GoldenTest {
  private static final double MOST_DIFFERENT = 0.02;

  @Test
  void answersAsTheReferenceDoes() {
    check(GoldenRows.FILE);
  }

  @ParameterizedTest
  @MethodSource("conformance")
  void answersAsTheSpecificationWants(String file) {
    check(file);
  }

  static Iterable<String> conformance() {
    return ConformanceRows.FILES;
  }

  private static void check(String file) {
    assumeTrue(Corpora.has(file), () -> "there is no " + Corpora.folder().resolve(file)
        + ": set CORPORA to the folder of the corpora");
    GoldenRows.Result result = GoldenRows.run(file);
    Set<String> known = new HashSet<>(Differences.KNOWN.get(file).keySet());
    if (file.equals(GoldenRows.FILE)) { // other rows of the kind may lie there
      known.retainAll(GoldenRows.names());
    }
    Map<String, String> unexpected = new TreeMap<>();
    known.forEach(name -> unexpected.put(name, "is on the list of differences but passes"));
    for (GoldenRows.Miss miss : result.misses()) {
      if (known.contains(miss.name())) {
        unexpected.remove(miss.name());
      } else {
        unexpected.put(miss.name(), miss.expression() + " should be " + miss.wanted() + ", is " + miss.got());
      }
    }
    assertEquals(Map.of(), unexpected);
    assertTrue(result.misses().size() <= MOST_DIFFERENT * result.rows(), "too many differences");
  }
}

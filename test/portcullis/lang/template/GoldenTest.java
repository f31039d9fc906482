package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every template of the corpora comes out as Go makes it, but for the rows of known-differences.txt. */
final class GoldenTest {
  private static final String KNOWN = "known-differences.txt";

  @ParameterizedTest
  @EnumSource
  void rowsComeOutAsInGo(GoldenFile file) throws IOException {
    assumeTrue(file.exists(), () -> "the environment variable CORPORA names no folder with " + file.path());
    GoldenRows.Result result = GoldenRows.run(file);
    Map<String, String> known = knownDifferences(file);
    // other rows of the kind may lie there
    known.keySet().retainAll(file.rows().stream().map(GoldenRow::name).collect(Collectors.toSet()));
    assertEquals("", result.misses().stream().filter(miss -> !known.containsKey(miss.row().name()))
        .map(GoldenRows.Miss::text).collect(Collectors.joining("\n")));
    assertEquals(known.keySet(), result.misses().stream().map(miss -> miss.row().name()).collect(Collectors.toSet()),
        () -> KNOWN + " lists rows of " + file + " that come out as in Go");
    assertTrue(known.size() * 50 <= result.rows(), () -> "more than 2 % of " + file + " differ");
  }

  private static Map<String, String> knownDifferences(GoldenFile file) throws IOException {
    try (InputStream in = GoldenTest.class.getResourceAsStream(KNOWN)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t")).filter(parts -> parts[0].equals(file.shortName()))
          .collect(Collectors.toMap(parts -> parts[1], parts -> parts[2]));
    }
  }
}

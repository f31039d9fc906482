package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.Needs;

final class GoldenTest {
  private static final String KNOWN = "known-differences.txt";

  @ParameterizedTest
  @EnumSource
  void rendersLikeGo(TemplateFile file) throws IOException {
    Needs.corpus(file.path());
    GoldenReport report = TemplateRows.report(file);
    assertEquals(List.of(), report.unexpected(knownDifferences(file).keySet()));
    assertTrue(report.isGood(), "too many differences");
  }

  private static Map<String, String> knownDifferences(TemplateFile file) throws IOException {
    try (InputStream in = GoldenTest.class.getResourceAsStream(KNOWN)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t")).filter(parts -> parts[0].equals(file.shortName()))
          .collect(Collectors.toMap(parts -> parts[1], parts -> parts[2]));
    }
  }
}

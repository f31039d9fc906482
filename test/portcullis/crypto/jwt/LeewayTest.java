package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Decoder;
import portcullis.config.Yaml;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class LeewayTest {
  private static final String LONG = "what has expired would be accepted for this time, at most 5m, as `10s`";

  private static String read(Decoder<Duration> decoder, String text) {
    Problems problems = new Problems();
    Optional<Duration> read = Yaml.read(SourceFile.argument("f", text), problems)
        .flatMap(node -> decoder.decode(node, problems));
    return read.map(Duration::toString).orElse("none") + " "
        + problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  @Test
  void fiveMinutesAreTheMost() {
    assertEquals("PT5M ", read(Leeway.bounded(), "5m"));
    assertEquals("none f:1:1: " + LONG, read(Leeway.bounded(), "300001ms"));
  }

  @ParameterizedTest
  @CsvSource({"5m, false", "300001ms, true", "24h, true"})
  void moreIsAWarningWhereHeimdallDoesNotBoundIt(String text, boolean warned) {
    String read = read(Leeway.unbounded(), text);
    assertEquals(warned ? "f:1:1: warning: " + LONG : "", read.substring(read.indexOf(' ') + 1));
    assertEquals(false, read.startsWith("none"));
  }
}

package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;

class ArgumentsTest {
  private static Arguments parse(String words) throws Arguments.UsageException {
    return Arguments.parse(words.isEmpty() ? List.of() : List.of(words.split(" ")), Flags.with());
  }

  @ParameterizedTest
  @CsvSource({"-c f.yaml", "--config f.yaml", "--config=f.yaml", "-c=f.yaml", "--insecure -c f.yaml"})
  void takesOptionsInEachSpelling(String words) throws Arguments.UsageException {
    assertEquals(Optional.of("f.yaml"), parse(words).value("--config"));
  }

  @Test
  void keepsWhatIsNoOption() throws Arguments.UsageException {
    assertEquals(List.of("a", "-", "--config"), parse("a - -- --config").rest());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "--insecur|unknown option `--insecur`, did you mean `--insecure`?",
    "-c|`-c` needs a value: -c FILE",
    "-c a.yaml -c b.yaml|`--config` is given twice: give it once",
    "-c a.yaml --config=a.yaml|`--config` is given twice: give it once",
    "--insecure --insecure=false|`--insecure` is given twice: give it once",
    "--insecure=maybe|`--insecure` is on or off: --insecure=true or --insecure=false",
  })
  void saysWhatWouldMakeSense(String words, String message) {
    assertEquals(message, assertThrows(Arguments.UsageException.class, () -> parse(words)).getMessage());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "''|true true true true true",
    "--insecure|false false false false false",
    "--insecure=false|true true true true true",
    "--insecure-skip-all-tls-enforcement|true false false false true",
    "--insecure-skip-ingress-tls-enforcement|true false true true true",
    "--insecure-skip-egress-tls-enforcement|true true false true true",
    "--insecure-skip-upstream-tls-enforcement|true true true false true",
    "--insecure-skip-secure-default-rule-enforcement|false true true true true",
    "--insecure-skip-secure-trusted-proxies-enforcement|true true true true false",
  })
  void eachFlagGivesUpNoMoreThanItSays(String words, String expected) throws Arguments.UsageException {
    Enforcement e = Flags.enforcement(parse(words));
    assertEquals(expected, e.defaultRule() + " " + e.ingressTls() + " " + e.egressTls() + " " + e.upstreamTls() + " "
        + e.trustedProxies());
  }

  @Test
  void reportsWrittenOptions() throws Arguments.UsageException {
    assertEquals(List.of("--insecure"), Flags.insecure(parse("--insecure=false")));
    assertFalse(parse("").has("--insecure"));
    assertTrue(parse("--insecure").on("--insecure"));
  }
}

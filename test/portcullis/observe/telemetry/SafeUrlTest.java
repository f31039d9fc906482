package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeUrlTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "/a/b|/a/b",
    "/a?b=1&c=|/a?b=1&c=",
    "/a?access_token=x|/a?access_token=REDACTED",
    "/a?Access_Token=x&b=2|/a?Access_Token=REDACTED&b=2",
    "/a?b=eyJhbGciOiJIUzI1NiJ9|/a?b=REDACTED",
    "/a?eyJhbGciOiJIUzI1NiJ9|/a?REDACTED",
    "/a?b|/a?b",
    "/a?|/a?",
    "/a?&&b=1=2|/a?b=1=2",
  })
  void whatMayBeACredentialIsHidden(String target, String shown) {
    assertEquals(shown, SafeUrl.target(target));
  }
}

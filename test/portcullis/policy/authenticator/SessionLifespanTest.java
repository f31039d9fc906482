package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.ValueException;
import portcullis.policy.mechanism.Failure;

class SessionLifespanTest {
  /** The Unix second 1,000,000. */
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);

  private static SessionLifespan lifespan(String yaml) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> SessionLifespan.decoder().decode(node, problems)).orElseThrow();
  }

  private static String outcome(String yaml, String document) throws ValueException {
    try {
      lifespan(yaml).check(Json.read(document), NOW);
      return "counts";
    } catch (Failure e) {
      return e.report();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {}                              | counts
      {"active": true}                | counts
      {"active": 1}                   | counts
      {"active": "t"}                 | counts
      {"active": "TRUE"}              | counts
      {"active": false}               | authentication error: session validity error: not active
      {"active": null}                | authentication error: session validity error: not active
      {"active": 0}                   | authentication error: session validity error: not active
      {"active": "yes"}               | authentication error: session validity error: not active
      {"active": "false"}             | authentication error: session validity error: not active
      {"active": []}                  | authentication error: session validity error: not active
      {"exp": 1000000}                | counts
      {"exp": 999991}                 | counts
      {"exp": 999990}                 | authentication error: session validity error: expired
      {"exp": 0}                      | authentication error: session validity error: expired
      {"exp": -1}                     | authentication error: session validity error: expired
      {"exp": "4102444800"}           | counts
      {"exp": 4102444800.5}           | internal error: session lifespan parse error: failed parsing not_after field
      {"exp": "tomorrow"}             | internal error: session lifespan parse error: failed parsing not_after field
      {"exp": null}                   | internal error: session lifespan parse error: failed parsing not_after field
      {"exp": ""}                     | internal error: session lifespan parse error: failed parsing not_after field
      {"exp": 9223372036854775807}    | internal error: session lifespan parse error: failed parsing not_after field
      {"nbf": 1000010}                | counts
      {"nbf": 1000011}                | authentication error: session validity error: not yet valid
      {"nbf": {}}                     | internal error: session lifespan parse error: failed parsing not_before field
      {"iat": 1000010}                | counts
      {"iat": 1000011}                | authentication error: session validity error: issued in the future
      {"iat": true}                   | internal error: session lifespan parse error: failed parsing issued_at field
      """)
  void checksValidityOfSession(String document, String outcome) throws ValueException {
    assertEquals(outcome, outcome("{active: active, issued_at: iat, not_before: nbf, not_after: exp}", document));
  }

  @Test
  void theLeewayWidensTheLimits() throws ValueException {
    String paths = "issued_at: iat, not_before: nbf, not_after: exp, validity_leeway: ";
    String document = "{\"exp\": 999950, \"nbf\": 1000050, \"iat\": 1000050}";
    assertEquals("counts", outcome("{" + paths + "51s}", document));
    assertEquals("authentication error: session validity error: not yet valid",
        outcome("{" + paths + "49s}", document));
    assertEquals("authentication error: session validity error: expired",
        outcome("{" + paths + "0s}", "{\"exp\": 999990}"));
    assertEquals("counts", outcome("{" + paths + "0s}", "{\"exp\": 999991}"), "zero stands for ten seconds");
  }

  @Test
  void timesMayHaveALayoutOfGo() throws ValueException {
    String yaml = "{not_before: s.since, not_after: s.until, time_format: '2006-01-02T15:04:05.999999999Z07:00'}";
    assertEquals("counts", outcome(yaml, "{\"s\": {\"until\": \"2100-01-01T00:00:00Z\", \"since\": "
        + "\"1970-01-01T00:00:00.123+02:00\"}}"));
    assertEquals("authentication error: session validity error: expired", outcome(yaml, "{\"s\": {\"until\": "
        + "\"1970-01-02T00:00:00Z\"}}"));
    assertEquals("internal error: session lifespan parse error: failed parsing not_after field",
        outcome(yaml, "{\"s\": {\"until\": 4102444800}}"));
  }

  @Test
  void returnsEndOfSession() throws ValueException, Failure {
    assertEquals(Optional.of(Instant.ofEpochSecond(7)),
        lifespan("{not_after: exp}").notAfter(Json.read("{\"exp\": 7}")));
    assertEquals(Optional.empty(), lifespan("{not_after: exp}").notAfter(Json.read("{}")));
    assertEquals(Optional.empty(), lifespan("{}").notAfter(Json.read("{\"exp\": 7}")));
  }
}

package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is known of issuers ends in time, whatever the wall clock is set to. */
class ClockSetBackTest {
  private static final Duration BACK = Duration.ofHours(-3);
  private static final String METADATA = "/.well-known/openid-configuration";

  private final Bench bench = new Bench(new TestClock(), new TestClock());
  private final StubIssuer stub = new StubIssuer();
  private final Issuer key = Issuer.of("old");
  private final Issuer next = Issuer.of("next");
  private int tokens;

  private Bench.Made<JwtAuthenticator.Config> made() {
    return bench.make(JwtAuthenticator.TYPE,
        "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a]}}");
  }

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  /** The outcome for a token that nobody has seen before. */
  private String outcome(Bench.Made<?> made, Issuer issuer, String name) {
    return made
        .outcome(Bench.bearer(issuer.token("{\"iss\":\"" + name + "\",\"sub\":\"alice\",\"n\":" + tokens++ + "}")));
  }

  private void pass(Duration time) {
    bench.clock.pass(time);
    bench.steady.pass(time);
  }

  @Test
  void aWithdrawnKeyEndsInTime() {
    Bench.Made<?> made = made();
    stub.answer("/jwks", Issuer.jwks(key));
    assertEquals("alice", outcome(made, key, "a"));
    stub.answer("/jwks", Issuer.jwks(next));
    bench.clock.pass(BACK);
    pass(Duration.ofMinutes(7));
    assertEquals("alice", outcome(made, key, "a"), "within its ten minutes");
    pass(Duration.ofMinutes(3));
    String refused = outcome(made, key, "a");
    assertTrue(refused.startsWith("authentication error: no (unique) key found"), refused);
    assertEquals("alice", outcome(made, next, "a"));
  }

  @Test
  void keysThatAreFetchedLaterAreTheNewerOnes() {
    Bench.Made<?> made = made();
    stub.answer("/jwks", Issuer.jwks(key));
    assertEquals("alice", outcome(made, key, "a"));
    bench.clock.pass(BACK);
    stub.answer("/jwks", Issuer.jwks(next));
    stub.receivedCalls();
    pass(Duration.ofMinutes(11));
    for (int i = 0; i < 5; i++) {
      assertEquals("alice", outcome(made, next, "a"));
      pass(Duration.ofSeconds(1));
    }
    assertEquals("GET /jwks", stub.receivedCalls(), "once, not for each token");
  }

  @Test
  void cachedKeysFromTheFutureAreFetchedAgain() {
    stub.answer("/jwks", Issuer.jwks(key));
    assertEquals("alice", outcome(made(), key, "a"));
    assertEquals("alice", outcome(made(), key, "a"));
    assertEquals("GET /jwks", stub.receivedCalls(), "definitions share what is kept");
    bench.clock.pass(BACK);
    assertEquals("alice", outcome(made(), key, "a"));
    assertEquals("GET /jwks", stub.receivedCalls(), "of an age that nobody knows");
  }

  @Test
  void theLastGoodMetadataEndInTime() {
    stub.answer("/jwks", Issuer.jwks(key));
    stub.answer(METADATA, "{\"issuer\":\"" + stub.url("") + "\",\"jwks_uri\":\"" + stub.url("/jwks") + "\"}");
    Bench.Made<?> made = bench.make(JwtAuthenticator.TYPE, "{metadata_endpoint: {url: '" + stub.url(METADATA) + "'}}");
    assertEquals("alice", outcome(made, key, stub.url("")));
    stub.answer(METADATA, StubIssuer.saying(500, ""));
    bench.clock.pass(BACK);
    pass(Duration.ofMinutes(50));
    assertEquals("alice", outcome(made, key, stub.url("")), "within their hour");
    pass(Duration.ofMinutes(11));
    String refused = outcome(made, key, stub.url(""));
    assertTrue(refused.endsWith("unexpected response code: 500"), refused);
  }
}

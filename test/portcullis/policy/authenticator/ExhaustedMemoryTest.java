package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.FullMemory;

/** Answers of remote services that cannot be parsed now are an error of their own, which is 503. */
class ExhaustedMemoryTest {
  private static final String EXHAUSTED = "resources exhausted: too much is being parsed at once";
  private static final String LONG = "\"" + "x".repeat(20_000) + "\"";

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  @Test
  void introspectionResponse() {
    stub.answer("/in", "{\"active\":true,\"sub\":\"alice\",\"more\":" + LONG + "}");
    Bench.Made<?> made = bench.make(Introspection.TYPE,
        "{introspection_endpoint: {url: '" + stub.url("/in") + "'}, cache_ttl: 0s}");
    try (FullMemory _ = new FullMemory()) {
      assertEquals(EXHAUSTED, made.outcome(Bench.bearer("t")));
    }
    assertEquals("alice", made.outcome(Bench.bearer("t")));
  }

  @Test
  void jwks() {
    Issuer key = Issuer.of("k");
    stub.answer("/jwks", Issuer.jwks(key).replaceFirst("\\{", "{\"more\":" + LONG + ","));
    Bench.Made<?> made = bench.make(JwtAuthenticator.TYPE,
        "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a]}}");
    String token = key.token("{\"iss\":\"a\",\"sub\":\"alice\"}");
    try (FullMemory _ = new FullMemory()) {
      assertEquals(EXHAUSTED, made.outcome(Bench.bearer(token)));
    }
    assertEquals("alice", made.outcome(Bench.bearer(token)));
  }

  @Test
  void metadata() {
    Issuer key = Issuer.of("k");
    stub.answer("/jwks", Issuer.jwks(key));
    String path = "/.well-known/openid-configuration";
    stub.answer(path, "{\"issuer\":\"" + stub.url("") + "\",\"jwks_uri\":\"" + stub.url("/jwks") + "\",\"more\":"
        + LONG + "}");
    Bench.Made<?> made = bench.make(JwtAuthenticator.TYPE, "{metadata_endpoint: {url: '" + stub.url(path) + "'}}");
    String token = key.token("{\"iss\":\"" + stub.url("") + "\",\"sub\":\"alice\"}");
    try (FullMemory _ = new FullMemory()) {
      assertEquals("internal error: failed retrieving oauth2 server metadata: " + EXHAUSTED,
          made.outcome(Bench.bearer(token)));
    }
    assertEquals("alice", made.outcome(Bench.bearer(token)));
  }
}

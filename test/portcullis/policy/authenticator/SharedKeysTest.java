package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.fixture.Await;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;

/** Keys and metadata in the common cache, as several definitions see them. */
class SharedKeysTest {

  private final Bench bench = new Bench();
  private final StubIssuer issuer = new StubIssuer();
  private final Issuer key = Issuer.of("old");
  private final Issuer next = Issuer.of("next");
  private int tokens;

  @AfterEach
  void close() {
    bench.close();
    issuer.close();
  }

  private Bench.Made<?> definition(String life) {
    return bench.make(JwtAuthenticator.TYPE, "{jwks_endpoint: {url: '" + issuer.url("/jwks")
        + "'}, assertions: {issuers: [a]}, cache_ttl: " + life + "}");
  }

  /** The outcome for a token that was never verified before. */
  private String outcome(Bench.Made<?> definition, Issuer signer) {
    return definition.outcome(Bench.bearer(signer.token("{\"iss\":\"a\",\"sub\":\"alice\",\"n\":" + tokens++ + "}")));
  }

  /** Waits until the issuer got a request, and returns all requests. */
  private String awaitRequest() throws InterruptedException {
    Await.until(() -> !issuer.questions().isEmpty());
    return issuer.receivedCalls();
  }

  @Test
  void cachedKeysThatAreNotNewerAreFetchedAgain() throws InterruptedException {
    issuer.answer("/jwks", Issuer.jwks(key));
    Bench.Made<?> longer = definition("10m");
    Bench.Made<?> shorter = definition("5m");
    assertEquals("alice", outcome(longer, key));
    assertEquals("alice", outcome(shorter, key));
    assertEquals("GET /jwks", issuer.receivedCalls(), "the definitions share the response");
    bench.clock.pass(Duration.ofMinutes(4));
    assertEquals("alice", outcome(shorter, key));
    assertEquals("GET /jwks", awaitRequest(), "the cached response is the one to be replaced");
  }

  @Test
  void newerCachedKeysAreUsedWithoutFetch() throws InterruptedException {
    issuer.answer("/jwks", Issuer.jwks(key));
    Bench.Made<?> longer = definition("10m");
    Bench.Made<?> shorter = definition("5m");
    assertEquals("alice", outcome(longer, key));
    assertEquals("alice", outcome(shorter, key));
    bench.clock.pass(Duration.ofMinutes(5));
    issuer.receivedCalls();
    issuer.answer("/jwks", Issuer.jwks(key, next));
    assertEquals("alice", outcome(shorter, key));
    assertEquals("GET /jwks", issuer.receivedCalls());
    bench.clock.pass(Duration.ofMinutes(3));
    assertEquals("alice", outcome(longer, next), "refreshed from the cache in the last quarter of its lifetime");
    assertEquals("", issuer.receivedCalls());
  }

  @Test
  void cachedKeysLiveFromTheirFetch() {
    issuer.answer("/jwks", Issuer.jwks(key));
    assertEquals("alice", outcome(definition("5m"), key));
    bench.clock.pass(Duration.ofMinutes(3));
    Bench.Made<?> second = definition("5m");
    assertEquals("alice", outcome(second, key));
    assertEquals("GET /jwks", issuer.receivedCalls());
    bench.clock.pass(Duration.ofMinutes(2));
    assertEquals("alice", outcome(second, key));
    assertEquals("GET /jwks", issuer.receivedCalls(), "five minutes after the fetch of the first definition");
  }

  @Test
  void keyUsedForTheFirstTimeIsFetchedAgain() {
    issuer.answer("/jwks", Issuer.jwks(key, next));
    Bench.Made<?> definition = definition("10m");
    assertEquals("alice", outcome(definition, key));
    assertEquals("GET /jwks", issuer.receivedCalls());
    bench.clock.pass(Duration.ofSeconds(1));
    assertEquals("alice", outcome(definition, key));
    assertEquals("", issuer.receivedCalls());
    assertEquals("alice", outcome(definition, next));
    assertEquals("GET /jwks", issuer.receivedCalls(), "its lifetime begins with a fetch of its own");
    assertEquals("alice", outcome(definition, next));
    assertEquals("", issuer.receivedCalls());
  }

  @Test
  void keyOfTokensWithoutIdIsInUse() {
    Issuer other = Issuer.of("other");
    issuer.answer("/jwks", Issuer.jwks(key, next, other));
    Bench.Made<?> definition = definition("10m");
    assertEquals("alice", outcome(definition, key));
    bench.clock.pass(Duration.ofSeconds(1));
    assertEquals("alice", definition.outcome(Bench.bearer(next.token(
        "{\"alg\":\"" + next.algorithm() + "\"}", "{\"iss\":\"a\",\"sub\":\"alice\"}"))));
    assertEquals("GET /jwks", issuer.receivedCalls());
    assertEquals("alice", outcome(definition, next));
    assertEquals("", issuer.receivedCalls(), "it is known already that it is in use");
    assertEquals("alice", outcome(definition, other));
    assertEquals("GET /jwks", issuer.receivedCalls());
  }

  /** Once more issuers than have room are known, the documents are fetched again, from the HTTP cache. */
  @Test
  void metadataDocumentsAreBounded() throws Failure {
    Bench.Made<JwtAuthenticator.Config> made = bench.make(JwtAuthenticator.TYPE, "{metadata_endpoint: {url: '"
        + issuer.url("/{{ .TokenIssuer }}") + "', disable_issuer_identifier_verification: true}, "
        + "assertions: {issuers: [a, b, c]}}");
    MetadataEndpoint at = ((IssuerEndpoint.Discovered) made.config().place()).metadata();
    MetadataDocuments documents = new MetadataDocuments(2);
    int[] sizes = new int[5];
    String[] names = {"a", "b", "a", "c", "b"};
    for (int i = 0; i < names.length; i++) {
      issuer.answer("/" + names[i],
          "{\"issuer\":\"" + names[i] + "\",\"jwks_uri\":\"" + issuer.url("/jwks") + "\"}");
      ServerMetadata found = documents.find(at, Value.dict("TokenIssuer", Value.of(names[i])), Duration.ofHours(1),
          bench.context(Enforcement.NONE));
      assertEquals(names[i], found.issuer());
      sizes[i] = documents.size();
    }
    assertEquals("[1, 2, 2, 1, 2]", Arrays.toString(sizes));
    assertEquals("GET /a; GET /b; GET /c", issuer.receivedCalls());
    documents.clear();
    assertEquals(0, documents.size());
  }
}

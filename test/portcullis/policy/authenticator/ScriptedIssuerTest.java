package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

/** An issuer in every kind of trouble, over real sockets: who has a token under a known key passes throughout. */
class ScriptedIssuerTest {
  private static final String CLAIMS = "{\"iss\":\"a\",\"sub\":\"alice\"}";
  private static final HttpHandler GARBAGE = StubIssuer.saying(200, "<html>{\"keys\":[");

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();
  private final Issuer key = Issuer.of("known");
  private final CountDownLatch slow = new CountDownLatch(1);
  private int tokens;

  private final Bench.Made<JwtAuthenticator.Config> made = bench.make(JwtAuthenticator.TYPE,
      "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a]}}");

  @AfterEach
  void close() {
    slow.countDown();
    bench.close();
    stub.close();
  }

  /** A token that nobody has seen before. */
  private String fresh() {
    return key.token("{\"iss\":\"a\",\"sub\":\"alice\",\"n\":" + tokens++ + "}");
  }

  private String outcome(String token) {
    return made.outcome(Bench.bearer(token));
  }

  /** Somebody asks with a key that nobody knows, which leads to a fetch; all others pass meanwhile and afterwards. */
  private String whileSomebodyAsksForAnUnknownKey(HttpHandler answer) throws Exception {
    stub.answer("/jwks", answer);
    bench.clock.pass(IssuerKeys.COOL_DOWN);
    int before = stub.questions().size();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> unknown = threads.submit(() -> outcome(Issuer.of("unknown" + tokens++).token(CLAIMS)));
      Await.until(() -> stub.questions().size() != before);
      for (int i = 0; i < 20; i++) {
        assertEquals("alice", outcome(fresh()));
      }
      String reported = unknown.get();
      assertEquals("alice", outcome(fresh()));
      assertEquals(before + 1, stub.questions().size());
      return reported;
    }
  }

  private void know() {
    stub.answer("/jwks", Issuer.jwks(key));
    assertEquals("alice", outcome(fresh()));
    bench.clock.pass(Duration.ofSeconds(1));
  }

  @Test
  void invalidResponseFailsOnlyItsRequest() throws Exception {
    know();
    assertTrue(whileSomebodyAsksForAnUnknownKey(GARBAGE).startsWith("internal error: failed to unmarshal received "
        + "jwks"));
  }

  @Test
  void endlessResponseFailsOnlyItsRequest() throws Exception {
    know();
    String reported = whileSomebodyAsksForAnUnknownKey(StubIssuer.flooding());
    assertTrue(reported.startsWith("communication error: request to JWKS endpoint"), reported);
  }

  @Test
  void slowResponseDelaysOnlyItsRequest() throws Exception {
    know();
    String reported = whileSomebodyAsksForAnUnknownKey(exchange -> await());
    assertTrue(reported.startsWith("communication timeout error: request to JWKS endpoint timed out"), reported);
  }

  private void await() {
    try {
      slow.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void brokenConnectionFailsOnlyItsRequest() throws Exception {
    know();
    String reported = whileSomebodyAsksForAnUnknownKey(exchange -> {
      exchange.sendResponseHeaders(200, 100);
      exchange.getResponseBody().write('{');
    });
    assertTrue(reported.startsWith("communication error: request to JWKS endpoint failed"), reported);
  }

  @Test
  void unknownKeysCauseOneFetchPerCoolDown() {
    know();
    stub.receivedCalls();
    for (int i = 0; i < 10_000; i++) {
      String reported = outcome(
          Issuer.encoded("{\"alg\":\"ES256\",\"kid\":\"" + i + "'; DROP TABLE keys; ../../\"}") + "."
              + Issuer.encoded(CLAIMS) + "." + Issuer.encoded("x".repeat(64)));
      assertTrue(reported.startsWith("authentication error: no (unique) key found for the keyID='" + i + "'"),
          reported);
      if (i % 100 == 0) {
        bench.clock.pass(Duration.ofMillis(10));
        assertEquals("alice", outcome(fresh()));
      }
    }
    assertEquals("GET /jwks", stub.receivedCalls());
    bench.clock.pass(IssuerKeys.COOL_DOWN);
    outcome(Issuer.of("one").token(CLAIMS));
    outcome(Issuer.of("more").tokenOfNoKey(CLAIMS));
    assertEquals("GET /jwks", stub.receivedCalls(), "tokens that name no key count as well");
  }

  @Test
  void aRotatedKeyIsFoundAtOnce() {
    know();
    Issuer next = Issuer.of("next");
    stub.answer("/jwks", Issuer.jwks(next));
    stub.receivedCalls();
    assertEquals("alice", outcome(next.token(CLAIMS)));
    assertEquals("alice", outcome(next.token("{\"iss\":\"a\",\"sub\":\"alice\",\"again\":1}")));
    assertEquals("GET /jwks", stub.receivedCalls());
    assertEquals("alice", outcome(fresh()), "the old one lives on");
    bench.clock.pass(Duration.ofMinutes(10));
    assertTrue(outcome(fresh()).startsWith("authentication error: no (unique) key found"), "to its end");
    assertEquals("alice", outcome(next.token(CLAIMS)));
  }

  @Test
  void lastGoodKeysBridgeAnIssuerThatIsDown() {
    know();
    stub.close();
    bench.clock.pass(Duration.ofMinutes(69));
    for (int i = 0; i < 20; i++) {
      assertEquals("alice", outcome(fresh()));
      bench.clock.pass(Duration.ofSeconds(2));
    }
    bench.clock.pass(Duration.ofMinutes(1));
    assertTrue(outcome(fresh()).startsWith("communication error: request to JWKS endpoint failed"));
    assertTrue(bench.logged().contains("keys of the issuer cannot be fetched, the last good ones stay in use"));
  }

  @Test
  void withoutCachingNothingBridges() {
    Bench.Made<?> off = made.refined("{cache_ttl: 0s}");
    stub.answer("/jwks", Issuer.jwks(key));
    assertEquals("alice", off.outcome(Bench.bearer(fresh())));
    stub.answer("/jwks", StubIssuer.saying(500, ""));
    assertEquals("communication error: unexpected response. code: 500", off.outcome(Bench.bearer(fresh())));
  }

  @Test
  void aHundredAtOnceShareOneFetch() throws Exception {
    CountDownLatch all = new CountDownLatch(1);
    stub.answer("/jwks", exchange -> {
      try {
        all.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      StubIssuer.saying(200, Issuer.jwks(key)).handle(exchange);
    });
    List<String> signed = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      signed.add(fresh());
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> outcomes = new ArrayList<>();
      for (String token : signed) {
        outcomes.add(threads.submit(() -> outcome(token)));
      }
      all.countDown();
      for (Future<String> one : outcomes) {
        assertEquals("alice", one.get());
      }
    }
    assertEquals("GET /jwks", stub.receivedCalls());
  }
}

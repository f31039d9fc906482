package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.StubService;
import portcullis.lang.value.Value;

class CachedCallTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicInteger count = new AtomicInteger();

  /** One that numbers its answers. */
  private StubService stub(String... fields) {
    return new StubService(_ -> StubService.ok("" + count.incrementAndGet(), fields));
  }

  private static Endpoint endpoint(StubService stub, String more) {
    return Setup.endpoint("{url: '" + stub.url("/x") + "', method: GET, http_cache: {enabled: true" + more + "}}");
  }

  private static String body(EndpointResponse reply) {
    return new String(reply.body(), StandardCharsets.ISO_8859_1);
  }

  private static String reported(Setup setup, Endpoint endpoint) throws CallFailure {
    return body(setup.say(endpoint));
  }

  @Test
  void anAnswerIsUsedAgainAsLongAsItAllows() throws CallFailure {
    try (StubService stub = stub("Cache-Control: max-age=10"); Setup setup = new Setup()) {
      Endpoint endpoint = endpoint(stub, "");
      assertEquals("1", reported(setup, endpoint));
      setup.later(SECOND.multipliedBy(9));
      EndpointResponse again = setup.say(endpoint);
      assertEquals("1 age 9", body(again) + " age " + again.headers().firstValue("Age").orElse(""));
      setup.later(SECOND);
      assertEquals("2", reported(setup, endpoint));
    }
  }

  @Test
  void withoutHttpCacheEveryoneAsks() throws CallFailure {
    try (StubService stub = stub("Cache-Control: max-age=10"); Setup setup = new Setup()) {
      String yaml = "{url: '" + stub.url("/x") + "', method: GET}";
      assertEquals("1", reported(setup, Setup.endpoint(yaml)));
      assertEquals("2", reported(setup, Setup.endpoint(yaml)));
    }
  }

  @Test
  void theConfiguredTimeCountsWhereAnAnswerSaysNothing() throws CallFailure {
    try (StubService silent = stub();
        StubService telling = stub("Cache-Control: max-age=1");
        Setup setup = new Setup()) {
      for (StubService stub : List.of(silent, telling)) {
        reported(setup, endpoint(stub, ", default_ttl: 10s"));
        setup.later(SECOND.multipliedBy(5));
        reported(setup, endpoint(stub, ", default_ttl: 10s"));
      }
      assertEquals(1, silent.receivedCalls().size());
      assertEquals(2, telling.receivedCalls().size());
    }
  }

  @Test
  void anEndpointMayKeepByItself() throws CallFailure {
    try (StubService stub = stub(); Setup setup = new Setup()) {
      CallOptions.HttpCache defaults = new CallOptions.HttpCache(Optional.of(true), Optional.of(SECOND));
      Endpoint unset = Setup.endpoint("{url: '" + stub.url("/x") + "', method: GET}").withDefaultCache(defaults);
      Endpoint off = Setup.endpoint("{url: '" + stub.url("/x") + "', method: GET, http_cache: {enabled: false}}")
          .withDefaultCache(defaults);
      assertEquals("1 1", reported(setup, unset) + " " + reported(setup, unset));
      assertEquals("2 3", reported(setup, off) + " " + reported(setup, off));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 206, 302, 400, 401, 403, 404, 410, 500, 503})
  void whatIsNotGoodIsNeverKept(int status) throws CallFailure {
    try (
        StubService stub = new StubService(
            _ -> StubService.answer(status, "", "Cache-Control: max-age=100"));
        Setup setup = new Setup()) {
      reported(setup, endpoint(stub, ", default_ttl: 1m"));
      reported(setup, endpoint(stub, ", default_ttl: 1m"));
      assertEquals(2, stub.receivedCalls().size());
    }
  }

  @ParameterizedTest
  @CsvSource({"GET, '', 1", "GET, max-age=10, 1", "HEAD, max-age=10, 1", "POST, '', 2", "POST, max-age=10, 1",
    "PUT, max-age=10, 2",
    "DELETE, max-age=10, 2"})
  void questionsByPostAreKeptOnlyIfTheAnswerSaysSo(String method, String control, int calls) throws CallFailure {
    try (
        StubService stub = new StubService(
            _ -> StubService.answer(200, "", control.isEmpty() ? "X: y" : "Cache-Control: " + control));
        Setup setup = new Setup()) {
      Endpoint endpoint = Setup.endpoint(
          "{url: '" + stub.url("/") + "', method: " + method + ", http_cache: {enabled: true, default_ttl: 10s}}");
      setup.say(endpoint);
      setup.say(endpoint);
      assertEquals(calls, stub.receivedCalls().size());
    }
  }

  @Test
  void differentRequestsNeverShareResponses() throws CallFailure {
    try (StubService stub = stub("Cache-Control: max-age=100"); Setup setup = new Setup()) {
      Endpoint plain = endpoint(stub, "");
      List<EndpointRequest> asks = new ArrayList<>();
      for (int round = 0; round < 2; round++) {
        asks.add(plain.request(Value.Dict.EMPTY));
        asks.add(plain.request(Value.Dict.EMPTY).forward("Authorization", "Bearer ann"));
        asks.add(plain.request(Value.Dict.EMPTY).forward("Authorization", "Bearer bob"));
        asks.add(plain.request(Value.Dict.EMPTY).cookie("sid", "1"));
        asks.add(plain.request(Value.Dict.EMPTY).cookie("sid", "2"));
        asks.add(plain.request(Value.Dict.EMPTY).body(new byte[] {1}));
      }
      for (int i = 0; i < asks.size(); i++) {
        assertEquals("" + (i % 6 + 1), body(plain.send(asks.get(i), setup.caller)));
      }
    }
  }

  @Test
  void clientsWithDifferentKeysShareNoResponses() throws CallFailure {
    try (StubService stub = stub("Cache-Control: max-age=100"); Setup setup = new Setup()) {
      String yaml = "{url: '%s', method: GET, http_cache: {enabled: true}, auth: {type: api_key, config: {in: "
          + "header, name: X-Key, value: %s}}}";
      assertEquals("1", reported(setup, Setup.endpoint(yaml.formatted(stub.url("/"), "one"))));
      assertEquals("2", reported(setup, Setup.endpoint(yaml.formatted(stub.url("/"), "two"))));
      assertEquals("1", reported(setup, Setup.endpoint(yaml.formatted(stub.url("/"), "one"))));
    }
  }

  @Test
  void aStaleAnswerIsConfirmedAndThenFreshAgain() throws CallFailure {
    try (StubService stub = new StubService(receivedCalls -> receivedCalls.field("If-None-Match").equals("\"a\"")
        ? StubService.answer(304, "", "Cache-Control: max-age=10", "X-New: yes", "Content-Encoding: gzip")
        : StubService.ok("first", "Cache-Control: max-age=10", "ETag: \"a\"", "Age: 3"));
        Setup setup = new Setup()) {
      Endpoint endpoint = endpoint(stub, "");
      setup.say(endpoint);
      setup.later(SECOND.multipliedBy(8));
      EndpointResponse confirmed = setup.say(endpoint);
      assertEquals(List.of("200", "first", "yes", ""), List.of("" + confirmed.status(), body(confirmed),
          confirmed.headers().firstValue("X-New").orElse(""),
          confirmed.headers().firstValue("Content-Encoding").orElse("")));
      setup.later(SECOND.multipliedBy(9));
      assertEquals("first", reported(setup, endpoint));
      assertEquals(2, stub.receivedCalls().size());
    }
  }

  @Test
  void anAnswerThatHasChangedTakesThePlaceOfTheStaleOne() throws CallFailure {
    try (
        StubService stub = new StubService(
            _ -> StubService.ok("" + count.incrementAndGet(), "Cache-Control: max-age=1",
                "ETag: \"" + count.get() + "\""));
        Setup setup = new Setup()) {
      Endpoint endpoint = endpoint(stub, "");
      for (int i = 1; i < 4; i++) {
        assertEquals("" + i, reported(setup, endpoint));
        setup.later(SECOND);
      }
      assertEquals("\"2\"", stub.last().field("If-None-Match"));
    }
  }

  @Test
  void freshResponseIsSharedWithOtherCallers() throws CallFailure {
    try (StubService stub = stub("Cache-Control: max-age=100"); Setup setup = new Setup()) {
      Endpoint endpoint = endpoint(stub, "");
      Endpoint anew = Setup.endpoint("{url: '" + stub.url("/x") + "', method: GET, headers: {Cache-Control: "
          + "no-cache}, http_cache: {enabled: true}}");
      assertEquals("1 1", reported(setup, endpoint) + " " + reported(setup, endpoint));
      assertEquals("2 3", reported(setup, anew) + " " + reported(setup, anew));
    }
  }

  @Test
  void concurrentRequestsShareOneCallIfAllowed() throws Exception {
    for (String control : List.of("max-age=10", "no-store")) {
      CountDownLatch receivedCalls = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      try (StubService stub = new StubService(_ -> {
        receivedCalls.countDown();
        await(go);
        return StubService.ok("" + count.incrementAndGet(), "Cache-Control: " + control);
      }); Setup setup = new Setup()) {
        Endpoint endpoint = endpoint(stub, "");
        List<FutureTask<String>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          FutureTask<String> one = new FutureTask<>(() -> reported(setup, endpoint));
          Thread.ofVirtual().start(one);
          all.add(one);
        }
        receivedCalls.await();
        go.countDown();
        List<String> bodies = new ArrayList<>();
        for (FutureTask<String> one : all) {
          bodies.add(one.get());
        }
        assertEquals(control.equals("no-store") ? 8 : 1, bodies.stream().distinct().count(), control);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anAnswerThatMayNotBeKeptIsNot() throws CallFailure {
    for (String field : List.of("Cache-Control: no-store, max-age=10", "Vary: *", "Cache-Control: max-age=0",
        "Expires: 0", "Age: 700")) {
      count.set(0);
      try (StubService stub = stub(field); Setup setup = new Setup()) {
        Endpoint endpoint = endpoint(stub, ", default_ttl: 10m");
        assertEquals("1 2", reported(setup, endpoint) + " " + reported(setup, endpoint), field);
      }
    }
  }

  @Test
  void failuresOfTheCallAreFailuresOfTheQuestion() {
    try (StubService stub = new StubService(_ -> ""); Setup setup = new Setup()) {
      Endpoint endpoint = endpoint(stub, "");
      for (int i = 0; i < 2; i++) {
        assertThrows(CallFailure.Unreachable.class, () -> reported(setup, endpoint));
      }
      assertTrue(stub.receivedCalls().size() >= 2);
    }
  }
}

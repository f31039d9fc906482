package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.StubService;

class RetryPolicyTest {
  private static final String RETRY = ", retry: {max_delay: 1ms, give_up_after: 2ms}}";

  private static String yaml(StubService stub) {
    return "{url: '" + stub.url("/") + "'" + RETRY;
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 409, 423, 429, 500, 502, 503, 504, 507})
  void retriesTransientFailure(int status) throws CallFailure {
    AtomicInteger calls = new AtomicInteger();
    try (
        StubService stub = new StubService(
            _ -> calls.incrementAndGet() < 3 ? StubService.answer(status, "") : StubService.OK);
        Setup setup = new Setup()) {
      assertEquals(200, setup.say(yaml(stub)).status());
      assertEquals(3, stub.receivedCalls().size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 302, 400, 401, 403, 404, 501})
  void acceptsAFinalResponseAtOnce(int status) throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.answer(status, ""));
        Setup setup = new Setup()) {
      assertEquals(status, setup.say(yaml(stub)).status());
      assertEquals(1, stub.receivedCalls().size());
    }
  }

  @Test
  void retriesFiveTimesAtMost() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.answer(503, "")); Setup setup = new Setup()) {
      assertEquals(503, setup.say(yaml(stub)).status());
      assertEquals(6, stub.receivedCalls().size());
    }
  }

  @Test
  void retriesPostAfterBrokenConnection() throws CallFailure {
    AtomicInteger calls = new AtomicInteger();
    try (StubService stub = new StubService(_ -> calls.incrementAndGet() < 2 ? "" : StubService.OK);
        Setup setup = new Setup()) {
      assertEquals(200, setup.say(yaml(stub)).status());
      assertEquals(List.of("POST", "POST"),
          stub.receivedCalls().stream().map(StubService.ReceivedRequest::method).toList());
    }
  }

  @Test
  void withoutRetriesThereIsOneCall() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.answer(503, "")); Setup setup = new Setup()) {
      assertEquals(503, setup.say(stub.url("/")).status());
      assertEquals(1, stub.receivedCalls().size());
    }
  }

  @Test
  void whereCallsAreNotMadeAnyMoreItDoesNotWait() {
    AtomicInteger calls = new AtomicInteger();
    RetryPolicy retry = new RetryPolicy(Duration.ofMinutes(1), Duration.ofMinutes(1));
    assertThrows(CallFailure.Unreachable.class, () -> retry.repeated(() -> {
      calls.incrementAndGet();
      throw new CallFailure.Unreachable("down");
    }, () -> true));
    assertEquals(1, calls.get());
  }

  @Test
  void waitsThatWouldTakeTooLongAreNotBegun() throws CallFailure {
    AtomicInteger calls = new AtomicInteger();
    RetryPolicy retry = new RetryPolicy(Duration.ofSeconds(31), Duration.ofHours(1));
    long begin = System.nanoTime();
    EndpointResponse reply = new EndpointResponse(503, HttpHeaders.of(Map.of(), (_, _) -> true), new byte[0]);
    assertEquals(503, retry.repeated(() -> {
      calls.incrementAndGet();
      return reply;
    }, () -> false).status());
    assertEquals(1, calls.get());
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(20).toNanos());
  }

  @Test
  void doesNotRetryFailedCredentials() {
    try (StubService tokens = new StubService(_ -> StubService.answer(500, ""));
        Setup setup = new Setup()) {
      String yaml = """
          url: http://localhost:1/
          retry: {max_delay: 1ms, give_up_after: 2ms}
          auth: {type: oauth2_client_credentials, config: {token_url: '%s', client_id: a, client_secret: b}}
          """.formatted(tokens.url("/"));
      assertThrows(CallFailure.Unauthenticated.class, () -> setup.say(yaml));
      assertEquals(1, tokens.receivedCalls().size());
    }
  }
}

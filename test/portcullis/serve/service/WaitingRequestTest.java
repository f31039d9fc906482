package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.lang.value.ParseMemory;
import portcullis.policy.lock.Lock;
import portcullis.serve.service.WaitingSite.Held;
import portcullis.serve.service.WaitingSite.Response;
import portcullis.serve.stream.StreamSettings;

/**
 * A request whose upstream does not respond for a while, with HTTP/2 on both sides: no thread waits for it, and it ends
 * as any other.
 */
class WaitingRequestTest {
  private static final String MESSAGE = "\0\0\0\0\2hi";

  WaitingSite site;

  /** Returns which sides have HTTP/2. */
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.BOTH;
  }

  /** Returns how many requests are sent at once. */
  int many() {
    return 1000;
  }

  private void start(boolean tls, String idle, Optional<Duration> maxAge) throws Exception {
    site = new WaitingSite(sides(), tls, idle, 2000, new StreamSettings(maxAge));
  }

  final void start() throws Exception {
    start(false, "2m", Optional.empty());
  }

  @AfterEach
  void stop() {
    site.close();
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,true", "false,false", "true,false"})
  void noThreadWaitsForAnUpstreamThatTakesItsTime(boolean tls, boolean call) throws Exception {
    start(tls, "2m", Optional.empty());
    Response response = site.ask("/x", call ? MESSAGE : "");
    Held held = site.held();
    assertEquals(call ? MESSAGE : "", held.body());
    site.awaitNoThread(1);
    assertEquals(List.of(), site.finished());
    assertEquals("1", site.active());
    held.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", response.text());
    assertEquals(Optional.of("0"),
        portcullis.http.message.WireResponse.of(response.get()).trailers().first("grpc-status"));
    String line = site.line();
    assertTrue(line.contains("\"_http_status_code\":200") && line.contains("\"_body_bytes_sent\":5"), line);
    assertTrue(line.contains("\"_access_granted\":true") && line.contains("\"_rule\":\"all\""), line);
    assertFalse(line.contains("_error"), line);
    assertEquals(1, site.resumed());
  }

  @Test
  void itIsRecordedOnce() throws Exception {
    start();
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitNoThread(1);
    held.answer().complete(WaitingSite.message("event"));
    response.text();
    String line = site.line();
    List<Observing.Seen> spans = site.observing.spans(3);
    assertEquals(List.of(1L, 2L, 3L), spans.stream().map(Observing.Seen::kind).sorted().toList());
    Observing.Seen server = spans.stream().filter(span -> span.kind() == 2).findFirst().orElseThrow();
    Observing.Seen sent = spans.stream().filter(span -> span.kind() == 3).findFirst().orElseThrow();
    assertEquals(server.id(), sent.parent());
    assertEquals("200", server.attributes().get("http.response.status_code"));
    assertTrue(line.contains(server.id()), line);
    Supplier<Map<String, String>> recorded = () -> site.observing.measured("http.server.request.duration");
    Await.until(() -> List.of("1 of time").equals(List.copyOf(recorded.get().values())));
    Map<String, String> durations = recorded.get();
    assertTrue(durations.toString().contains("http.response.status_code=200"), durations.toString());
    Await.until(() -> !site.decided().isEmpty());
    List<String> decided = site.decided();
    assertEquals(1, decided.size());
    assertTrue(decided.getFirst().contains("\"status\":200"), decided.toString());
    assertTrue(decided.getFirst().contains(server.id()), decided.toString());
  }

  @Test
  void aBodyThatItsRuleReadCountsAsLongAsItIsKept() throws Exception {
    start();
    long before = ParseMemory.PROCESS.used();
    Response response = site.ask("/reading", "x".repeat(10_000));
    Held held = site.held();
    site.awaitNoThread(1);
    for (int i = 0; i < 30; i++) { // its handler returns meanwhile
      assertTrue(ParseMemory.PROCESS.used() >= before + 10_000, "it is in the trail of its decision");
      Await.pause(10);
    }
    held.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", response.text());
    site.line();
    Await.until(() -> ParseMemory.PROCESS.used() == before);
  }

  /** How the wait for an upstream ends without its response, with what the client gets and what is logged. */
  private enum End {
    UPSTREAM_FAILS("502 ", "Failed to proxy request"), LOCKED("401 ", "ended: access is locked"),
    EXPIRED("401 ", "ended: the credential has expired"), REFUSED("403 ", "ended: the rules no longer allow it"),
    MAX_AGE("504 ", "ended: the maximum age is reached"), LATE("504 ", "no answer in time");

    private final String response;
    private final String error;

    End(String response, String error) {
      this.response = response;
      this.error = error;
    }
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.EnumSource(End.class)
  void whatEndsTheWaitIsAnswered(End how) throws Exception {
    start(false, how == End.LATE ? "9s" : "2m",
        how == End.MAX_AGE ? Optional.of(Duration.ofSeconds(5)) : Optional.empty());
    site.sessionSeconds = how == End.EXPIRED ? 6 : 600;
    String path = how == End.EXPIRED ? "/expiring?id=1" : how == End.REFUSED ? "/revalidated?id=1" : "/x";
    Response response = site.ask(path, MESSAGE);
    Held held = site.held();
    site.awaitNoThread(response);
    CountDownLatch answered = new CountDownLatch(1);
    switch (how) {
      case UPSTREAM_FAILS -> held.answer().complete(exchange -> {
        WireExchange.of(exchange).abort();
        await(answered);
      });
      case LOCKED -> lock();
      case REFUSED -> site.sessionSeconds = 0;
      case EXPIRED, MAX_AGE, LATE -> {
      }
    }
    assertEquals(how.response, response.text());
    answered.countDown();
    assertTrue(held.left().await(60, TimeUnit.SECONDS), "the request to the upstream ends, too");
    String line = site.line();
    assertTrue(line.contains(how.error), line);
    assertTrue(line.contains("\"_http_status_code\":" + how.response.strip()), line);
    List<String> decided = site.decided();
    assertEquals(1, decided.size());
    String kind = how == End.UPSTREAM_FAILS || how == End.LATE ? "upstream_error" : "ended";
    assertTrue(decided.getFirst().contains("\"error\":\"" + kind + "\""), decided.toString());
  }

  /** A handler that returns without a response would send one of its own behind what it has sent. */
  private static void await(CountDownLatch latch) {
    try {
      latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lock() {
    site.locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command", Instant.now(),
        Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRequestToTheUpstreamEndsWhenItsClientLeaves(boolean tls) throws Exception {
    start(tls, "2m", Optional.empty());
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitNoThread(1);
    response.thread().interrupt();
    assertTrue(held.left().await(60, TimeUnit.SECONDS), "the request to the upstream ends, too");
    String line = site.line();
    assertTrue(line.contains("\"_error\":\"the client has gone\""), line);
    assertTrue(line.contains("\"_http_status_code\":0"), line);
    assertEquals(1, site.decided().size());
  }

  @Test
  void otherRequestsOfTheConnectionsGoOn() throws Exception {
    start();
    List<Response> responses = List.of(site.ask("/1", MESSAGE), site.ask("/2", MESSAGE));
    Held first = site.held();
    Held second = site.held();
    site.awaitNoThread(2);
    boolean inOrder = first.exchange().getRequestURI().getPath().equals("/1");
    responses.get(inOrder ? 0 : 1).thread().interrupt();
    assertTrue(first.left().await(60, TimeUnit.SECONDS));
    second.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", responses.get(inOrder ? 1 : 0).text());
    Await.until(() -> site.client.connections() == 1);
  }

  @Test
  void itHasItsPlaceUntilItsEnd() throws Exception {
    site = new WaitingSite(sides(), false, "2m", 1, StreamSettings.DEFAULT);
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitNoThread(1);
    assertEquals("503 ", site.ask("/y", "").text());
    held.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", response.text());
    site.line();
    Response next = site.ask("/z", MESSAGE);
    site.held().answer().complete(WaitingSite.message("next"));
    assertEquals("200 next", next.text());
  }

  @Test
  void interimResponsesArePassedOnDuringTheWait() throws Exception {
    start();
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitNoThread(1);
    WireExchange.of(held.exchange()).inform(103, Fields.of("Link", "</a>"));
    Await.until(() -> !site.interim.isEmpty());
    held.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", response.text());
    assertFalse(site.line().contains("_error"));
  }

  @Test
  void aStopWaitsForIt() throws Exception {
    start();
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitNoThread(1);
    Thread stopping = Thread.ofVirtual().start(() -> site.listener.stop(Duration.ofMinutes(1)));
    Await.until(() -> !stopping.isAlive() || site.isShut());
    held.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", response.text());
    stopping.join();
    assertTrue(site.line().contains("\"_http_status_code\":200"), site.finished().toString());
  }

  @Test
  void aStopEndsItWhenItsTimeIsOver() throws Exception {
    start();
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitNoThread(1);
    site.listener.stop(Duration.ofMillis(100));
    assertTrue(held.left().await(60, TimeUnit.SECONDS), "the request to the upstream ends, too");
    assertEquals("503 ", response.text());
    String line = site.line();
    assertTrue(line.contains("\"_error\":\"ended: the service stops\""), line);
    assertTrue(line.contains("\"_http_status_code\":503"), line);
  }

  @Test
  void manyWaitWithoutThreads() throws Exception {
    start();
    int many = many();
    List<Response> responses = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      responses.add(site.ask("/" + i, MESSAGE));
    }
    Map<String, Held> all = new HashMap<>();
    for (int i = 0; i < many; i++) {
      Held one = site.held();
      all.put(one.exchange().getRequestURI().getPath(), one);
    }
    site.awaitNoThread(many);
    assertEquals(Integer.toString(many), site.active());
    for (int i = 0; i < many; i++) {
      if (i % 10 == 0) {
        responses.get(i).thread().interrupt();
      } else {
        all.get("/" + i).answer().complete(WaitingSite.message("event" + i));
      }
    }
    for (int i = 0; i < many; i++) {
      if (i % 10 == 0) {
        assertTrue(all.get("/" + i).left().await(60, TimeUnit.SECONDS));
      } else {
        assertEquals("200 event" + i, responses.get(i).text());
      }
    }
    Await.until(() -> site.finished().size() == many && site.active().equals("0"));
    Await.until(() -> site.streams.active().values().stream().mapToInt(n -> n).sum() == 0);
    assertEquals(many, site.resumed());
    assertEquals(many, site.decided().size());
  }

  @Test
  void aThreadWaitsWhereItCannotWaitWithoutOne() throws Exception {
    start();
    site.breaks = true;
    Response response = site.ask("/x", MESSAGE);
    Held held = site.held();
    site.awaitLine("IllegalStateException: a bug");
    held.answer().complete(WaitingSite.message("event"));
    assertEquals("200 event", response.text());
    String line = site.line();
    assertTrue(line.contains("\"_http_status_code\":200"), line);
    assertFalse(line.contains("_error"), line);
  }

  @Test
  void oneWithLittleTimeKeepsItsThread() throws Exception {
    start(false, "6s", Optional.empty());
    Response response = site.ask("/x", MESSAGE);
    site.held();
    assertEquals("504 ", response.text());
    assertTrue(site.line().contains("no answer in time"), site.line());
  }
}

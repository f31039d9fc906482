package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import portcullis.fixture.Await;
import portcullis.fixture.Footprint;
import portcullis.http.wire.MalformedMessageException;

/** Clients that keep the server waiting: each costs its own connection, for a while. */
class SlowClientsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final ServerLimits.Waits PATIENT = new ServerLimits.Waits(LONG, LONG, LONG, LONG, LONG, 0,
      Duration.ZERO, LONG);
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n";

  private static ServerLimits limits(ServerLimits.Waits waits) {
    return ServerLimits.DEFAULT.withWaits(waits);
  }

  private static ServerLimits.Waits waits(String which) {
    return switch (which) {
      case "firstByte" -> new ServerLimits.Waits(LONG, SHORT, LONG, LONG, LONG, 0, Duration.ZERO, LONG);
      case "idle" -> new ServerLimits.Waits(LONG, LONG, SHORT, LONG, LONG, 0, Duration.ZERO, LONG);
      case "head" -> new ServerLimits.Waits(LONG, LONG, LONG, SHORT, LONG, 0, Duration.ZERO, LONG);
      case "body" -> new ServerLimits.Waits(LONG, LONG, LONG, LONG, SHORT, 0, Duration.ZERO, LONG);
      case "request" -> new ServerLimits.Waits(LONG, LONG, LONG, LONG, LONG, 0, SHORT, LONG);
      case "write" -> new ServerLimits.Waits(LONG, LONG, LONG, LONG, LONG, 0, Duration.ZERO, SHORT);
      default -> PATIENT;
    };
  }

  private record Row(String limit, String reported, List<Integer> answered) {}

  private static final String CHUNK = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";

  private static final List<Row> ROWS = List.of(new Row("firstByte", "", List.of()), new Row("idle", GET, List.of(200)),
      new Row("head", "GE", List.of(408)), new Row("head", GET + "GE", List.of(200, 408)),
      new Row("head", GET.substring(0, 20), List.of(408)),
      new Row("body", POST, List.of(408)), new Row("body", POST + "half", List.of(408)),
      new Row("body", CHUNK, List.of(408)),
      new Row("request", POST + "half", List.of(408)), new Row("request", CHUNK, List.of(408)));

  @TestFactory
  List<DynamicTest> isCutOffWhenLate() {
    return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.toString(), () -> {
      try (TestServer server = new TestServer(limits(waits(row.limit)), TestServer::echo);
          RawClient client = RawClient.of(server)) {
        List<Integer> statuses = client.say(row.reported).answers().stream().map(RawClient.Answer::status).toList();
        assertEquals(row.answered, statuses);
        assertEquals(statuses.contains(408), server.reports().stream().anyMatch(r -> r.status() == 408));
      }
    })).toList();
  }

  @Test
  void drippingAHeadDoesNotProlongIt() throws Exception {
    try (TestServer server = new TestServer(limits(waits("head")), TestServer::echo);
        RawClient client = RawClient.of(server)) {
      Thread drip = Thread.startVirtualThread(() -> {
        try {
          client.say("GET / HTTP/1.1\r\nHost: h\r\nA: ");
          while (!Thread.interrupted()) {
            client.socket().getOutputStream().write('a');
            Await.pause(20);
          }
        } catch (IOException | InterruptedException e) {
          // cut off
        }
      });
      assertEquals(List.of(408), client.answers().stream().map(RawClient.Answer::status).toList());
      drip.interrupt();
      drip.join();
    }
  }

  @Test
  void aBodyHasToKeepUpItsRate() throws Exception {
    ServerLimits.Waits waits = new ServerLimits.Waits(LONG, LONG, LONG, LONG, Duration.ofMillis(300), 1_000_000,
        Duration.ZERO, LONG);
    LinkedBlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(limits(waits), exchange -> {
      try {
        exchange.getRequestBody().readAllBytes();
      } catch (MalformedMessageException e) {
        statuses.add(e.status());
        throw e;
      }
    }); RawClient client = RawClient.of(server)) {
      client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n");
      Thread drip = Thread.startVirtualThread(() -> {
        try {
          while (!Thread.interrupted()) {
            client.socket().getOutputStream().write(new byte[1000]);
            Await.pause(20);
          }
        } catch (IOException | InterruptedException e) {
          // cut off
        }
      });
      assertEquals(408, statuses.poll(20, TimeUnit.SECONDS));
      drip.interrupt();
      drip.join();
    }
  }

  @Test
  void aSteadyUploadMayTakeAsLongAsItLikes() throws Exception {
    ServerLimits.Waits waits = new ServerLimits.Waits(LONG, LONG, LONG, SHORT, Duration.ofSeconds(2), 10,
        Duration.ZERO, LONG);
    try (TestServer server = new TestServer(limits(waits), TestServer::echo); RawClient client = RawClient.of(server)) {
      client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 120\r\n\r\n");
      for (int i = 0; i < 12; i++) {
        client.say("0123456789");
        Await.pause(200);
      }
      assertEquals(120, client.answer().body().length());
    }
  }

  @Test
  void whoDoesNotReadIsCutOff() throws Exception {
    LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(limits(waits("write")), exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try {
        while (true) {
          exchange.getResponseBody().write(new byte[100_000]);
        }
      } catch (IOException e) {
        ends.add(e.toString());
        throw e;
      }
    }); RawClient client = RawClient.of(server)) {
      client.say(GET);
      assertFalse(Optional.ofNullable(ends.poll(20, TimeUnit.SECONDS)).isEmpty());
    }
  }

  @Test
  void aSlowHandlerBreaksNothing() throws Exception {
    Duration s = SHORT;
    try (TestServer server = new TestServer(limits(new ServerLimits.Waits(s, s, s, s, s, 0, s, s)), exchange -> {
      pause(600);
      TestServer.echo(exchange);
    }); RawClient client = RawClient.of(server)) {
      assertEquals(200, client.say(GET).answer().status());
    }
  }

  private static void pause(long millis) {
    try {
      Await.pause(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void twoThousandSlowClientsDoNotDelayOthers() throws Exception {
    Footprint before = Footprint.now();
    slowly();
    before.awaitReturn(10, 20, 2 << 20);
  }

  private static void slowly() throws Exception {
    try (TestServer server = new TestServer(limits(PATIENT), TestServer::echo)) {
      List<RawClient> slow = new ArrayList<>();
      try {
        for (int i = 0; i < 2000; i++) {
          slow.add(RawClient.of(server).say(i % 2 == 0 ? "GET / HT" : POST + "half"));
        }
        CountDownLatch done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
          Thread.startVirtualThread(() -> serveWell(server, done));
        }
        assertTrue(done.await(20, TimeUnit.SECONDS));
        Await.until(() -> held(server) == 2000);
      } finally {
        for (RawClient client : slow) {
          client.close();
        }
      }
      Await.until(() -> held(server) == 0);
    }
  }

  private static void serveWell(TestServer server, CountDownLatch done) {
    try (RawClient good = RawClient.of(server)) {
      for (int n = 0; n < 200; n++) {
        assertEquals(200, good.say(GET).answer().status());
      }
      done.countDown();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int held(TestServer server) {
    return ((WireServer) server.server()).connections();
  }
}

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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;

/** What clients lose where a server stops: nothing. */
class StopTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

  @Test
  void announcedStopsEndConnectionsAfterTheirResponses() throws Exception {
    try (TestServer server = new TestServer();
        RawClient before = RawClient.of(server);
        RawClient idle = RawClient.of(server)) {
      assertEquals("", before.say(GET).answer().header("Connection"));
      assertEquals("", idle.say(GET).answer().header("Connection"));
      ((WireServer) server.server()).endAfterResponses();
      assertEquals("close", before.say(GET).answer().header("Connection"));
      assertEquals("", before.read(1), "it has ended");
      try (RawClient later = RawClient.of(server)) {
        assertEquals("close", later.say(GET).answer().header("Connection"));
      }
      assertEquals("close", idle.say(GET).answer().header("Connection"), "idle connections go on");
    }
  }

  @Test
  void connectionsThatTheSystemHasAcceptedAreServed() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestServer server = new TestServer()) {
      for (int i = 0; i < 300; i++) {
        clients.add(RawClient.of(server).say(GET));
      }
      ((WireServer) server.server()).stop(Duration.ofSeconds(60));
      for (RawClient client : clients) {
        assertEquals(200, client.answer().status());
        client.close();
      }
      assertEquals(300, server.seen().size());
    }
  }

  /** Nobody can tell a connection whose first request is on its way from one that is never used. */
  @Test
  void newConnectionsHaveAMomentForTheirFirstRequest() throws Exception {
    boolean served = false;
    for (int i = 0; i < 10 && !served; i++) { // a moment may pass on a busy machine
      try (TestServer server = new TestServer(); RawClient client = RawClient.of(server)) {
        Thread stop = Thread.startVirtualThread(() -> ((WireServer) server.server()).stop(Duration.ofSeconds(60)));
        Await.until(() -> !isListening(server) && stop.getState() != Thread.State.RUNNABLE);
        Optional<RawClient.Answer> answer = client.say(GET).answer("GET");
        served = answer.isPresent() && answer.get().header("Connection").equals("close");
        assertTrue(stop.join(Duration.ofSeconds(60)));
      }
    }
    assertTrue(served);
  }

  private static boolean isListening(TestServer server) {
    try (RawClient _ = RawClient.of(server)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** What they still have to do, as to record a response, would be lost. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStopWaitsForHandlersWhoseClientsHaveLeft(boolean isHttp2) throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (TestServer server = new TestServer(exchange -> {
      TestServer.answer(exchange, 200, "x");
      exchange.getResponseBody().close();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      done.incrementAndGet();
    })) {
      if (isHttp2) {
        try (Http2Client client = Http2Client.of(server)) {
          for (int id : List.of(1, 3)) {
            client.get(id, "/");
            client.answer(id);
          }
        }
      } else {
        try (RawClient client = RawClient.of(server)) {
          assertEquals(200, client.say(GET).answer().status());
        }
      }
      Thread stop = Thread.startVirtualThread(() -> ((WireServer) server.server()).stop(Duration.ofSeconds(60)));
      assertFalse(stop.join(Duration.ofMillis(300)));
      released.countDown();
      assertTrue(stop.join(Duration.ofSeconds(60)));
      assertEquals(isHttp2 ? 2 : 1, done.get());
    }
  }

  @Test
  void aConnectionThatIsNeverUsedDoesNotHoldUpAStop() throws Exception {
    try (TestServer server = new TestServer(); RawClient _ = RawClient.of(server)) {
      Thread stop = Thread.startVirtualThread(() -> ((WireServer) server.server()).stop(Duration.ofHours(1)));
      assertTrue(stop.join(Duration.ofSeconds(60)));
    }
  }
}

package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

/** Limits on how many there may be, and the end of all of them. */
class ConnectionLimitsTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

  private static ServerLimits counts(int connections, int peer, int requests) {
    return ServerLimits.DEFAULT.withCounts(new ServerLimits.Counts(connections, peer, requests, 0));
  }

  @Test
  void hasNoMoreConnectionsThanAllowed() throws Exception {
    for (ServerLimits limits : List.of(counts(2, 0, 0), counts(0, 2, 0))) {
      Semaphore inside = new Semaphore(0);
      Semaphore go = new Semaphore(0);
      try (TestServer server = new TestServer(limits, exchange -> {
        inside.release();
        go.acquireUninterruptibly();
        TestServer.echo(exchange);
      }); RawClient one = RawClient.of(server); RawClient two = RawClient.of(server)) {
        one.say(GET);
        two.say(GET);
        inside.acquire(2);
        try (RawClient three = RawClient.of(server)) {
          assertEquals(Optional.empty(), three.answer("GET"));
        }
        assertEquals(503, server.reports().take().status());
        go.release(1_000_000);
        assertEquals(200, one.end().answer().status());
        assertEquals(Optional.empty(), one.answer("GET"));
        assertEquals(200, eventuallyServed(server));
      }
    }
  }

  private static int eventuallyServed(TestServer server) throws IOException {
    for (int i = 0; i < 1000; i++) {
      try (RawClient client = RawClient.of(server)) {
        Optional<RawClient.Answer> answer = client.say(GET).answer("GET");
        if (answer.isPresent() && answer.get().status() != 503) {
          return answer.get().status();
        }
      }
    }
    return 0;
  }

  @Test
  void handlesNoMoreRequestsAtOnceThanAllowed() throws Exception {
    Semaphore inside = new Semaphore(0);
    Semaphore go = new Semaphore(0);
    try (TestServer server = new TestServer(counts(0, 0, 1), exchange -> {
      inside.release();
      go.acquireUninterruptibly();
      TestServer.echo(exchange);
    }); RawClient one = RawClient.of(server); RawClient two = RawClient.of(server)) {
      one.say(GET);
      inside.acquire();
      assertEquals(List.of(503), two.say(GET).answers().stream().map(RawClient.Answer::status).toList());
      assertEquals(503, server.reports().take().status());
      go.release(1_000_000);
      assertEquals(200, one.answer().status());
      assertEquals(200, eventuallyServed(server)); // the place is free a moment after the answer is there
    }
  }

  @Test
  void stopFinishesRequestsAndClosesIdleConnections() throws Exception {
    Semaphore inside = new Semaphore(0);
    CountDownLatch go = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      if (exchange.getRequestURI().getPath().equals("/slow")) {
        inside.release();
        await(go);
      }
      TestServer.echo(exchange);
    });
        RawClient idle = RawClient.of(server);
        RawClient fresh = RawClient.of(server);
        RawClient half = RawClient.of(server);
        RawClient busy = RawClient.of(server)) {
      assertEquals(200, idle.say(GET).answer().status());
      half.say("GET /half HT");
      busy.say("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
      inside.acquire();
      Thread stop = Thread.startVirtualThread(() -> server.server().stop(20));
      assertEquals(Optional.empty(), idle.answer("GET"));
      assertEquals(Optional.empty(), fresh.answer("GET"));
      assertEquals(Optional.empty(), half.answer("GET"));
      assertTrue(stop.isAlive());
      go.countDown();
      RawClient.Answer answer = busy.answer();
      assertEquals("200 close", answer.status() + " " + answer.header("Connection"));
      assertEquals(Optional.empty(), busy.answer("GET"));
      stop.join();
      assertFalse(accepts(server));
    }
  }

  private static boolean accepts(TestServer server) {
    try (RawClient client = RawClient.of(server)) {
      return client.say(GET).answer("GET").isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Test
  void stoppingWaitsForItsDelayAtMost() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> await(never)); RawClient busy = RawClient.of(server)) {
      busy.say(GET);
      Await.until(() -> !server.seen().isEmpty());
      long start = System.nanoTime();
      server.server().stop(1);
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertTrue(millis >= 900 && millis < 10_000, millis + " ms");
      assertEquals(Optional.empty(), busy.answer("GET"));
      never.countDown();
    }
  }

  @Test
  void stoppingAtOnceTakesNoTime() throws Exception {
    try (TestServer server = new TestServer(); RawClient client = RawClient.of(server)) {
      client.say(GET).answer();
      server.server().stop(10);
      assertEquals(Optional.empty(), client.answer("GET"));
    }
  }
}

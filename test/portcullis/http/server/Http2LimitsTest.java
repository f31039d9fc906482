package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.h2.Http2Error;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.wire.MalformedMessageException;

/** Clients of HTTP/2 that ask for too much, leave, or keep the server waiting. */
class Http2LimitsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  private static ServerLimits waits(Duration idle, Duration head, Duration body, Duration write) {
    return ServerLimits.DEFAULT
        .withWaits(new ServerLimits.Waits(LONG, LONG, idle, head, body, 0, Duration.ZERO, write));
  }

  private static Http2Client.Event last(Http2Client client) throws IOException {
    Http2Client.Event last = client.next();
    for (Http2Client.Event next = client.next(); !(next instanceof Http2Client.Event.Closed); next = client.next()) {
      last = next;
    }
    return last;
  }

  /** GOAWAY is lost where the client writes on for longer than the server reads on: then the connection is reset. */
  private static void calmed(TestServer server, Http2Client client) throws Exception {
    if (last(client) instanceof Http2Client.Event.GoAway goAway) {
      assertEquals(Http2Error.ENHANCE_YOUR_CALM, goAway.error());
    }
    Await.until(() -> server.reports().stream().anyMatch(report -> report.status() == 400));
  }

  private interface Flood {
    void next(Http2Client client, int i) throws IOException;
  }

  private static void flood(Http2Client client, Flood flood) {
    try {
      for (int i = 0; i < 100_000; i++) {
        flood.next(client, i);
      }
    } catch (IOException e) {
      // cut off
    }
  }

  private static void isCutOff(Flood flood) throws Exception {
    try (TestServer server = new TestServer();
        Http2Client client = Http2Client.narrow(server);
        Http2Client other = Http2Client.of(server)) {
      Thread flooding = Thread.startVirtualThread(() -> flood(client, flood));
      calmed(server, client);
      flooding.join();
      other.get(1, "/");
      assertEquals("200", other.answer(1));
    }
  }

  @Test
  void endsConnectionOfRapidResets() throws Exception {
    AtomicInteger most = new AtomicInteger();
    isCutOff((client, i) -> client.say(() -> {
      client.frames().headers(2 * i + 1, Http2Client.head("GET", "/"), Fields.NONE, true);
      client.frames().reset(2 * i + 1, Http2Error.CANCEL);
      most.set(i);
    }));
    assertTrue(most.get() < 100_000);
  }

  @Test
  void endsConnectionOfProvokedStreamErrors() throws Exception {
    isCutOff((client, i) -> client.say(() -> {
      client.frames().headers(2 * i + 1, Http2Client.head("POST", "/"), Fields.NONE, false);
      client.frames().windowUpdate(2 * i + 1, 0);
    }));
  }

  @Test
  void endsConnectionOfFrameFloods() throws Exception {
    isCutOff((client, i) -> client.bytes(0, 0, 1, i == 0 ? 1 : 9, 0, 0, 0, 0, 1, 0x82));
    isCutOff((client, i) -> client.bytes(0, 0, 0, i == 0 ? 1 : 9, 0, 0, 0, 0, 1));
    isCutOff((client, _) -> client.say(() -> client.frames().ping(new byte[8], false)));
    isCutOff((client, _) -> client.say(() -> client.frames().settings(4, 100)));
    isCutOff((client, i) -> client.say(() -> {
      if (i == 0) {
        client.frames().headers(1, Http2Client.head("POST", "/"), Fields.NONE, false);
      }
      client.frames().data(1, new byte[0], 0, 0, false);
    }));
  }

  @Test
  void endsConnectionOfWindowUpdateFloods() throws Exception {
    isCutOff((client, _) -> client.say(() -> client.frames().windowUpdate(0, 1)));
    isCutOff((client, i) -> client.say(() -> {
      if (i == 0) {
        client.frames().headers(1, Http2Client.head("POST", "/"), Fields.NONE, false);
      }
      client.frames().windowUpdate(1, 1);
    }));
    isCutOff((client, i) -> client.say(() -> {
      if (i == 0) {
        client.frames().headers(1, Http2Client.head("POST", "/"), Fields.NONE, false);
        client.frames().reset(1, Http2Error.CANCEL);
      }
      client.frames().windowUpdate(1, 1);
    }));
  }

  @Test
  void windowUpdatesForSentDataAreNoFlood() throws Exception {
    int frames = 5000;
    int size = 50;
    try (TestServer server = new TestServer(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(new byte[frames * size]);
      exchange.close();
    }); Http2Client client = Http2Client.of(server)) {
      client.say(() -> client.frames().settings(4, size));
      client.get(1, "/");
      int got = 0;
      while (got < frames * size) {
        Http2Client.Event event = client.next();
        if (event instanceof Http2Client.Event.Data data) {
          int bytes = data.bytes().length();
          got += bytes;
          client.say(() -> {
            client.frames().windowUpdate(0, bytes);
            client.frames().windowUpdate(1, bytes);
          });
        } else {
          assertInstanceOf(Http2Client.Event.Head.class, event);
        }
      }
      client.say(() -> client.frames().ping(new byte[8], false));
      Http2Client.Event last = client.next();
      assertInstanceOf(Http2Client.Event.Pong.class, last instanceof Http2Client.Event.Data ? client.next() : last);
    }
  }

  @Test
  void endsConnectionOfAnswersToNothing() throws Exception {
    isCutOff((client, _) -> client.say(() -> client.frames().ping(new byte[8], true)));
    isCutOff((client, _) -> client.say(() -> client.frames().settingsAck()));
    isCutOff((client, _) -> client.say(() -> client.frames().goAway(0, Http2Error.NO_ERROR)));
    isCutOff((client, i) -> client.say(() -> {
      if (i == 0) {
        client.frames().headers(1, Http2Client.head("POST", "/"), Fields.NONE, false);
        client.frames().reset(1, Http2Error.CANCEL);
      }
      client.frames().data(1, new byte[0], 0, 0, true);
    }));
  }

  @Test
  void refusesMoreStreamsThanAllowed() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      try {
        assertTrue(go.await(20, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      for (int i = 0; i < 129; i++) {
        client.get(2 * i + 1, "/");
      }
      assertEquals(new Http2Client.Event.Reset(257, Http2Error.REFUSED_STREAM), client.next());
      go.countDown();
      for (int i = 0; i < 128; i++) {
        assertInstanceOf(Http2Client.Event.Head.class, client.next());
      }
      client.get(259, "/");
      assertEquals("200", client.answer(259));
    }
  }

  @Test
  void endsConnectionOfIncompleteHeaderBlock() throws Exception {
    try (TestServer server = new TestServer(waits(LONG, SHORT, LONG, LONG), TestServer::echo);
        Http2Client client = Http2Client.of(server)) {
      client.bytes(0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82);
      assertInstanceOf(Http2Client.Event.GoAway.class, last(client));
      assertTrue(server.seen().isEmpty());
    }
  }

  @Test
  void endsIdleConnection() throws Exception {
    try (TestServer server = new TestServer(waits(SHORT, LONG, LONG, LONG), exchange -> {
      try {
        Await.pause(600);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      client.get(1, "/");
      assertEquals("200", client.answer(1), "it is not idle while a request is handled");
      assertEquals(new Http2Client.Event.GoAway(1, Http2Error.NO_ERROR), client.next());
      assertEquals(new Http2Client.Event.Closed(), client.next());
    }
  }

  @Test
  void answersStalledBodyWith408UnlessPausesAreAllowed() throws Exception {
    try (TestServer server = new TestServer(waits(LONG, LONG, SHORT, LONG), exchange -> {
      if (exchange.getRequestURI().getPath().equals("/allowed")) {
        ((WireExchange) exchange).allowPauses();
      }
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      client.post(1, "/allowed", "content-type", "application/grpc");
      client.post(3, "/", "content-type", "application/grpc");
      client.data(3, "half", false);
      assertEquals("408", client.answer(3));
      client.data(1, "late", true);
      assertEquals("200 late", client.answer(1));
    }
  }

  @Test
  void endsConnectionOfClientThatDoesNotRead() throws Exception {
    LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(waits(LONG, LONG, LONG, SHORT), exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try {
        while (true) {
          exchange.getResponseBody().write(new byte[10_000]);
        }
      } catch (IOException e) {
        ends.add(e.getMessage());
        throw e;
      }
    }); Http2Client client = Http2Client.of(server)) {
      client.say(() -> client.frames().settings(4, 100_000));
      client.get(1, "/");
      assertEquals("the peer does not take the data in time", ends.poll(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void resetsStreamOfBrokenResponse() throws Exception {
    LinkedBlockingQueue<Integer> errors = new LinkedBlockingQueue<>();
    CountDownLatch begun = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      if (exchange.getRequestMethod().equals("GET")) {
        ((WireExchange) exchange).respond(200, Fields.NONE, -1);
        exchange.getResponseBody().write("half".getBytes());
        exchange.getResponseBody().flush();
        throw new IOException("upstream broke off");
      }
      begun.countDown();
      try {
        exchange.getRequestBody().readAllBytes();
      } catch (MalformedMessageException e) {
        errors.add(e.status());
        throw e;
      }
    }); Http2Client client = Http2Client.of(server)) {
      client.get(1, "/");
      assertEquals("200 halfINTERNAL_ERROR", client.answer(1));
      client.post(3, "/");
      client.data(3, "half", false);
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      client.socket().close();
      assertEquals(400, errors.poll(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void resetEndsReadsAndWritesOfHandler() throws Exception {
    LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    CountDownLatch begun = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      begun.countDown();
      try {
        exchange.getRequestBody().readAllBytes();
      } catch (IOException e) {
        ends.add(e.getMessage());
        throw e;
      }
    }); Http2Client client = Http2Client.of(server)) {
      client.post(1, "/");
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      client.say(() -> client.frames().reset(1, Http2Error.CANCEL));
      assertEquals("the client has reset the stream", ends.poll(20, TimeUnit.SECONDS));
      client.get(3, "/");
    }
  }

  @Test
  void resetsWithNoErrorAfterEarlyResponse() throws Exception {
    try (TestServer server = new TestServer(exchange -> TestServer.answer(exchange, 401, "no"));
        Http2Client client = Http2Client.of(server)) {
      client.post(1, "/");
      client.data(1, "x".repeat(10_000), false);
      assertEquals("401 no", client.answer(1));
      assertEquals(new Http2Client.Event.Reset(1, Http2Error.NO_ERROR), client.next());
      client.post(3, "/");
      client.data(3, "x", true);
      assertEquals("401 no", client.answer(3));
    }
  }

  @Test
  void appliesSettingsBehindTheirAcknowledgement() throws Exception {
    try (TestServer server = new TestServer(exchange -> TestServer.answer(exchange, 200, "hello"))) {
      for (int i = 0; i < 100; i++) {
        try (Http2Client client = Http2Client.of(server)) {
          client.say(() -> {
            client.frames().settings(4, 0);
            client.frames().headers(1, Http2Client.head("GET", "/"), Fields.NONE, true);
            client.frames().settings(4, 5);
          });
          assertEquals("200 hello", client.answer(1));
          assertEquals(3, client.acknowledged());
        }
      }
    }
  }

  @Test
  void buffersNoMoreThanTheWindow() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      try {
        assertTrue(go.await(20, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      client.post(1, "/");
      for (int i = 0; i < 17; i++) {
        client.data(1, "x".repeat(16384), false);
      }
      assertEquals("FLOW_CONTROL_ERROR", client.answer(1));
      go.countDown();
    }
  }

  @Test
  void finishesOpenStreamsWhenStopped() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      inside.countDown();
      try {
        assertTrue(go.await(20, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server); Http2Client idle = Http2Client.of(server)) {
      client.get(1, "/");
      assertTrue(inside.await(20, TimeUnit.SECONDS));
      idle.say(() -> idle.frames().ping(new byte[8], false));
      assertEquals(new Http2Client.Event.Pong(), idle.next());
      Thread stop = Thread.startVirtualThread(() -> server.server().stop(20));
      assertEquals(new Http2Client.Event.GoAway(1, Http2Error.NO_ERROR), client.next());
      assertInstanceOf(Http2Client.Event.GoAway.class, last(idle));
      client.get(3, "/late");
      go.countDown();
      assertEquals("200", client.answer(1));
      stop.join();
      assertEquals(1, server.seen().size());
    }
  }

  @Test
  void refusesPrefaceWithoutFrames() throws Exception {
    try (TestServer server = new TestServer(waits(LONG, SHORT, LONG, LONG), TestServer::echo);
        RawClient client = new RawClient(new Socket(server.address().getAddress(), server.address().getPort()))) {
      assertEquals(400, client.say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").answer().status());
    }
  }
}

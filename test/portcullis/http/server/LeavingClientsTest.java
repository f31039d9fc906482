package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.http.h2.Http2Error;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;

/** Clients that leave while their request is handled, as its handler hears of it. */
class LeavingClientsTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);
  private final AtomicBoolean early = new AtomicBoolean();

  /** Watches the client and answers a while later, or as soon as it has left. */
  private void watch(HttpExchange exchange, int millis) throws IOException {
    exchange.getRequestBody().readAllBytes();
    CountDownLatch gone = new CountDownLatch(1);
    ((WireExchange) exchange).watchClient(() -> {
      left.countDown();
      gone.countDown();
    });
    begun.countDown();
    try {
      early.compareAndSet(false, gone.await(millis, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    TestServer.answer(exchange, 200, "ok");
  }

  private TestServer patient() throws IOException {
    return new TestServer(exchange -> watch(exchange, 60_000));
  }

  private TestServer slow() throws IOException {
    return new TestServer(exchange -> watch(exchange, 400));
  }

  private void assertNoticed() throws InterruptedException {
    assertTrue(left.await(20, TimeUnit.SECONDS), "it is noticed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "reset", "half"})
  void aClientThatLeavesIsNoticed(String how) throws Exception {
    try (TestServer server = patient(); RawClient client = RawClient.of(server)) {
      client.say(GET);
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      switch (how) {
        case "half" -> client.end();
        case "reset" -> {
          client.socket().setSoLinger(true, 0);
          client.socket().close();
        }
        default -> client.socket().close();
      }
      assertNoticed();
    }
  }

  @Test
  void aClientThatLeavesBehindABodyIsNoticed() throws Exception {
    try (TestServer server = patient()) {
      try (RawClient client = RawClient.of(server)) {
        client.say("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n");
        assertTrue(begun.await(20, TimeUnit.SECONDS));
      }
      assertNoticed();
    }
  }

  /** Until then no thread reads the connection, so that the exchange could be paused, but nobody has paused it. */
  @Test
  void aClientThatLeavesJustBeforeAPauseIsNoticed() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      WireExchange wire = (WireExchange) exchange;
      wire.watchClient(left::countDown);
      wire.respond(200, Fields.NONE, -1);
      wire.getResponseBody().flush();
      try {
        Await.until(() -> !wire.canPause());
        Await.until(wire::canPause);
        begun.countDown();
        left.await(15, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }); RawClient client = RawClient.of(server)) {
      client.say(GET);
      assertTrue(begun.await(40, TimeUnit.SECONDS));
      client.socket().close();
      assertNoticed();
    }
  }

  @Test
  void aClientThatLeavesInTlsIsNoticed() throws Exception {
    TestCertificate ca = CertificateDraft.authority("ca");
    TestCertificate gate = CertificateDraft.of("gate").hosts("localhost").issuedBy(ca).make();
    TestCertificate alice = CertificateDraft.of("alice").issuedBy(ca).make();
    try (TestServer server = new TestServer(ServerLimits.DEFAULT, new HttpsConfigurator(Tls.context(gate)),
        exchange -> watch(exchange, 60_000))) {
      try (SSLSocket client = Tls.connect(Tls.context(alice, ca), server.address(),
          List.of("http/1.1"))) {
        client.getOutputStream().write(GET.getBytes());
        assertTrue(begun.await(20, TimeUnit.SECONDS));
      }
      assertNoticed();
    }
  }

  @Test
  void aStreamThatItsClientResetsIsNoticed() throws Exception {
    try (TestServer server = patient(); Http2Client client = Http2Client.of(server)) {
      client.get(1, "/");
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      client.say(() -> client.frames().reset(1, Http2Error.CANCEL));
      assertNoticed();
    }
  }

  @Test
  void aConnectionOfStreamsThatEndsIsNoticed() throws Exception {
    try (TestServer server = patient()) {
      try (Http2Client client = Http2Client.of(server)) {
        client.get(1, "/");
        assertTrue(begun.await(20, TimeUnit.SECONDS));
      }
      assertNoticed();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5000, 7500})
  void aClientThatLeavesBehindRequestsAskedAheadIsNoticed(int length) throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      boolean first = exchange.getRequestURI().getPath().equals("/");
      if (!first) {
        second.countDown();
      }
      watch(exchange, first ? 400 : 60_000);
    }); RawClient client = RawClient.of(server)) {
      client.say(GET);
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      client.say("GET /second HTTP/1.1\r\nHost: h\r\n\r\nGET /third HTTP/1.1\r\nHost: h\r\nX-Long: "
          + "x".repeat(length) + "\r\n\r\n");
      assertEquals("ok", client.answer().body());
      assertTrue(second.await(20, TimeUnit.SECONDS));
      Await.pause(3000); // longer than a read of what was asked ahead takes
      client.socket().close();
      assertNoticed();
    }
  }

  @Test
  void aClientThatAsksAheadLosesNothing() throws Exception {
    try (TestServer server = slow(); RawClient client = RawClient.of(server)) {
      client.say(GET);
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      client.say("POST /second HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n").say("x".repeat(5000));
      client.say(GET);
      for (int i = 0; i < 3; i++) {
        assertEquals("ok", client.answer().body());
      }
      assertEquals(List.of("GET /", "POST /second", "GET /"), server.seen());
      assertFalse(early.get(), "it has not left");
    }
  }

  @Test
  void aClientThatStaysIsServedAgain() throws Exception {
    try (TestServer server = slow(); RawClient client = RawClient.of(server)) {
      for (int i = 0; i < 3; i++) {
        assertEquals("ok", client.say(GET).answer().body());
      }
      assertFalse(early.get(), "it has not left");
      assertEquals("", client.end().read(1));
    }
  }

  /** A connection that is read to notice its end cannot be handed over: that begins later where it may be wanted. */
  @ParameterizedTest
  @CsvSource({"400, true", "4000, false"})
  void aSlowUpgradeKeepsWhatItsClientSaysEarly(int millis, boolean direct) throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      CountDownLatch gone = new CountDownLatch(1);
      ((WireExchange) exchange).watchClient(gone::countDown);
      try {
        gone.await(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      try (Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket"))) {
        assertEquals(direct, tunnel.isDirect());
        tunnel.input().transferTo(tunnel.output());
      }
    }); RawClient client = new RawClient(new Socket(InetAddress.getLoopbackAddress(), server.address().getPort()))) {
      client.say("GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n").say("early");
      assertEquals(101, client.answer().status());
      assertEquals("early", client.read(5));
      assertEquals("later", client.say("later").read(5));
      assertEquals("", client.end().read(1));
    }
  }
}

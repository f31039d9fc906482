package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;

class UpgradeTest {
  private static final String ASK = "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

  private static TestServer echoing() throws IOException {
    return new TestServer(exchange -> {
      try (Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket", "X-A", "b"))) {
        byte[] some = new byte[100];
        for (int n = tunnel.input().read(some); n >= 0; n = tunnel.input().read(some)) {
          tunnel.output().write(some, 0, n);
        }
      }
    });
  }

  @Test
  void aTunnelCarriesBytesBothWaysUntilItIsClosed() throws Exception {
    try (TestServer server = echoing(); RawClient client = RawClient.of(server)) {
      RawClient.Answer answer = client.say(ASK + "early").answer();
      assertEquals(101, answer.status());
      assertEquals(Fields.of("Upgrade", "websocket", "X-A", "b", "Connection", "upgrade"), answer.fields());
      assertEquals("early", client.read(5));
      for (int i = 0; i < 100; i++) {
        assertEquals("ping" + i % 10, client.say("ping" + i % 10).read(5));
      }
      assertEquals("", client.end().read(1));
    }
  }

  @Test
  void aTunnelHandsOverItsConnectionAndWhatHasBeenRead() throws Exception {
    LinkedBlockingQueue<String> ahead = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      try (Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket"))) {
        assertTrue(tunnel.isDirect());
        Tunnel.Direct direct = tunnel.direct();
        ahead.add(new String(direct.ahead()));
        direct.channel().write(ByteBuffer.wrap("direct".getBytes()));
      }
    }); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK + "early").answer().status());
      assertEquals("early", ahead.poll(20, TimeUnit.SECONDS));
      assertEquals("direct", client.read(6));
      assertEquals("", client.read(1));
    }
  }

  /** A server whose handlers return while their connections are open. */
  private static TestServer handingOver(ServerLimits limits, BlockingQueue<Tunnel.Direct> open) throws IOException {
    return new TestServer(limits,
        exchange -> open.add(((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket")).direct()));
  }

  /** Pretends that bytes pass: what is quiet for a second may be ended where there is no room for others. */
  private static void useForLong(Tunnel.Direct direct) {
    direct.owner().used(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
  }

  private static String heard(Tunnel.Direct direct) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(10);
    direct.channel().read(into);
    return new String(into.array(), 0, into.position());
  }

  @Test
  void aHandedOverConnectionCountsUntilItsOwnerClosesIt() throws Exception {
    LinkedBlockingQueue<Tunnel.Direct> open = new LinkedBlockingQueue<>();
    ServerLimits limits = ServerLimits.DEFAULT.withCounts(new ServerLimits.Counts(0, 0, 1, 0));
    try (TestServer server = handingOver(limits, open);
        RawClient client = RawClient.of(server);
        RawClient other = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      Tunnel.Direct direct = open.poll(20, TimeUnit.SECONDS);
      client.say("question");
      assertEquals("question", heard(direct));
      useForLong(direct);
      assertEquals(503, other.say(ASK).answer().status());
      Await.until(() -> ((WireServer) server.server()).connections() == 1);
      direct.channel().write(ByteBuffer.wrap("answer".getBytes()));
      direct.owner().close();
      direct.owner().close();
      assertEquals("answer", client.read(100));
      Await.until(() -> ((WireServer) server.server()).connections() == 0);
      try (RawClient next = RawClient.of(server)) {
        assertEquals(101, next.say(ASK).answer().status());
        useForLong(open.poll(20, TimeUnit.SECONDS));
        try (RawClient onlyOne = RawClient.of(server)) {
          assertEquals(503, onlyOne.say(ASK).answer().status(), "the place was freed once");
        }
      }
    }
  }

  @Test
  void nothingOfItsExchangeIsKeptWhileAConnectionIsHandedOver() throws Exception {
    LinkedBlockingQueue<Tunnel.Direct> open = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<WeakReference<Object>> exchanges = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      exchanges.add(new WeakReference<>(exchange));
      open.add(((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket")).direct());
    }); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      WeakReference<Object> exchange = exchanges.poll(20, TimeUnit.SECONDS);
      Await.until(() -> {
        System.gc();
        return exchange.get() == null;
      });
      open.take().owner().close();
      assertEquals("", client.read(1));
    }
  }

  @Test
  void stoppingEndsTheInputOfAConnectionThatIsHandedOver() throws Exception {
    LinkedBlockingQueue<Tunnel.Direct> open = new LinkedBlockingQueue<>();
    try (TestServer server = handingOver(ServerLimits.DEFAULT, open); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      Tunnel.Direct direct = open.poll(20, TimeUnit.SECONDS);
      CountDownLatch stopped = new CountDownLatch(1);
      Thread.ofVirtual().start(() -> {
        server.server().stop(20);
        stopped.countDown();
      });
      assertEquals("", heard(direct));
      assertEquals(1, stopped.getCount());
      direct.owner().close();
      assertTrue(stopped.await(15, TimeUnit.SECONDS));
      assertEquals("", client.read(1));
    }
  }

  @Test
  void aServerThatHasStoppedClosesWhatIsHandedOver() throws Exception {
    LinkedBlockingQueue<Tunnel.Direct> open = new LinkedBlockingQueue<>();
    try (TestServer server = handingOver(ServerLimits.DEFAULT, open); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      Tunnel.Direct direct = open.poll(20, TimeUnit.SECONDS);
      server.server().stop(0);
      assertFalse(direct.channel().isOpen());
      assertEquals("", client.read(1));
    }
  }

  @Test
  void aHandlerThatFailsClosesWhatItHasHandedOver() throws Exception {
    LinkedBlockingQueue<Tunnel.Direct> open = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      open.add(((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket")).direct());
      throw new IOException("a bug");
    }); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      assertEquals("", client.read(1));
      assertFalse(open.take().channel().isOpen());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.0\r\nUpgrade: websocket\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello"})
  void noTunnelWithoutARequestForOne(String raw) throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      assertThrows(IOException.class, () -> ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket")));
      TestServer.answer(exchange, 400, "");
    }); RawClient client = RawClient.of(server)) {
      assertEquals(400, client.say(raw).answer().status());
    }
  }

  @Test
  void refusedUpgradeIsAnOrdinaryAnswer() throws Exception {
    try (TestServer server = new TestServer(exchange -> TestServer.answer(exchange, 403, "no"));
        RawClient client = RawClient.of(server)) {
      assertEquals(403, client.say(ASK).answer().status());
      assertEquals(403, client.say(ASK).answer().status());
    }
  }

  @Test
  void tunnelReadsTimeOutAndCanBeRepeated() throws Exception {
    LinkedBlockingQueue<String> reads = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      try (Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket"))) {
        tunnel.idleLimit(Duration.ofMillis(100));
        assertThrows(SocketTimeoutException.class, () -> tunnel.input().read());
        reads.add("late");
        tunnel.idleLimit(Duration.ofSeconds(20));
        reads.add(String.valueOf((char) tunnel.input().read()));
      }
    }); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      assertEquals("late", reads.poll(20, TimeUnit.SECONDS));
      client.say("x");
      assertEquals("x", reads.poll(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void oneSideMayEndItsOutput() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      try (Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket"))) {
        tunnel.output().write("bye".getBytes());
        tunnel.endOutput();
        assertEquals('x', tunnel.input().read());
      }
    }); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      assertEquals("bye", client.read(100));
      client.say("x");
    }
  }

  @Test
  void closingATunnelFromAnotherThreadEndsItsReads() throws Exception {
    LinkedBlockingQueue<Tunnel> open = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<Integer> reads = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket"));
      open.add(tunnel);
      reads.add(tunnel.input().read());
    }); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      open.take().close();
      assertEquals(-1, reads.poll(20, TimeUnit.SECONDS));
      assertEquals("", client.read(1));
    }
  }

  @Test
  void stoppingEndsTunnelsSoon() throws Exception {
    try (TestServer server = echoing(); RawClient client = RawClient.of(server)) {
      assertEquals(101, client.say(ASK).answer().status());
      long start = System.nanoTime();
      server.server().stop(20);
      assertTrue(System.nanoTime() - start < 10_000_000_000L);
      assertEquals("", client.read(1));
    }
  }
}

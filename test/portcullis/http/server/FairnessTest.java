package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.message.Fields;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;
import portcullis.lang.address.Network;

/** What one peer can take from the others: addresses of the loopback network stand for peers. */
class FairnessTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final String HALF = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf";

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Semaphore inside = new Semaphore(0);
  private final Semaphore go = new Semaphore(0);

  @AfterEach
  void close() throws Exception {
    go.release(1_000_000);
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private static ServerLimits limits(int connections, int requests) {
    return ServerLimits.DEFAULT.withCounts(new ServerLimits.Counts(connections, 0, requests, 75));
  }

  private TestServer server(ServerLimits limits) throws Exception {
    TestServer server = new TestServer(limits, exchange -> {
      if (exchange.getRequestURI().getPath().equals("/busy")) {
        inside.release();
        go.acquireUninterruptibly();
      }
      TestServer.echo(exchange);
    });
    open.add(server);
    return server;
  }

  private Socket socket(TestServer server, int peer) throws IOException {
    return new Socket(server.address().getAddress(), server.address().getPort(),
        InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) peer}), 0);
  }

  private RawClient client(TestServer server, int peer) throws IOException {
    RawClient client = new RawClient(socket(server, peer));
    open.add(client);
    return client;
  }

  private Optional<Integer> status(TestServer server, int peer, String request) throws IOException {
    return client(server, peer).say(request).answer("GET").map(RawClient.Answer::status);
  }

  /** Asks until it is served, with pauses, as room is looked for at most a hundred times a second. */
  private void awaitServed(TestServer server, int peer) throws InterruptedException {
    Await.until(() -> {
      boolean isServed = status(server, peer, GET).equals(Optional.of(200));
      if (!isServed) {
        Await.pause(20);
      }
      return isServed;
    });
  }

  private static void awaitReport(TestServer server, int status) throws InterruptedException {
    Optional<TestServer.Report> report = Optional.empty();
    while (report.isEmpty() || report.get().status() != status) {
      report = Optional.ofNullable(server.reports().poll(20, TimeUnit.SECONDS));
      assertTrue(report.isPresent(), "a refusal with " + status);
    }
  }

  private static String busy(String fields) {
    return "GET /busy HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
  }

  @Test
  void idleConnectionsOfOnePeerBlockNoOther() throws Exception {
    TestServer server = server(limits(64, 0));
    for (int i = 0; i < 200; i++) {
      client(server, 1).say(i % 3 == 0 ? "GET / HT" : i % 3 == 1 ? HALF : "");
    }
    assertEquals(Optional.of(200), status(server, 2, GET));
    awaitServed(server, 1); // its own idle connections make room for its new ones
    assertTrue(((WireServer) server.server()).connections() <= 64);
  }

  @Test
  void idleConnectionsOfAllPeersMakeRoom() throws Exception {
    TestServer server = server(limits(16, 0));
    for (int peer = 1; peer < 40; peer++) {
      client(server, peer);
      Await.pause(15); // room is looked for at most a hundred times a second
    }
    awaitServed(server, 99);
    assertTrue(((WireServer) server.server()).connections() <= 16);
  }

  @Test
  void busyConnectionsOfOnePeerLeaveRoom() throws Exception {
    TestServer server = server(limits(8, 0));
    for (int i = 0; i < 6; i++) {
      client(server, 1).say(busy(""));
      inside.acquire();
    }
    assertEquals(Optional.empty(), status(server, 1, GET));
    assertEquals("more connections at once than a peer's share", server.reports().take().what());
    assertEquals(Optional.of(200), status(server, 2, GET));
  }

  @Test
  void requestsOfOnePeerLeaveRoom() throws Exception {
    TestServer server = server(limits(0, 8));
    List<RawClient> held = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      held.add(client(server, 1).say(busy("")));
      inside.acquire();
    }
    assertEquals(Optional.of(503), status(server, 1, GET));
    assertEquals("more requests at once than a client's share", server.reports().take().what());
    assertEquals(Optional.of(200), status(server, 2, GET));
    go.release(1_000_000);
    for (RawClient one : held) {
      assertEquals(200, one.answer().status());
    }
    awaitServed(server, 1);
  }

  @Test
  void requestsThatSendNothingAreEndedFirst() throws Exception {
    TestServer server = server(limits(0, 8));
    List<RawClient> silent = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      silent.add(client(server, 1 + i).say(HALF));
      int seen = i;
      Await.until(() -> server.seen().size() > seen);
    }
    awaitServed(server, 20);
    int ended = 0;
    for (RawClient one : silent) {
      ended += one.say("whole").answer().status() == 408 ? 1 : 0;
    }
    assertTrue(ended >= 1 && ended <= 3, ended + " have ended, the others go on");
  }

  @Test
  void streamsThatSendNothingAreEndedFirst() throws Exception {
    TestServer server = server(limits(0, 8));
    Http2Client two = new Http2Client(socket(server, 1));
    open.add(two);
    for (int i = 0; i < 8; i++) {
      two.post(1 + 2 * i, "/", "content-type", "application/grpc");
    }
    awaitReport(server, 503); // the share is full
    awaitServed(server, 2);
    awaitServed(server, 1);
    awaitReport(server, 408);
  }

  private static void tunnel(HttpExchange exchange) throws IOException {
    try (Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket"))) {
      tunnel.input().transferTo(tunnel.output());
    }
  }

  private static boolean isOpen(RawClient tunnel) throws IOException {
    try {
      return tunnel.say("ping").read(4).equals("ping");
    } catch (SocketException e) {
      return false;
    }
  }

  @Test
  void quietTunnelsMakeRoomOneAtATime() throws Exception {
    TestServer server = new TestServer(limits(0, 8), exchange -> {
      if (exchange.getRequestURI().getPath().equals("/tunnel")) {
        tunnel(exchange);
      } else {
        TestServer.echo(exchange);
      }
    });
    open.add(server);
    List<RawClient> tunnels = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      tunnels.add(client(server, 1 + i).say("GET /tunnel HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n"));
      assertEquals(101, tunnels.getLast().answer().status());
    }
    awaitServed(server, 20);
    int ended = 0;
    for (RawClient one : tunnels) {
      ended += isOpen(one) ? 0 : 1;
    }
    assertTrue(ended >= 1 && ended <= 3, ended + " have ended, the others go on");
  }

  @Test
  void callsThatTrickleAreEndedAfterSilentOnes() throws Exception {
    TestServer server = server(limits(0, 8));
    List<Http2Client> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(new Http2Client(socket(server, 1 + i)));
      open.add(calls.getLast());
      calls.getLast().post(1, "/", "content-type", "application/grpc");
    }
    Thread drip = Thread.startVirtualThread(() -> {
      try {
        while (!Thread.interrupted()) {
          for (Http2Client call : calls) {
            call.data(1, "x", false);
          }
          Await.pause(100);
        }
      } catch (IOException | InterruptedException e) {
        // the test is over
      }
    });
    awaitServed(server, 20);
    drip.interrupt();
    drip.join();
    awaitReport(server, 408);
  }

  @Test
  void manyRequestsOfOthersWaitForRoom() throws Exception {
    TestServer server = server(limits(0, 64));
    for (int i = 0; i < 64; i++) {
      client(server, 1 + i).say(HALF);
      int seen = i;
      Await.until(() -> server.seen().size() > seen);
    }
    awaitServed(server, 100); // from now on they have been silent for a second
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> served = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        served.add(threads.submit(() -> {
          awaitServed(server, 100);
          return true;
        }));
      }
      for (Future<Boolean> one : served) {
        assertTrue(one.get());
      }
    }
  }

  @Test
  void refusedRequestsTakeNoSlot() throws Exception {
    RequestSlots slots = new RequestSlots(limits(0, 8), List::of);
    InetAddress greedy = InetAddress.getByName("127.0.0.1");
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<RequestSlots.Slot> held = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        held.add(slots.take(greedy, Fields.NONE));
      }
      AtomicBoolean over = new AtomicBoolean();
      for (int i = 0; i < 4; i++) {
        threads.submit(() -> {
          while (!over.get()) {
            slots.release(slots.take(greedy, Fields.NONE));
          }
        });
      }
      for (int i = 0; i < 20_000; i++) {
        RequestSlots.Slot other = slots.take(InetAddress.getByName("127.0.0.2"), Fields.NONE);
        assertTrue(other instanceof RequestSlots.Slot.Counted, other.toString());
        slots.release(other);
      }
      over.set(true);
      held.forEach(slots::release);
    }
  }

  @Test
  void sharesAreCountedForClientsBehindTrustedProxies() throws Exception {
    TrustedProxies proxies = new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow()));
    TestServer server = server(limits(10, 8).withProxies(proxies));
    for (int i = 0; i < 6; i++) {
      client(server, 1).say(busy("X-Forwarded-For: 6.6.6." + i + ", 203.0.113.7\r\n"));
      inside.acquire();
    }
    String same = GET.replace("\r\n\r\n", "\r\nX-Forwarded-For: 9.9.9.9, 203.0.113.7\r\n\r\n");
    assertEquals(Optional.of(503), status(server, 1, same));
    assertEquals(Optional.of(200), status(server, 1, same.replace("203.0.113.7", "203.0.113.8")));
    client(server, 1);
    client(server, 1);
    assertEquals(Optional.of(200), status(server, 2, GET), "the proxy may have all connections but idle ones make "
        + "room");
  }

  @Test
  void clientsCannotForgeTheirShare() throws Exception {
    TrustedProxies proxies = new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow()));
    TestServer server = server(limits(10, 8).withProxies(proxies));
    for (int i = 0; i < 6; i++) {
      client(server, 1).say(busy("Forwarded: for=6.6.6." + i + "\r\nX-Forwarded-For: 203.0.113.7\r\n"));
      inside.acquire();
    }
    String forged = GET.replace("\r\n\r\n", "\r\nForwarded: for=6.6.6.9\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n");
    assertEquals(Optional.of(503), status(server, 1, forged));
    assertEquals(Optional.of(200), status(server, 1, forged.replaceFirst("Forwarded: for=6.6.6.9\r\n", "")));
  }

  @Test
  void withoutShareAPeerMayHaveAll() throws Exception {
    TestServer server = server(ServerLimits.DEFAULT.withCounts(new ServerLimits.Counts(0, 0, 8, 0)));
    for (int i = 0; i < 8; i++) {
      client(server, 1).say(busy(""));
      inside.acquire();
    }
    assertEquals(Optional.of(503), status(server, 2, GET));
  }

  @Test
  void closesIdleConnectionsWhenDescriptorsRunOut() throws Exception {
    Descriptors descriptors = new Descriptors();
    WireServer server = WireServer.clear(ServerLimits.DEFAULT, RejectionListener.IGNORED, descriptors);
    server.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.createContext("/", TestServer::echo);
    server.start();
    try (RawClient idle = new RawClient(server.getAddress())) {
      assertEquals(200, idle.say(GET).answer().status());
      Await.until(() -> descriptors.shed() == 1); // the answer is there a moment before the connection is idle
      assertEquals(Optional.empty(), idle.answer("GET"));
    } finally {
      server.stop(0);
    }
    assertTrue(Descriptors.areMissing(new IOException("Too many open files (Accept failed)")));
    assertTrue(!Descriptors.areMissing(new IOException("Software caused connection abort")));
  }
}

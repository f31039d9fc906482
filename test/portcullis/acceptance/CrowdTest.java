package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;

/** What one client, as 127.0.0.2, can take from another at the built image, and what becomes of it when it leaves. */
class CrowdTest {
  private static final String GET = "GET /open/x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n";

  @TempDir
  private Path folder;

  private final List<Socket> open = new ArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() throws IOException {
    release.countDown();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    if (exchange.getRequestURI().getPath().equals("/open/slow")) {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    GuardedSite.hello(exchange);
  }

  private Socket connection(GuardedSite site) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port(), InetAddress.getByName("127.0.0.2"), 0);
    open.add(socket);
    return socket;
  }

  /** Asks on new connections until one is answered 200. */
  private static void awaitServed(GuardedSite site) throws InterruptedException {
    AtomicReference<String> answer = new AtomicReference<>("");
    Await.until(() -> {
      try {
        answer.set(site.exchange(GET));
      } catch (IOException e) {
        answer.set(e.toString());
      }
      return answer.get().startsWith("HTTP/1.1 200");
    }, () -> "no connection is served: " + answer);
  }

  private void idle(String more, int connections) throws IOException {
    try (GuardedSite site = GuardedSite.start(folder, this::serve, more)) {
      for (int i = 0; i < connections; i++) {
        connection(site);
      }
      assertTrue(site.exchange(GET).startsWith("HTTP/1.1 200"), "another address is served at once");
    }
  }

  @Test
  void idleConnectionsOfOneAddressBlockNoOther() throws Exception {
    idle(", request_limit: {connections: 512}", 600);
  }

  /** Opens calls of gRPC that send their heads and nothing more: streams on each of several connections. */
  private void silentCalls(GuardedSite site, int connections, int streams) throws IOException {
    for (int i = 0; i < connections; i++) {
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      frames.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
      frames.writeBytes(FramePeer.bytes(FramePeer.SETTINGS, 0, 0));
      byte[] head = FramePeer.block(":method", "POST", ":scheme", "http", ":authority", "a.test", ":path", "/open/slow",
          "content-type", "application/grpc", "te", "trailers");
      for (int stream = 0; stream < streams; stream++) {
        frames.writeBytes(FramePeer.bytes(FramePeer.HEADERS, FramePeer.END_HEADERS, 2 * stream + 1, head));
      }
      connection(site).getOutputStream().write(frames.toByteArray());
    }
  }

  @Test
  void callsOfOneAddressLeaveRequestsOfOthersRoom() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, this::serve, ", request_limit: {in_flight: 256}")) {
      silentCalls(site, 4, 100);
      areServed(site, 20);
    }
  }

  /** Sends bodies in frames of one byte, which are not read. */
  private static void trickle(Socket socket) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    frames.writeBytes(FramePeer.bytes(FramePeer.SETTINGS, 0, 0));
    byte[] head = FramePeer.block(":method", "POST", ":scheme", "http", ":authority", "a.test", ":path", "/open/slow");
    for (int stream = 1; stream < 8; stream += 2) {
      frames.writeBytes(FramePeer.bytes(FramePeer.HEADERS, FramePeer.END_HEADERS, stream, head));
      for (int i = 0; i < 200_000; i++) {
        frames.writeBytes(FramePeer.bytes(FramePeer.DATA, 0, stream, (byte) 'x'));
      }
    }
    try {
      socket.getOutputStream().write(frames.toByteArray());
    } catch (IOException e) {
      // ended, as it may be
    }
  }

  private static void areServed(GuardedSite site, int requests) throws IOException {
    for (int i = 0; i < requests; i++) {
      String answer = site.exchange(GET);
      assertTrue(answer.startsWith("HTTP/1.1 200"), "request " + i + " of another address: " + answer);
    }
    assertFalse(site.image().output().contains("OutOfMemory"), site.image().output());
  }

  @Test
  void framesThatAreNotReadLeaveMemoryForOthers() throws Exception {
    try (GuardedSite site = GuardedSite.startSmall(folder, this::serve)) {
      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Socket socket = connection(site);
        senders.add(Thread.startVirtualThread(() -> trickle(socket)));
      }
      for (int i = 0; i < 20; i++) {
        areServed(site, 5);
        Await.pause(100);
      }
      close();
      for (Thread sender : senders) {
        sender.join();
      }
    }
  }

  @Test
  void connectionsOfOneAddressLeaveMemoryForOthers() throws Exception {
    try (GuardedSite site = GuardedSite.startSmall(folder, this::serve)) {
      byte[] request = "GET /open/x HTTP/1.1\r\nHost: a.test\r\n\r\n".getBytes(ISO_8859_1);
      for (int i = 0; i < 7000; i++) {
        try {
          connection(site).getOutputStream().write(request);
        } catch (IOException e) {
          // beyond its share
        }
      }
      areServed(site, 20);
    }
  }

  @Test
  void withoutDescriptorsIdleConnectionsMakeRoom() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, this::serve)) {
      assertEquals(200, site.status("/open/x"));
      limitDescriptors(site, used(site) + 30);
      for (int i = 0; i < 100; i++) {
        connection(site);
      }
      awaitServed(site);
      site.image().await("connections cannot be accepted");
      assertFalse(site.image().output().contains("Exception:"), site.image().output());
    }
  }

  /** What the JDK's cryptography could not read once, it would not try to read again. */
  @Test
  void aStartThatRunsOutOfDescriptorsKeepsItsCryptography() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, this::serve)) {
      long free = used(site);
      limitDescriptors(site, 3);
      Await.pause(1000); // less is tried on a slow machine
      limitDescriptors(site, free + 200);
      awaitServed(site);
      assertFalse(site.image().output().contains("Exception"), site.image().output());
    }
  }

  private static long used(GuardedSite site) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(site.image().pid()), "fd"))) {
      return files.count();
    }
  }

  private static void limitDescriptors(GuardedSite site, long count) throws Exception {
    String pid = Long.toString(site.image().pid());
    assertEquals(0, new ProcessBuilder("prlimit", "--pid", pid, "--nofile=" + count + ":").start().waitFor());
  }

  @Test
  void aClientThatLeavesEndsItsUpstreamRequestAtOnce() throws Exception {
    CountDownLatch receivedCalls = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      receivedCalls.countDown();
      peer.awaitEnd();
      ended.countDown();
    }); GuardedSite site = GuardedSite.start(folder, this::serve, ", timeout: {read: 60s, write: 60s}")) {
      site.rules("""
          - id: silent
            match: {routes: [{path: /silent}]}
            forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: http}}
            execute: [{authenticator: anon}, {finalizer: noop}]
          """.formatted(upstream.port()) + site.rule("r", "/new"));
      site.awaitStatus("/new", 200);
      Socket client = connection(site);
      client.getOutputStream().write("GET /silent HTTP/1.1\r\nHost: a.test\r\n\r\n".getBytes(ISO_8859_1));
      assertTrue(receivedCalls.await(20, TimeUnit.SECONDS), "the upstream is asked");
      client.close();
      assertTrue(ended.await(30, TimeUnit.SECONDS), "its connection ends long before a timeout");
    }
  }
}

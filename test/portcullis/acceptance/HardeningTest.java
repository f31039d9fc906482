package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;

/** What the built image keeps from upstreams, and what it takes of clients. */
class HardeningTest {
  @TempDir
  private Path folder;

  /** Answers with the fields that reached it, a line each, names in small letters. */
  private static void mirror(HttpExchange exchange) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, List<String>> field : exchange.getRequestHeaders().entrySet()) {
      text.append(field.getKey().toLowerCase(Locale.ROOT)).append('=').append(String.join(",", field.getValue()))
          .append('\n');
    }
    byte[] body = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String get(String path, String fields) {
    return "GET " + path + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n" + fields + "\r\n";
  }

  @Test
  void removesProtectedHeadersOfClients() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, HardeningTest::mirror)) {
      site.rules(site.rule("quiet", "/quiet") + site.rule("telling", "/telling", "user"));
      site.awaitStatus("/telling", 200);
      for (String name : List.of("X-User", "x-user", "X_User", "X.User", "x_USER")) {
        String quiet = site.exchange(get("/quiet", name + ": admin\r\n"));
        assertTrue(quiet.startsWith("HTTP/1.1 200"), quiet);
        assertFalse(quiet.contains("admin"), name + " reached the upstream:\n" + quiet);
        String telling = site.exchange(get("/telling", name + ": admin\r\n"));
        assertTrue(telling.contains("\nx-user=anonymous\n"), telling);
        assertFalse(telling.contains("admin"), telling);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-user", "X-User, X-Forwarded-For", "close, x-user, forwarded"})
  void connectionOptionsCannotRemoveProtectedHeaders(String listed) throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, HardeningTest::mirror)) {
      site.rules(site.rule("telling", "/telling", "user"));
      site.awaitStatus("/telling", 200);
      String answer = site.exchange("GET /telling HTTP/1.0\r\nHost: a.test\r\nConnection: " + listed + "\r\n\r\n");
      assertTrue(answer.contains("\nx-user=anonymous\n"), answer);
      assertTrue(answer.contains("for=127.0.0.1") || answer.contains("x-forwarded-for=127.0.0.1"), answer);
    }
  }

  @Test
  void onlyARuleAllowsRequests() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, HardeningTest::mirror)) {
      for (String field : List.of("User-Agent: GoogleHC/1.0", "User-Agent: kube-probe/1.31", "X-Forwarded-Uri: /open/x",
          "X-Original-URL: /open/x", "X-Rewrite-Url: /open/x", "X-HTTP-Method-Override: OPTIONS")) {
        for (String path : List.of("/", "/health", "/ping", "/ready", "/.well-known/health", "/robots.txt")) {
          String answer = site.exchange(get(path, field + "\r\n"));
          assertTrue(answer.startsWith("HTTP/1.1 4"), path + " with " + field + ": " + answer);
        }
      }
    }
  }

  @Test
  void rejectsConnect() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, HardeningTest::mirror)) {
      assertTrue(site.exchange("CONNECT /open/x HTTP/1.1\r\nHost: a.test\r\n\r\n").matches("(?s)HTTP/1\\.1 40[05].*"));
      String answer = site.exchange("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\nGET /open/x "
          + "HTTP/1.1\r\nHost: a.test\r\n\r\n");
      assertTrue(answer.startsWith("HTTP/1.1 405"), answer);
      assertFalse(answer.contains(" 200"), answer);
    }
  }

  @Test
  void noTunnelUnlessTheUpstreamUpgrades() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, HardeningTest::mirror)) {
      String answer = site.exchange("GET /open/x HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: "
          + "websocket\r\n\r\n"
          + "GET /closed HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      assertTrue(answer.contains("HTTP/1.1 401"), "what follows an upgrade refused is a request like any: " + answer);
    }
  }

  /** Returns after how many nanoseconds a connection without a request ends, the least of several on a busy machine. */
  private static long fastestEnd(GuardedSite site) throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long begun = System.nanoTime();
      assertEquals("", site.exchange(""));
      least = Math.min(least, System.nanoTime() - begun);
    }
    return least;
  }

  @Test
  void whatClientsMayTakeIsConfigured() throws Exception {
    String limits = ", timeout: {read: 3s, head: 500ms, first_byte: 700ms}, request_limit: {header_fields: 20, body: "
        + "10B,"
        + " connections_per_peer: 8, in_flight: 1}";
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (GuardedSite site = GuardedSite.start(folder, exchange -> {
      if (exchange.getRequestURI().getPath().equals("/open/slow")) {
        arrived.countDown();
        await(release);
      }
      exchange.getRequestBody().readAllBytes();
      mirror(exchange);
    }, limits)) {
      assertEquals("HTTP/1.1 431", first(site.exchange(get("/open/x", "X-Many: y\r\n".repeat(20)))));
      assertEquals("HTTP/1.1 200", first(site.exchange(post(10))));
      assertEquals("HTTP/1.1 413", first(site.exchange(post(11))));
      assertEquals("HTTP/1.1 408", first(site.exchange("GET /open/x HTTP/1.1\r\nHost: a")));
      assertTrue(fastestEnd(site) < 2_500_000_000L, "a connection without a request is kept for too long");
      Thread slow = Thread.ofVirtual().start(() -> send(site, get("/open/slow", "")));
      arrived.await();
      assertEquals("HTTP/1.1 503", first(site.exchange(get("/open/x", ""))));
      release.countDown();
      slow.join();
      crowd(site);
    }
  }

  /** Eight connections of one address are taken, the ninth is closed. */
  private static void crowd(GuardedSite site) throws Exception {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) { // those before may not be over yet
        Await.until(() -> answer(site, open).equals("HTTP/1.1 200"));
      }
      assertEquals("", answer(site, open));
      assertEquals("", answer(site, open));
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  /** Returns the begin of the answer on a new connection, which is kept where that is a good one; empty if closed. */
  private static String answer(GuardedSite site, List<Socket> open) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port());
    socket.setSoTimeout(20_000);
    String begin;
    try {
      socket.getOutputStream().write("GET /open/x HTTP/1.1\r\nHost: a.test\r\n\r\n".getBytes(ISO_8859_1));
      begin = new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
    } catch (SocketException _) {
      begin = "";
    }
    if (begin.endsWith(" 200")) {
      open.add(socket);
    } else {
      socket.close();
    }
    return begin;
  }

  private static String post(int length) {
    return "POST /open/x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\n"
        + "b".repeat(length);
  }

  private static String first(String answer) {
    return answer.substring(0, Math.min(12, answer.length()));
  }

  private static void send(GuardedSite site, String request) {
    try {
      site.exchange(request);
    } catch (IOException _) {
      // what matters is what the others get
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RunningImage;

/** SIGTERM to the built image while requests are running. */
class DrainTest {
  private static final String STOPPING = "Tearing down service .*_service=";

  @TempDir
  private Path folder;

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  private static <T> FutureTask<T> started(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread.ofVirtual().start(future);
    return future;
  }

  private void hold() {
    arrived.countDown();
    try {
      release.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private GuardedSite held() throws IOException {
    return GuardedSite.start(folder, exchange -> {
      hold();
      GuardedSite.hello(exchange);
    }, ", timeout: {read: 60s, write: 60s}");
  }

  private static int port(RunningImage image, String service) {
    Matcher line = image.await("Starting listening .*_service=" + service + " _address=\\S*:(\\d+)");
    return Integer.parseInt(line.group(1));
  }

  /** Whether a new connection to the port gets no answer. */
  private static boolean isClosed(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write("GET /.well-known/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return answer.isEmpty();
    } catch (IOException _) {
      return true;
    }
  }

  /** Load balancers see it in time, and no request is lost. */
  @Test
  void requestsAreServedWhileTheShutdownIsDelayed() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello, ", shutdown_delay: 3s");
        Socket kept = new Socket(InetAddress.getLoopbackAddress(), site.port())) {
      int management = port(site.image(), "management");
      assertEquals(200, ready(management));
      assertTrue(!head(kept).contains("Connection:"));
      FutureTask<Integer> stopped = started(() -> site.image().stop());
      site.image().await("Not ready any more .*_stops_in=3s");
      assertEquals(503, ready(management));
      assertEquals(200, site.status("/open/x"));
      assertTrue(head(kept).contains("\r\nConnection: close\r\n"), "no client keeps a connection that will end");
      assertTrue(!stopped.isDone());
      assertEquals(0, stopped.get());
      assertTrue(isClosed(site.port()));
    }
  }

  /** Asks on that connection, and returns the head of the answer. */
  private static String head(Socket connection) throws IOException {
    connection.setSoTimeout(30_000);
    connection.getOutputStream()
        .write("HEAD /open/x HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    StringBuilder out = new StringBuilder();
    while (out.indexOf("\r\n\r\n") < 0) {
      int octet = connection.getInputStream().read();
      assertTrue(octet >= 0, () -> "the connection ended behind " + out);
      out.append((char) octet);
    }
    return out.toString();
  }

  private static int ready(int management) throws Exception {
    return Integer.parseInt(managed(management, "/ready").substring(0, 3));
  }

  /** Returns the status and the body of a response of the management service. */
  private static String managed(int management, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + path)).build(),
          HttpResponse.BodyHandlers.ofString());
      return response.statusCode() + " " + response.body();
    }
  }

  /** Who asks whether it lives would take a refused connection for its death. */
  @Test
  void probesAreAnsweredUntilTheLastRequestIsFinished() throws Exception {
    try (GuardedSite site = held()) {
      int management = port(site.image(), "management");
      FutureTask<Integer> slow = started(() -> site.status("/open/slow"));
      arrived.await();
      FutureTask<Integer> stopped = started(() -> site.image().stop());
      site.image().await(STOPPING + "proxy");
      assertTrue(isClosed(site.port()));
      assertEquals("503 {\"reasons\":[\"the service is shutting down\"],\"status\":\"not ready\"}",
          managed(management, "/ready"));
      assertEquals("200 {\"status\":\"live\"}", managed(management, "/live"));
      assertEquals("200 {\"status\":\"ok\"}", managed(management, "/.well-known/health"));
      assertTrue(!slow.isDone() && !stopped.isDone(), "the slow request is still running");
      release.countDown();
      assertEquals(200, slow.get());
      assertEquals(0, stopped.get());
      assertTrue(isClosed(management));
    }
  }

  @Test
  void aRequestWithoutEndIsCutOffAfterTenSeconds() throws Exception {
    try (GuardedSite site = held()) {
      FutureTask<Integer> endless = started(() -> site.status("/open/endless"));
      arrived.await();
      long begin = System.nanoTime();
      assertEquals(0, site.image().stop());
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(took.toSeconds() >= 9 && took.toSeconds() < 25, "took " + took);
      assertEquals(503, endless.get());
      site.image().await(
          "TX finished error=.ended: the service stops. .*_http_path=/open/endless .*_http_status_code=503 ");
      site.image().await("Portcullis stopped _duration_ms=\\d+ _broken_off=1");
      release.countDown();
    }
  }

  /** The number of entries that live for longer than the claim to fetch an answer, which takes seconds. */
  private static String stored(RedisServer redis) {
    return redis.say("eval \"local n = 0 for _, key in ipairs(redis.call('keys', '*')) do "
        + "if redis.call('pttl', key) > 10000 then n = n + 1 end end return n\" 0");
  }

  /** The answer that a request waits for is stored after the stop has begun. */
  @Test
  void redisIsUsedUntilTheLastRequestHasEnded() throws Exception {
    Needs.program("redis-server");
    HttpServer remote = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    remote.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    remote.createContext("/", exchange -> {
      hold();
      byte[] body = "{\"role\":\"admin\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    remote.start();
    int port = FreePort.next();
    try (RedisServer redis = RedisServer.start(folder);
        HttpClient client = HttpClient.newHttpClient()) {
      Files.writeString(folder.resolve("rules.yaml"), """
          version: 1alpha4
          rules:
          - id: r
            match: {routes: [{path: "/**"}]}
            execute: [{authenticator: anon}, {contextualizer: role}, {finalizer: role}]
          """);
      Files.writeString(folder.resolve("config.yaml"), """
          log: {level: info, format: text}
          tracing: {enabled: false}
          metrics: {enabled: false}
          serve: {host: 127.0.0.1, port: %d}
          management: {host: 127.0.0.1, port: %d}
          cache: {type: redis, config: {address: "127.0.0.1:%d", tls: {disabled: true}, secret: 0123456789abcdef}}
          mechanisms:
            authenticators: [{id: anon, type: anonymous}]
            contextualizers:
            - {id: role, type: generic, config: {endpoint: "http://127.0.0.1:%d/", cache_ttl: 1m}}
            finalizers: [{id: role, type: header, config: {headers: {X-Role: "{{ .Outputs.role.role }}"}}}]
          providers: {file_system: {src: rules.yaml}}
          """.formatted(port, FreePort.next(), redis.port(), remote.getAddress().getPort()));
      try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "config.yaml", "--insecure")) {
        image.await("Starting listening .*_service=decision");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/x"))
            .timeout(Duration.ofSeconds(60)).build();
        FutureTask<HttpResponse<Void>> slow = started(
            () -> client.send(request, HttpResponse.BodyHandlers.discarding()));
        arrived.await();
        FutureTask<Integer> stopped = started(image::stop);
        image.await(STOPPING + "decision");
        assertEquals(":0", stored(redis));
        release.countDown();
        assertEquals(200, slow.get().statusCode());
        assertEquals(List.of("admin"), slow.get().headers().allValues("X-Role"));
        assertEquals(0, stopped.get());
        assertEquals(":1", stored(redis), "the answer was stored");
        String end = image.output().substring(image.output().indexOf("Tearing down"));
        assertEquals(List.of(), end.lines().filter(line -> line.matches(".*level=(WRN|ERR|FTL).*")).toList(), end);
      }
    } finally {
      release.countDown();
      remote.stop(0);
    }
  }
}

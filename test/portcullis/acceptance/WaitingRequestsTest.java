package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.message.WireRequest;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;

/** Hundreds of requests to the built image whose upstream does not respond for a while, and how they end. */
class WaitingRequestsTest {
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d, timeout: {read: %s}, request_limit: {peer_share: 100}}
      management: {host: 127.0.0.1, port: %d, locks: {key_file: lock.key}}
      mechanisms:
        authenticators: [{id: anybody, type: anonymous}]
      providers: {file_system: {src: rules.yaml}}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
      - id: "1.1"
        match: {routes: [{path: "/http/*path"}]}
        forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
        execute: [{authenticator: anybody}]
      - id: "2"
        match: {routes: [{path: "/h2c/*path"}]}
        forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: h2c}}
        execute: [{authenticator: anybody}]
      """;
  private static final Duration LONG = Duration.ofMinutes(2);
  /** After it most are left to no thread. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  @TempDir
  private Path folder;
  private final WireClient client = new WireClient(ClientLimits.DEFAULT);
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger arrived = new AtomicInteger();
  private final int port = FreePort.next();
  private WireServer upstream;
  private RunningImage image;

  /** A request that waits, and the thread of its client. */
  private record Waiting(String path, Thread thread, CompletableFuture<String> response) {
    String text() throws Exception {
      return response.get(60, TimeUnit.SECONDS);
    }
  }

  private void start(String limit) throws IOException {
    upstream = new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED);
    upstream.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    upstream.createContext("/", this::respond);
    upstream.start();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, limit, FreePort.next()));
    Files.writeString(folder.resolve("rules.yaml"), RULES.formatted(upstream.getAddress().getPort()));
    Path key = Files.writeString(folder.resolve("lock.key"), "5".repeat(64) + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    image = RunningImage.startIn(folder, Map.of(), "serve", "proxy", "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=proxy");
  }

  @AfterEach
  void stop() {
    release.countDown();
    over.countDown();
    client.shutdownNow();
    client.close();
    image.close();
    upstream.stop(0);
  }

  /** Responds with the path once that is released, or breaks off where the path says so. */
  private void respond(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    arrived.incrementAndGet();
    await(release);
    String path = exchange.getRequestURI().getPath();
    if (path.endsWith("/breaks")) {
      WireExchange.of(exchange).abort();
      await(over); // behind it the server would send a response of its own
    }
    exchange.sendResponseHeaders(200, path.length());
    exchange.getResponseBody().write(path.getBytes(ISO_8859_1));
    exchange.close();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertTrue(latch.await(100, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private Waiting ask(String protocol, String path) {
    CompletableFuture<String> response = new CompletableFuture<>();
    Thread thread = Thread.ofVirtual().unstarted(() -> {
      try {
        HttpResponse<InputStream> got = client.send(new WireRequest(new WireRequest.Parts("GET",
            URI.create(protocol + "://127.0.0.1:" + port), path, Fields.of("Host", "a.test"),
            InputStream.nullInputStream(), 0, () -> Fields.NONE, (_, _) -> {}, LONG, LONG)),
            HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = got.body()) {
          response.complete(got.statusCode() + " " + new String(body.readAllBytes(), ISO_8859_1));
        }
      } catch (IOException | InterruptedException e) {
        response.complete(e.getClass().getSimpleName());
      }
    });
    thread.start();
    return new Waiting(path, thread, response);
  }

  /** Sends a hundred requests over each pair of protocols, which wait then. */
  private List<Waiting> all() throws InterruptedException {
    List<Waiting> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      for (String from : List.of("http", "h2c")) {
        all.add(ask(from, "/http/" + from + i));
        all.add(ask(from, "/h2c/" + from + i));
      }
    }
    awaitQuiet(all.size());
    return all;
  }

  private void awaitQuiet(int count) throws InterruptedException {
    Await.until(() -> arrived.get() == count, () -> arrived.get() + " have come");
    Await.pause(QUIET);
  }

  private long logged(String text) {
    return image.output().lines().filter(line -> line.contains("TX finished") && line.contains(text)).count();
  }

  private void awaitLogged(int count, String text) throws InterruptedException {
    Await.until(() -> logged(text) == count, () -> logged(text) + " instead of " + count + " have " + text);
  }

  @ParameterizedTest
  @CsvSource({"http,http", "http,h2c", "h2c,http", "h2c,h2c"})
  void eachOfManyEndsInItsOwnWay(String from, String to) throws Exception {
    start("2m");
    List<Waiting> whole = new ArrayList<>();
    List<Waiting> broken = new ArrayList<>();
    List<Waiting> leaving = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      whole.add(ask(from, "/" + to + "/" + i));
      broken.add(ask(from, "/" + to + "/" + i + "/breaks"));
      leaving.add(ask(from, "/" + to + "/" + i + "/left"));
    }
    awaitQuiet(300);
    leaving.forEach(one -> one.thread().interrupt());
    awaitLogged(100, "the client has gone");
    release.countDown();
    for (Waiting one : whole) {
      assertEquals("200 " + one.path(), one.text());
    }
    for (Waiting one : broken) {
      assertEquals("502 ", one.text());
    }
    awaitLogged(100, "_http_status_code=200");
    awaitLogged(100, "_http_status_code=502");
    awaitLogged(300, "_access_granted=true");
  }

  @Test
  void aLockEndsThem() throws Exception {
    start("2m");
    List<Waiting> all = all();
    try (RunningImage command = RunningImage.startIn(folder, "lock", "-c", "config.yaml", "--subject", "anonymous",
        "--reason", "test")) {
      assertEquals(0, command.exitStatus(), command.output());
    }
    for (Waiting one : all) {
      assertEquals("401 ", one.text());
    }
    awaitLogged(400, "ended: access is locked");
  }

  @Test
  void theirTimeLimitEndsThem() throws Exception {
    start("10s");
    for (Waiting one : all()) {
      assertEquals("504 ", one.text());
    }
    awaitLogged(400, "no answer in time");
  }

  @Test
  void aStopWaitsForThem() throws Exception {
    start("2m");
    List<Waiting> all = all();
    image.signal("TERM");
    image.await("Tearing down service .*_service=proxy");
    release.countDown();
    for (Waiting one : all) {
      assertEquals("200 " + one.path(), one.text());
    }
    assertEquals(0, image.exitStatus(), image.output());
  }

  @Test
  void aStopEndsThemAfterTenSeconds() throws Exception {
    start("2m");
    List<Waiting> all = all();
    image.signal("TERM");
    int answered = 0;
    for (Waiting one : all) { // where the machine is very busy, a few may be too late
      answered += one.text().equals("503 ") ? 1 : 0;
      assertTrue(one.text().equals("503 ") || one.text().endsWith("Exception"), one.text());
    }
    assertTrue(answered > all.size() / 2, answered + " of " + all.size());
    assertEquals(0, image.exitStatus(), image.output());
  }
}

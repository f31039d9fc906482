package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

/** When clients of the built image get the head of a response whose body has not begun. */
class EarlyHeadsTest {
  private static final String CONFIG = """
      log: {level: info, format: text}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
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
  private static final Duration LONG = Duration.ofMinutes(1);
  /** Less than the second after which the head of a quiet response is flushed anyway. */
  private static final Duration SOON = Duration.ofMillis(700);
  private static final int ATTEMPTS = 20;

  @TempDir
  private static Path folder;

  private static final Semaphore BODIES = new Semaphore(0);
  private static final WireClient CLIENT = new WireClient(ClientLimits.DEFAULT);
  private static WireServer upstream;
  private static RunningImage image;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    upstream = new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED);
    upstream.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    upstream.createContext("/", EarlyHeadsTest::respond);
    upstream.start();
    port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    Files.writeString(folder.resolve("rules.yaml"), RULES.formatted(upstream.getAddress().getPort()));
    image = RunningImage.startIn(folder, Map.of("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT",
        Integer.toString(FreePort.next()), "OTEL_TRACES_EXPORTER", "none"), "serve", "proxy", "-c", "config.yaml",
        "--insecure");
    image.await("Starting listening .*_service=proxy");
  }

  @AfterAll
  static void stop() {
    image.close();
    CLIENT.close();
    upstream.stop(0);
  }

  /** Sends a head at once, and a body once the client has that. */
  private static void respond(HttpExchange exchange) throws IOException {
    String length = exchange.getRequestURI().getQuery();
    WireExchange.of(exchange).respond(200, Fields.of("X-Protocol", exchange.getProtocol()), Long.parseLong(length));
    exchange.getResponseBody().flush();
    try {
      assertTrue(BODIES.tryAcquire(60, TimeUnit.SECONDS), "the client has the head");
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseBody().write("hello".getBytes(UTF_8));
    exchange.getResponseBody().close();
  }

  /** A body that does not end before the response has begun. */
  private static InputStream held(CountDownLatch begun) {
    return new FilterInputStream(new ByteArrayInputStream("question".getBytes(UTF_8))) {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int n = super.read(into, offset, length);
        try {
          assertTrue(n >= 0 || begun.await(60, TimeUnit.SECONDS), "the client has the head");
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        return n;
      }
    };
  }

  /** Requests a response, and returns how long its head took. */
  private static Duration head(String client, String server, long length, boolean sends) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    long start = System.nanoTime();
    HttpResponse<InputStream> response = CLIENT.send(new WireRequest(new WireRequest.Parts(sends ? "POST" : "GET",
        URI.create(client + "://127.0.0.1:" + port), "/" + server + "/x?" + length, Fields.of("Host", "a.test"),
        sends ? held(begun) : InputStream.nullInputStream(), sends ? -1 : 0, () -> Fields.NONE, (_, _) -> {}, LONG,
        LONG)), HttpResponse.BodyHandlers.ofInputStream());
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    begun.countDown();
    BODIES.release();
    try (InputStream body = response.body()) {
      assertEquals("hello", new String(body.readAllBytes(), ISO_8859_1));
    }
    assertEquals("HTTP/" + (server.equals("http") ? "1.1" : "2"),
        response.headers().firstValue("X-Protocol").orElse("").replace("2.0", "2"));
    return took;
  }

  @ParameterizedTest
  @CsvSource({"http,http,-1,false", "http,http,5,false", "http,h2c,-1,false", "http,h2c,5,false", "h2c,http,-1,false",
    "h2c,http,5,false", "h2c,h2c,-1,false", "h2c,h2c,5,false", "http,http,-1,true", "h2c,h2c,-1,true"})
  void aHeadDoesNotWaitForItsBody(String client, String server, long length, boolean sends) throws Exception {
    Duration least = LONG;
    for (int i = 0; i < ATTEMPTS && least.compareTo(SOON) > 0; i++) { // some may be late on a busy machine
      Duration took = head(client, server, length, sends);
      least = took.compareTo(least) < 0 ? took : least;
    }
    assertTrue(least.compareTo(SOON) < 0, "the fastest of " + ATTEMPTS + " took " + least);
  }
}

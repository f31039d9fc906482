package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.fixture.FramePeer;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/**
 * A hundred clients, each with an address of its own, that do the most costly things that we know at the same time, and
 * what another client gets from the built image with a heap of 128 MB. With one processor a thread that keeps it keeps
 * it from all others.
 */
class WorstClientsTest {
  private static final int CLIENTS = 100;
  private static final long ATTACK_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** The attackers have the same processors as the service. */
  private static final long MIN_PAUSE_MILLIS = 2;
  private static final int LARGE_BYTES = 4 << 20;
  private static final String GET = "GET /open HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n";
  private static final String CONFIG = """
      log: {level: error, access_log_enabled: false}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators:
          - {id: anon, type: anonymous}
          - {id: none, type: unauthorized}
          - {id: token, type: jwt, config: {jwks_endpoint: {url: "http://127.0.0.1:9/keys"}, assertions: {issuers: \
      [x]}}}
        authorizers: [{id: look, type: cel, config: {expressions: [{expression: "Request.Body != 1.0"}]}}]
        finalizers: [{id: noop, type: noop}]
      default_rule: {execute: [{authenticator: none}, {finalizer: noop}]}
      providers: {file_system: {src: rules.yaml}}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
        - id: open
          match: {routes: [{path: /open}, {path: /large}]}
          forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
          execute: [{authenticator: anon}, {finalizer: noop}]
        - id: token
          match: {routes: [{path: /token}]}
          forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
          execute: [{authenticator: token}, {finalizer: noop}]
        - id: read
          match: {routes: [{path: /read}]}
          forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
          execute: [{authenticator: anon}, {authorizer: look}, {finalizer: noop}]
      """;

  /** What a client sends on one connection after the other: a beginning, then a part again and again. */
  private record Attack(byte[] begin, byte[] part, long pauseMillis) {
    static Attack http1(String begin, String part, long pauseMillis) {
      return new Attack(begin.getBytes(ISO_8859_1), part.getBytes(ISO_8859_1), pauseMillis);
    }

    static Attack http2(long pauseMillis, byte[] begin, byte[]... part) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
      all.writeBytes(FramePeer.bytes(FramePeer.SETTINGS, 0, 0));
      all.writeBytes(begin);
      ByteArrayOutputStream again = new ByteArrayOutputStream();
      for (byte[] frame : part) {
        again.writeBytes(frame);
      }
      return new Attack(all.toByteArray(), again.toByteArray(), pauseMillis);
    }
  }

  @TempDir
  private Path folder;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  /** Of their own, so that attackers do not delay them. */
  private final ExecutorService served = Executors.newCachedThreadPool();
  private HttpServer upstream;
  private RunningImage image;
  private int port;

  private void start(int processors) throws IOException {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.setExecutor(served);
    upstream.createContext("/", WorstClientsTest::serve);
    upstream.start();
    port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    Files.writeString(folder.resolve("rules.yaml"), RULES.formatted(upstream.getAddress().getPort()));
    String options = "-Xmx128m -XX:ActiveProcessorCount=" + processors;
    image = RunningImage.startIn(folder, Map.of("PORTCULLIS_JAVA_OPTIONS", options), "serve", "proxy", "-c",
        "config.yaml", "--insecure");
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); !answer().startsWith("HTTP/1.1 200");) {
      assertTrue(System.nanoTime() < end, image::output);
    }
  }

  @AfterEach
  void stop() {
    image.close();
    upstream.stop(0);
    threads.shutdownNow();
    served.shutdownNow();
  }

  private static void serve(HttpExchange exchange) throws IOException {
    byte[] body = new byte[exchange.getRequestURI().getPath().equals("/large") ? LARGE_BYTES : 5];
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static List<Attack> attacks() {
    String post = "POST /%s HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n\r\n";
    byte[] get = FramePeer.block(":method", "GET", ":scheme", "http", ":authority", "a", ":path", "/large");
    byte[] large = FramePeer.bytes(FramePeer.HEADERS, FramePeer.END_HEADERS | FramePeer.END_STREAM, 1, get);
    byte[] reset = FramePeer.bytes(FramePeer.RST_STREAM, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
    return List.of(
        Attack.http1("GET /open HTTP/1.1\r\nHost: a\r\n", "A: b\r\n", 20), // slow head
        Attack.http1("GET /open HTTP/1.1\r\n", "Cookie: a=b; c=d; e=\r\n", 0), // wide head
        Attack.http1("", "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", 0), // pipelined, responses are not read
        Attack.http1("", "GET /open?" + "%61&".repeat(1000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 0),
        Attack.http1("POST /open HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            "1;a=b\r\nx\r\n".repeat(100), 0),
        Attack.http1(post.formatted("read", "application/json"), "[", 0),
        Attack.http1(post.formatted("read", "application/json") + "[", "{},".repeat(1000), 0),
        Attack.http1(post.formatted("read", "application/yaml"), "- &a [a]\n- *a\n".repeat(100), 0),
        Attack.http1(post.formatted("token", "application/x-www-form-urlencoded"), "a&b&".repeat(500), 0),
        Attack.http1(post.formatted("read", "multipart/form-data; boundary=a") + "--a",
            "\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--a".repeat(20), 0),
        Attack.http1(post.formatted("read", "application/json"), " ", 100), // slow body
        Attack.http1("", "GET /token HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + "eyJh.".repeat(800) + "\r\n\r\n",
            0),
        Attack.http2(0, new byte[0], FramePeer.bytes(FramePeer.SETTINGS, 0, 0)),
        Attack.http2(0, new byte[0], FramePeer.bytes(FramePeer.PING, 0, 0, new byte[8])),
        Attack.http2(0, large, reset, FramePeer.bytes(FramePeer.PING, 0, 0, new byte[8])),
        Attack.http2(0, FramePeer.bytes(FramePeer.HEADERS, 0, 1, get),
            FramePeer.bytes(FramePeer.CONTINUATION, 0, 1, FramePeer.block("a", "b"))),
        Attack.http2(0, large, FramePeer.bytes(FramePeer.WINDOW_UPDATE, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 1)),
        Attack.http2(0, new byte[0], rapidResets()),
        Attack.http2(10, FramePeer.bytes(FramePeer.HEADERS, FramePeer.END_HEADERS, 1,
            FramePeer.block(":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/read")),
            FramePeer.bytes(FramePeer.DATA, 0, 1, (byte) 'x')));
  }

  /** Requests of many streams, each reset at once. */
  private static byte[] rapidResets() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] get = FramePeer.block(":method", "GET", ":scheme", "http", ":authority", "a", ":path", "/open");
    for (int stream = 1; stream < 400; stream += 2) {
      out.writeBytes(FramePeer.bytes(FramePeer.HEADERS, FramePeer.END_HEADERS | FramePeer.END_STREAM, stream, get));
      out.writeBytes(FramePeer.bytes(FramePeer.RST_STREAM, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 8));
    }
    return out.toByteArray();
  }

  /** Sends until the connection is ended, then on the next one. Half of the clients read what comes back. */
  @SuppressWarnings("try") // at the end it is closed while it writes
  private void attack(Attack attack, int client, long end) throws InterruptedException {
    while (System.nanoTime() < end) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port,
          InetAddress.getByAddress(new byte[] {127, 1, 0, (byte) (client + 1)}), 0)) {
        threads.submit(() -> {
          Await.pause(TimeUnit.NANOSECONDS.toMillis(Math.max(0, end - System.nanoTime())));
          socket.close();
          return true;
        });
        if (client < CLIENTS / 2) {
          threads.submit(() -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
        }
        OutputStream out = socket.getOutputStream();
        out.write(attack.begin);
        while (System.nanoTime() < end) {
          out.write(attack.part);
          Await.pause(Math.max(MIN_PAUSE_MILLIS, attack.pauseMillis));
        }
      } catch (IOException _) {
        Await.pause(1); // ended by the service, or at the end
      }
    }
  }

  private String answer() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(GET.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aHundredWorstClientsLeaveAnotherItsAnswers(int processors) throws Exception {
    start(processors);
    List<Attack> attacks = attacks();
    long end = System.nanoTime() + ATTACK_NANOS;
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Attack attack = attacks.get(i % attacks.size());
      int client = i;
      running.add(threads.submit(() -> {
        attack(attack, client, end);
        return client;
      }));
    }
    List<String> failures = new ArrayList<>();
    List<Long> millis = new ArrayList<>();
    while (System.nanoTime() < end) {
      long start = System.nanoTime();
      String answer = answer();
      millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      if (!answer.startsWith("HTTP/1.1 200")) {
        failures.add(answer.isEmpty() ? "no response" : answer.lines().findFirst().orElse(""));
      }
    }
    for (Future<?> one : running) {
      one.get(60, TimeUnit.SECONDS);
    }
    long[] sorted = millis.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.println("beside the worst clients: " + sorted.length + " requests, median " + sorted[sorted.length / 2]
        + " ms, longest " + sorted[sorted.length - 1] + " ms, refused " + failures);
    assertTrue(ProcessHandle.of(image.pid()).isPresent(), image::output);
    assertFalse(image.output().contains("OutOfMemory"), image::output);
    assertTrue(failures.size() * 20 <= sorted.length, failures + " of " + Arrays.toString(sorted));
    String after = answer();
    assertEquals("HTTP/1.1 200", after.substring(0, Math.min(12, after.length())), image::output);
  }
}

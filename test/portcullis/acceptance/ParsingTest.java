package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/**
 * Bodies that are made to be costly, sent to the built image on a heap of 128 MB, while another client goes on as
 * before.
 */
class ParsingTest {
  private static final int MEGABYTE = 1 << 20;
  private static final String CONFIG = """
      log: {level: error, access_log_enabled: false}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d%s}
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
        - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}, {finalizer: noop}]}
        - {id: token, match: {routes: [{path: /token}]}, execute: [{authenticator: token}, {finalizer: noop}]}
        - {id: read, match: {routes: [{path: /read}]}, execute: [{authenticator: anon}, {authorizer: look}, \
      {finalizer: noop}]}
      """;

  /** Bodies in which every byte costs many. */
  enum Attack {
    LISTS("application/json", Set.of(413, 503)), DEEP("application/json", Set.of(413)),
    NAMES("application/json", Set.of(413, 503)),
    YAML_LISTS("application/yaml", Set.of(413, 503)), YAML_DEEP("application/yaml", Set.of(413)),
    YAML_NAMES("text/yaml", Set.of(413, 503)), YAML_TWICE("text/yaml", Set.of(200, 503)),
    YAML_ALIASES("application/yaml", Set.of(413, 503)),
    FORM_NAMES("application/x-www-form-urlencoded", Set.of(413, 503)),
    FORM_VALUES("application/x-www-form-urlencoded", Set.of(413, 503));

    private final String type;
    private final Set<Integer> statuses;

    Attack(String type, Set<Integer> statuses) {
      this.type = type;
      this.statuses = statuses;
    }

    /** Of about so many bytes, no more. */
    String body(int size) {
      return switch (this) {
        case LISTS, YAML_LISTS -> "[" + "{},".repeat((size - 4) / 3) + "{}]";
        case DEEP, YAML_DEEP -> "[".repeat(size / 2) + "]".repeat(size / 2);
        case NAMES -> numbered(size - 20, "{", "\"%x\":1,", "\"z\":1}");
        case YAML_NAMES -> numbered(size, "", "%x: 1\n", "");
        case YAML_TWICE -> "a: 1\n".repeat(size / 5);
        case YAML_ALIASES -> "a: &a [" + "x,".repeat(1000) + "x]\nb: [" + "*a,".repeat((size - 3000) / 3) + "*a]";
        case FORM_NAMES -> numbered(size, "", "%x&", "");
        case FORM_VALUES -> "a&".repeat(size / 2);
      };
    }

    private static String numbered(int size, String begin, String each, String end) {
      StringBuilder out = new StringBuilder(begin);
      for (int i = 0x1000; out.length() < size - 16; i++) {
        out.append(String.format(each, i));
      }
      return out.append(end).toString();
    }
  }

  @TempDir
  private Path folder;
  private int port;
  private RunningImage image;
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("rules.yaml"), RULES);
  }

  private void start(String more) throws IOException {
    port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, more, FreePort.next()));
    image = RunningImage.startIn(folder, Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xmx128m"), "serve", "decision", "-c",
        "config.yaml",
        "--insecure");
    while (status("/open", "", "") == 0) {
      assertFalse(image.output().contains("rror"), image::output);
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void stop() {
    clients.shutdownNow();
    image.close();
  }

  /** Of the answer; 0 where nobody listens or the connection ended before there was one. */
  private int status(String path, String type, String body) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      String fields = type.isEmpty() ? "" : "Content-Type: " + type + "\r\nContent-Length: " + body.length() + "\r\n";
      try {
        out.write(((type.isEmpty() ? "GET " : "POST ") + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + fields
            + "\r\n" + body)
            .getBytes(ISO_8859_1));
      } catch (SocketException _) {
        // answered before all of it was read
      }
      String answer = new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
      return answer.length() < 12 ? 0 : Integer.parseInt(answer.substring(9));
    } catch (IOException _) {
      return 0;
    }
  }

  /** What so many clients get that all do that, while another one, of other paths, always gets its answer. */
  private List<Integer> beside(int times, Callable<Integer> attack) throws Exception {
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(clients.submit(attack));
    }
    int served = 0;
    while (served == 0 || all.stream().anyMatch(one -> !one.isDone())) {
      assertEquals(200, status("/open", "", ""), image::output);
      served++;
    }
    List<Integer> out = new ArrayList<>();
    for (Future<Integer> one : all) {
      out.add(one.get());
    }
    return out;
  }

  @ParameterizedTest
  @EnumSource
  void costlyBodiesAreRefusedAndOthersServed(Attack attack) throws Exception {
    start("");
    String body = attack.body(MEGABYTE);
    List<Integer> statuses = beside(8, () -> status("/read", attack.type, body));
    assertTrue(attack.statuses.containsAll(statuses), attack + ": " + statuses);
    assertEquals(200, status("/read", "application/json", "{\"a\":[1,2]}"), "afterwards there is memory again");
  }

  @Test
  void bodiesOfTenMegabytesAre413() throws Exception {
    start("");
    String json = Attack.LISTS.body(10 * MEGABYTE);
    // a client that still sends when it is answered may miss the answer
    assertTrue(Set.of(413, 0).containsAll(beside(4, () -> status("/token", "application/json", json))));
    assertTrue(Set.of(413, 0).containsAll(beside(2, () -> status("/read", "application/yaml", json))));
    assertEquals(401, status("/token", "application/json", "{\"a\":1}"));
  }

  @Test
  void noYamlIsReadForAToken() throws Exception {
    start("");
    assertEquals(401, status("/token", "application/yaml", Attack.YAML_DEEP.body(1000)));
    assertEquals(413, status("/token", "application/json", Attack.DEEP.body(1000)));
  }

  @Test
  void largerBodiesAreReadWhereConfigured() throws Exception {
    start(", request_limit: {read_body: 2MB}");
    String body = "[\"" + "x".repeat(MEGABYTE + 1000) + "\"]";
    assertEquals(200, status("/read", "application/json", body));
    assertTrue(Set.of(413, 0).contains(status("/read", "application/json", "[\"" + "x".repeat(2 * MEGABYTE) + "\"]")));
  }

  @Test
  void twoBodiesOnOneConnectionOfHttp2AreAnswered() throws Exception {
    start("");
    String body = Attack.LISTS.body(450_000);
    List<Integer> statuses = beside(1, () -> {
      try (Http2Bodies connection = new Http2Bodies(port)) {
        List<Integer> both = connection.post("/token", "application/json", body, 2);
        assertTrue(Set.of(413, 503).containsAll(both), both::toString);
        return both.size();
      }
    });
    assertEquals(List.of(2), statuses);
  }

  @Test
  void manySlowBodiesLeaveMemoryForOthers() throws Exception {
    start(", request_limit: {body_rate: 0}");
    List<Socket> slow = new ArrayList<>();
    try {
      String part = "POST /read HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: "
          + "1000000\r\n\r\n[\"";
      for (int i = 0; i < 100; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        slow.add(socket);
        socket.getOutputStream().write(part.getBytes(ISO_8859_1));
      }
      assertEquals(200, status("/read", "application/json", "[\"" + "x".repeat(100_000) + "\"]"));
      assertEquals(200, status("/open", "", ""));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }
}

package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

/** Shadow rules of a running service: they change nothing, call nobody, and show what they would change. */
class ShadowRulesTest {
  private static final String CANARY = "c4narY-s3cret-7f19";
  private static final int ROUNDS = 5;
  private static final String CONFIG = """
      log: {level: info}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      tracing: {enabled: false}
      metrics: {enabled: false}
      decision_log: {file: {path: "%s"}}
      mechanisms:
        authenticators:
          - {id: anon, type: anonymous}
          - {id: basic, type: basic_auth, config: {user_id: ann, password: "%s"}}
        authorizers:
          - {id: may, type: allow}
          - {id: never, type: deny}
          - {id: small, type: cel, config: {expressions: [{expression: "Request.Body().n == '1'"}]}}
          - {id: get, type: cel, config: {expressions: [{expression: "Request.Method == 'GET'"}]}}
          - &ask
            id: ask
            type: remote
            config: &call
              endpoint: {url: "http://127.0.0.1:%d/ask"}
              payload: "{{ .Request.URL.Path }} {{ .Request.Header \\"Cookie\\" }}"
              expressions: [{expression: "Payload.ok == true"}]
          - id: ask_other
            type: remote
            config: {<<: *call, payload: other}
      providers: {file_system: {src: "%s", watch: true, shadow: "%s"}}
      """;
  private static final String LIVE = "version: 1alpha4\nrules:\n"
      + rule("same", "{authenticator: basic}, {authorizer: ask}")
      + rule("opened", "{authenticator: anon}, {authorizer: never}")
      + rule("closed", "{authenticator: anon}, {authorizer: may}")
      + rule("asked", "{authenticator: anon}, {authorizer: ask}")
      + rule("other", "{authenticator: anon}, {authorizer: ask}")
      + rule("read", "{authenticator: anon}, {authorizer: small}")
      + rule("unread", "{authenticator: anon}");
  private static final String SHADOW = "version: 1alpha4\nrules:\n"
      + rule("same", "{authenticator: basic}, {authorizer: ask}")
      + rule("opened", "{authenticator: anon}, {authorizer: may}")
      + rule("closed", "{authenticator: anon}, {authorizer: never}")
      + rule("asked", "{authenticator: anon}, {authorizer: ask}, {authorizer: get}")
      + rule("other", "{authenticator: anon}, {authorizer: ask_other}")
      + rule("read", "{authenticator: anon}, {authorizer: small}, {authorizer: may}")
      + rule("unread", "{authenticator: anon}, {authorizer: small}");

  @TempDir
  private Path folder;
  private final AtomicInteger calls = new AtomicInteger();
  private HttpServer stub;
  private int port;
  private int management;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws IOException {
    stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    stub.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    stub.createContext("/ask", this::ask);
    stub.start();
    port = FreePort.next();
    management = FreePort.next();
    Files.writeString(folder.resolve("rules.yaml"), LIVE);
    Files.writeString(folder.resolve("shadow.yaml"), SHADOW);
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, management,
        folder.resolve("decisions.log"), CANARY, stub.getAddress().getPort(), folder.resolve("rules.yaml"),
        folder.resolve("shadow.yaml")));
  }

  @AfterEach
  void stop() {
    stub.stop(0);
    client.close();
  }

  private void ask(HttpExchange exchange) throws IOException {
    calls.incrementAndGet();
    exchange.getRequestBody().readAllBytes();
    byte[] answer = ("{\"ok\":true,\"token\":\"" + CANARY + "\"}").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private static String rule(String id, String steps) {
    return "  - {id: " + id + ", match: {routes: [{path: \"/" + id + "\"}]}, execute: [" + steps + "]}\n";
  }

  private void configure(String before, String after) throws IOException {
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace(before, after));
  }

  private RunningImage serve() {
    return serve("decision");
  }

  private RunningImage serve(String mode) {
    RunningImage service = RunningImage.start("serve", mode, "-c", folder.resolve("config.yaml").toString(),
        "--insecure");
    service.await("Portcullis started");
    return service;
  }

  private int send(String method, String path, String body) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path + "?q=" + CANARY))
        .header("Authorization", "Basic YW5uOmM0bmFyWS1zM2NyZXQtN2YxOQ==").header("Cookie", "session=" + CANARY)
        .header("Content-Type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body)).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private String status() throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + "/status")).build(),
        HttpResponse.BodyHandlers.ofString()).body();
  }

  private Value.Dict awaitShadow(Predicate<Value.Dict> wanted) throws Exception {
    AtomicReference<Value.Dict> last = new AtomicReference<>(Value.Dict.EMPTY);
    Await.until(Duration.ofMinutes(2), () -> {
      if (Json.read(status()) instanceof Value.Dict all
          && all.get("shadow").orElse(Value.NULL) instanceof Value.Dict shadow) {
        last.set(shadow);
        return wanted.test(shadow);
      }
      return false;
    }, () -> "never so: " + status());
    return last.get();
  }

  private static long number(Value.Dict shadow, String member) {
    return shadow.get(member).orElse(Value.NULL) instanceof Value.Int count ? count.value() : 0;
  }

  @Test
  void showsWhatWouldChangeWithoutCalls() throws Exception {
    try (RunningImage service = serve()) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      for (int i = 0; i < ROUNDS; i++) {
        assertEquals(200, send("GET", "/same", ""));
        assertEquals(403, send("GET", "/opened", ""));
        assertEquals(200, send("GET", "/closed", ""));
        assertEquals(200, send("GET", "/asked", ""));
        assertEquals(200, send("POST", "/asked", "{\"n\":\"1\"}"));
        assertEquals(200, send("GET", "/other", ""));
        assertEquals(200, send("POST", "/read", "{\"n\":\"1\",\"s\":\"" + CANARY + "\"}"));
        assertEquals(200, send("POST", "/unread", "{\"n\":\"2\",\"s\":\"" + CANARY + "\"}"));
        assertEquals(404, send("GET", "/none", ""));
      }
      Value.Dict shadow = awaitShadow(now -> number(now, "decided") + number(now, "undecided") == 9 * ROUNDS);
      assertEquals(ROUNDS, number(shadow, "newly_allowed"), shadow::toString);
      assertEquals(2 * ROUNDS, number(shadow, "newly_denied"), shadow::toString);
      assertEquals(0, number(shadow, "denied_otherwise"), shadow::toString);
      assertEquals(2 * ROUNDS, number(shadow, "undecided"), shadow::toString);
      assertEquals(4 * ROUNDS, number(shadow, "unchanged"), shadow::toString);
      assertEquals(0, number(shadow, "dropped"), shadow::toString);
      assertEquals(4 * ROUNDS, calls.get(), "only live rules have called the remote service");
      String text = shadow.toString();
      assertTrue(text.contains("denied by step `never` of rule `opened`"), text);
      assertTrue(text.contains("no response to the call of step `ask_other` is known"), text);
      assertTrue(text.contains("the body of the request is not known"), text);
      assertFalse(status().contains(CANARY), "a secret is in the status");
      service.stop();
      assertFalse(service.output().contains(CANARY), "a secret is in the log");
    }
    String log = Files.readString(folder.resolve("decisions.log"));
    assertFalse(log.contains(CANARY), "a secret is in the decision log");
    assertEquals(ROUNDS, log.lines().filter(line -> line.contains("\"shadow\":\"newly_allowed\"")).count());
    assertEquals(2 * ROUNDS, log.lines().filter(line -> line.contains("\"shadow\":\"newly_denied\"")).count());
    try (RunningImage replay = RunningImage.start("replay", folder.resolve("decisions.log").toString(), "-c",
        folder.resolve("config.yaml").toString(), "--insecure")) {
      assertEquals(0, replay.exitStatus(), replay.output());
      assertTrue(replay.output().contains(9 * ROUNDS + " requests: 0 newly allowed"), replay.output());
    }
  }

  @Test
  void inFrontOfAnApplicationToo() throws Exception {
    String forwarded = "}]}, forward_to: {host: \"127.0.0.1:" + stub.getAddress().getPort() + "\"}, execute";
    AtomicInteger arrived = new AtomicInteger();
    stub.createContext("/", exchange -> {
      arrived.incrementAndGet();
      ask(exchange);
    });
    Files.writeString(folder.resolve("rules.yaml"), LIVE.replace("}]}, execute", forwarded));
    Files.writeString(folder.resolve("shadow.yaml"), SHADOW.replace("}]}, execute", forwarded));
    try (RunningImage _ = serve("proxy")) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      for (int i = 0; i < ROUNDS; i++) {
        assertEquals(403, send("GET", "/opened", ""));
        assertEquals(200, send("GET", "/closed", ""));
        assertEquals(200, send("POST", "/read", "{\"n\":\"1\",\"s\":\"" + CANARY + "\"}"));
        assertEquals(200, send("POST", "/unread", "{\"n\":\"2\"}"));
      }
      Value.Dict shadow = awaitShadow(now -> number(now, "decided") + number(now, "undecided") == 4 * ROUNDS);
      assertEquals(ROUNDS, number(shadow, "newly_allowed"), shadow::toString);
      assertEquals(ROUNDS, number(shadow, "newly_denied"), shadow::toString);
      assertEquals(ROUNDS, number(shadow, "unchanged"), shadow::toString);
      assertEquals(3 * ROUNDS, arrived.get(), "shadow rules forward nothing");
    }
  }

  private String promote(int status, String... options) {
    List<String> words = new ArrayList<>(
        List.of("promote", "-c", folder.resolve("config.yaml").toString(), "--insecure"));
    words.addAll(List.of(options));
    try (RunningImage promote = RunningImage.start(words.toArray(String[]::new))) {
      assertEquals(status, promote.exitStatus(), promote.output());
      assertFalse(promote.output().contains(CANARY), "a secret is in the report");
      return promote.output();
    }
  }

  @Test
  void promotesWhatWasSeenAndAcceptedOnly() throws Exception {
    try (RunningImage _ = serve()) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      assertTrue(promote(1).contains("no request was decided by the shadow rules yet"));
      assertEquals(403, send("GET", "/opened", ""));
      assertEquals(200, send("GET", "/closed", ""));
      awaitShadow(now -> number(now, "decided") == 2);
      String report = promote(1);
      assertTrue(report.contains("newly allowed: 1 request\n"), report);
      assertTrue(report.contains("not promoted: requests are newly allowed"), report);
      assertEquals(LIVE, Files.readString(folder.resolve("rules.yaml")));
      promote(0, "--accept-newly-allowed", "--dry-run");
      assertEquals(LIVE, Files.readString(folder.resolve("rules.yaml")));
      Files.writeString(folder.resolve("shadow.yaml"), SHADOW + "# broken\n- x\n");
      promote(1, "--accept-newly-allowed", "--accept-undecided");
      assertEquals(LIVE, Files.readString(folder.resolve("rules.yaml")));
      Files.writeString(folder.resolve("shadow.yaml"), SHADOW + "# changed\n");
      awaitShadow(now -> now.get("compared").equals(Optional.of(Value.TRUE)) && number(now, "decided") == 0);
      assertEquals(403, send("GET", "/opened", ""));
      assertEquals(200, send("POST", "/unread", "{\"n\":\"2\"}"));
      awaitShadow(now -> number(now, "decided") == 1 && number(now, "undecided") == 1);
      String unknown = promote(1, "--accept-newly-allowed");
      assertTrue(unknown.contains("any of which may be newly allowed: 1 undecided, 0 dropped"), unknown);
      String done = promote(0, "--accept-newly-allowed", "--accept-undecided");
      assertTrue(done.contains("the service has applied them"), done);
      assertEquals(200, send("GET", "/opened", ""));
      assertEquals(403, send("GET", "/closed", ""));
      assertEquals(SHADOW + "# changed\n", Files.readString(folder.resolve("rules.yaml")));
      assertFalse(Files.exists(folder.resolve("shadow.yaml")), "the shadow file is left");
      try (Stream<Path> files = Files.list(folder)) {
        Path old = files.filter(file -> file.getFileName().toString().matches("rules\\.yaml\\..*~")).findFirst()
            .orElseThrow();
        assertEquals(LIVE, Files.readString(old));
      }
    }
  }

  @Test
  void aLiveFileThatIsRejectedIsNotKeptAsTheWayBack() throws Exception {
    try (RunningImage image = serve()) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      assertEquals(200, send("GET", "/closed", ""));
      awaitShadow(now -> number(now, "decided") == 1);
      Path live = folder.resolve("rules.yaml");
      Files.writeString(live, LIVE + "- x\n");
      image.await("Failed to apply rule set changes");
      String refused = promote(1);
      assertTrue(refused.contains("would be kept as the way back, but the service has rejected it")
          && refused.contains("rules.yaml:"), refused);
      assertEquals(LIVE + "- x\n", Files.readString(live));
      Files.writeString(live, LIVE);
      image.await("Rule set is the one in use again");
      String done = promote(0);
      assertTrue(done.contains("since ") && done.contains("1 request decided"), "compared since before: " + done);
    }
  }

  /** Without `watch` the service never notices a change, which with it takes some seconds. */
  @Test
  void aLiveFileThatIsNotAppliedIsNotReplaced() throws Exception {
    configure("watch: true", "watch: false");
    try (RunningImage _ = serve()) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      assertEquals(200, send("GET", "/closed", ""));
      awaitShadow(now -> number(now, "decided") == 1);
      Path live = folder.resolve("rules.yaml");
      String stricter = LIVE.replace("{authenticator: anon}, {authorizer: may}", "{authenticator: basic}");
      for (String text : List.of(LIVE + "junk: [\n", stricter, "# nothing\n")) {
        Files.writeString(live, text);
        String refused = promote(1);
        assertTrue(refused.contains("not promoted: the live file " + live + " ")
            && refused.contains(", and the service has not applied that: "), refused);
        assertEquals(text, Files.readString(live));
      }
      Files.writeString(live, LIVE);
      assertTrue(promote(0).contains("since "));
    }
  }

  @Test
  void aLiveFolderThatIsNotAppliedIsNotReplaced() throws Exception {
    Path live = Files.createDirectory(folder.resolve("live"));
    Path b = Files.writeString(live.resolve("b.yaml"),
        "version: 1alpha4\nrules:\n" + rule("b", "{authenticator: anon}"));
    Files.writeString(live.resolve("a.yaml"), LIVE);
    Files.writeString(live.resolve("b_test.yaml"), "cases: []\n");
    Files.writeString(Files.createDirectory(folder.resolve("next")).resolve("a.yaml"), SHADOW);
    configure("watch: true", "watch: false");
    configure(folder.resolve("rules.yaml").toString(), live.toString());
    configure(folder.resolve("shadow.yaml").toString(), folder.resolve("next").toString());
    try (RunningImage _ = serve()) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      assertEquals(200, send("GET", "/closed", ""));
      awaitShadow(now -> number(now, "decided") == 1);
      Path added = Files.copy(b, live.resolve("c.yaml"));
      assertTrue(promote(1).contains("not promoted: the live file " + added + " is new, "));
      Files.delete(b);
      assertTrue(promote(1).contains("not promoted: the live file " + b + " is gone"));
      Files.move(added, b);
      Files.writeString(live.resolve("b_test.yaml"), "cases: [] # other test cases change no rules\n");
      Files.writeString(live.resolve("empty.yaml"), "# nor does an empty file\n");
      promote(0);
    }
  }

  @Test
  void promotesAFolderAsAWhole() throws Exception {
    Path live = Files.createDirectory(folder.resolve("live"));
    Path next = Files.createDirectory(folder.resolve("next"));
    Files.writeString(live.resolve("a.yaml"), LIVE);
    Files.writeString(live.resolve("b.yaml"), "version: 1alpha4\nrules:\n" + rule("old", "{authenticator: anon}"));
    Files.writeString(next.resolve("a.yaml"), SHADOW);
    Files.writeString(next.resolve("c.yaml"), "version: 1alpha4\nrules:\n" + rule("new", "{authenticator: anon}"));
    Files.writeString(next.resolve("c_test.yaml"), "cases: []\n");
    Files.writeString(live.resolve("c_test.yaml"), "cases: []\n");
    configure(folder.resolve("rules.yaml").toString(), live.toString());
    configure(folder.resolve("shadow.yaml").toString(), next.toString());
    try (RunningImage _ = serve()) {
      awaitShadow(shadow -> shadow.get("compared").equals(Optional.of(Value.TRUE)));
      assertEquals(200, send("GET", "/closed", ""));
      assertEquals(200, send("GET", "/old", ""));
      awaitShadow(now -> number(now, "decided") == 2);
      String done = promote(0);
      assertTrue(done.contains("newly denied: 1 request\n"), done);
      assertTrue(done.contains("the service has applied them"), done);
      assertEquals(403, send("GET", "/closed", ""));
      assertEquals(200, send("GET", "/new", ""));
      assertEquals(404, send("GET", "/old", ""));
      assertTrue(Files.exists(live.resolve("c_test.yaml")), "test cases belong to their rules");
    }
    assertFalse(Files.exists(next), "the shadow folder is left");
    try (RunningImage _ = serve(); Stream<Path> files = Files.list(folder)) {
      assertEquals(200, send("GET", "/new", ""));
      Path old = files.filter(file -> file.getFileName().toString().matches("live\\..*~")).findFirst().orElseThrow();
      assertEquals(LIVE, Files.readString(old.resolve("a.yaml")));
    }
  }

  /** As with all commands that have a result: 1 if it is a bad one, 2 if there is none. */
  @Test
  void whatCannotBeTriedIsToldFromARefusal() throws Exception {
    promote(2);
    Files.writeString(folder.resolve("config.yaml"), "serve: {port: x}\n");
    promote(2);
  }
}

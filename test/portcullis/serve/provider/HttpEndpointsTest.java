package portcullis.serve.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;

/** Against an endpoint that answers what is next in a list, then the last of it for ever. */
class HttpEndpointsTest {
  private static final String TRICKLING = "HTTP/1.1 200 X\r\nX-Slow: ";
  private static final String YAML = "Content-Type: application/yaml";
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Log log = new Log(Level.DEBUG, LogFormat.TEXT, writer, InstantSource.system(), "");
  private final BlockingQueue<List<Change>> shown = new LinkedBlockingQueue<>();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private CallLimits limits = CallLimits.DEFAULT;
  private RawUpstream upstream;
  private WireClient client;
  private HttpEndpoints endpoints;
  private boolean begins;
  private Duration patience = Duration.ofMinutes(10);
  private Consumer<List<Change>> taker = shown::add;

  @AfterEach
  void close() {
    endpoints.close();
    client.close();
    upstream.close();
    writer.close();
  }

  private void start(String settings, String... answers) throws Exception {
    start(settings, "20ms", answers);
  }

  private void start(String settings, String interval, String[] answers) throws Exception {
    upstream = RawUpstream.of(peer -> {
      for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
        heads.add(head);
        String answer = answers[Math.min(heads.size(), answers.length) - 1];
        if (answer.isEmpty()) {
          return;
        }
        peer.say(answer);
        for (int i = 0; answer.startsWith(TRICKLING) && i < 6000; i++) {
          peer.say("x");
          LockSupport.parkNanos(10_000_000);
        }
      }
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    Problems problems = new Problems();
    String yaml = "http_endpoint: {endpoints: [{url: \"%s\"%s}], watch_interval: %s}".formatted(upstream.uri("/rules"),
        settings, interval);
    Providers.Remote remote = Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> Providers.decoder(Enforcement.NONE).decode(node, problems)).orElseThrow().remote()
        .orElseThrow();
    endpoints = new HttpEndpoints(remote,
        new EndpointClient(ClientPool.of(() -> client), new MemoryCache(1 << 20, 0, InstantSource.system()),
            new KeyRings(InstantSource.system()), InstantSource.system(), limits),
        log,
        Duration.ofMillis(10), patience);
    begins = endpoints.begins();
    endpoints.watch(taker);
  }

  private static String answer(int status, String body, String... fields) {
    String lines = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
    return "HTTP/1.1 " + status + " X\r\n" + lines + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  /** What is told next: the text, or {@code gone}. */
  private String next() throws InterruptedException {
    List<Change> changes = shown.poll(10, TimeUnit.SECONDS);
    if (changes == null) {
      return "nothing";
    }
    assertEquals("http_endpoint:" + upstream.uri("/rules"), changes.getFirst().source());
    return changes.getFirst().text().map(SourceFile::text).orElse("gone");
  }

  private String log() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void reportsChangesOnly() throws Exception {
    start("", answer(200, "one", YAML), answer(200, "one", YAML), answer(200, "two", "Content-Type: application/json"));
    assertEquals("one", next());
    assertEquals("two", next());
    assertTrue(heads.getFirst().startsWith("GET /rules HTTP/1.1\r\n"), heads.getFirst());
    assertTrue(heads.getFirst().contains("Accept: application/yaml, application/json\r\n"), heads.getFirst());
  }

  @Test
  void whatFailsLeavesTheLastGoodOne() throws Exception {
    start("", answer(200, "one", YAML), answer(500, "x", YAML), answer(403, "x", YAML), "", "rubbish",
        answer(200, "two", "Content-Type: text/html"),
        answer(200, "two"), answer(200, "two", YAML + "; charset=latin1"), answer(200, "\u00e4", YAML),
        answer(302, "", "Location: /x"),
        answer(200, "three", YAML));
    assertEquals("one", next());
    assertEquals("three", next());
    writer.close(); // lines are written a little later than they are logged
    for (String reason : List.of("unexpected response code: 500", "unexpected response code: 403",
        "the response has type `text/html`",
        "the response has type ``", "the response is encoded in `latin1`", "the response is not UTF-8",
        "unexpected response code: 302")) {
      assertTrue(log().contains(reason), reason + "\n" + log());
    }
  }

  @Test
  void contentTypesMayHaveParameters() throws Exception {
    start("", answer(200, "one", YAML + "; charset=UTF-8"),
        answer(200, "two", "Content-Type: Application/JSON;version=1"));
    assertEquals("one", next());
    assertEquals("two", next());
  }

  @Test
  void aRuleSetHasTenMegabytesAtMost() throws Exception {
    String most = "#".repeat(10 << 20);
    start("", answer(200, most + "#", YAML), answer(200, most, YAML));
    assertEquals(most.length(), next().length());
    assertEquals(2, heads.size());
    writer.close();
    assertTrue(log().contains("Failed to fetch rule set") && log().contains("10485760"), log());
  }

  @Test
  void theRulesGoWhenTheEndpointSaysThatThereAreNone() throws Exception {
    String good = answer(200, "one", YAML);
    start("", good, answer(404, ""), good, answer(200, ""), good, answer(204, "").replace("Content-Length: 0\r\n", ""),
        good, answer(410, "x"));
    for (int i = 0; i < 4; i++) {
      assertEquals("one", next());
      assertEquals("gone", next());
    }
  }

  @Test
  void confirmsWhatItHasByItsTag() throws Exception {
    start("", answer(200, "one", YAML, "ETag: \"1\"", "Cache-Control: max-age=0"),
        answer(304, "").replace("Content-Length: 0\r\n", ""),
        answer(200, "two", YAML));
    assertEquals("one", next());
    assertEquals("two", next());
    assertTrue(heads.get(1).contains("If-None-Match: \"1\"\r\n"), heads.get(1));
  }

  @Test
  void sendsItsCredentials() throws Exception {
    start(", auth: {type: basic_auth, config: {user: u, password: p}}, headers: {X-A: b}", answer(200, "one", YAML));
    assertEquals("one", next());
    assertTrue(heads.getFirst().contains("Authorization: Basic dTpw\r\n"), heads.getFirst());
    assertTrue(heads.getFirst().contains("X-A: b\r\n"), heads.getFirst());
  }

  /** The bytes come for a minute. */
  @ParameterizedTest
  @CsvSource({"'', no answer in time", "1, the answer was not whole within 600 ms"})
  void anEndpointThatTricklesIsFetchedAgain(String head, String problem) throws Exception {
    limits = new CallLimits(Duration.ofMillis(300), Duration.ofSeconds(30), Duration.ofMillis(600), 1 << 20);
    String slow = TRICKLING + (head.isEmpty() ? "" : head + "\r\n" + YAML + "\r\nContent-Length: 9999\r\n\r\n");
    start("", slow, answer(200, "one", YAML));
    assertEquals("one", next());
    assertEquals(1, lines(problem), log());
  }

  /** How many lines say that; nothing is logged afterwards. */
  private long lines(String word) {
    writer.close();
    return log().lines().filter(line -> line.contains(word)).count();
  }

  @Test
  void retriesUntilFirstSuccess() throws Exception {
    String bad = answer(500, "x", YAML);
    start("", "0s",
        new String[] {bad, bad, answer(403, "x", YAML), bad, answer(200, "one", YAML), answer(200, "two", YAML)});
    assertEquals("one", next());
    assertTrue(begins);
    Await.until(() -> !endpoints.begins());
    assertNull(shown.poll(100, TimeUnit.MILLISECONDS));
    assertEquals(5, heads.size());
    assertEquals(2, lines("unexpected response code: 500"));
    assertEquals(3, lines("Failed to fetch rule set"));
    assertEquals(1, lines("Rule set can be fetched again"));
  }

  @Test
  void theStartWaitsForAFailedEndpointForAWhile() throws Exception {
    start("", "1h", new String[] {answer(500, "x"), "", ""});
    Await.until(() -> heads.size() > 4);
    assertTrue(endpoints.begins());
    assertTrue(shown.isEmpty());
  }

  @Test
  void butNotForEver() throws Exception {
    patience = Duration.ofMillis(300);
    start("", "1h", new String[] {answer(500, "x"), "", ""});
    Await.until(() -> !endpoints.begins());
    assertTrue(shown.isEmpty());
  }

  /** A rule that was too open would stay so for a year, otherwise. */
  @Test
  void theAgeThatTheServerAllowsDoesNotKeepChangesBack() throws Exception {
    start("", answer(200, "one", YAML, "ETag: \"1\"", "Cache-Control: public, max-age=31536000"),
        answer(304, "").replace("Content-Length: 0\r\n", ""),
        answer(200, "two", YAML, "Cache-Control: public, max-age=31536000"),
        answer(200, "three", YAML));
    assertEquals("one", next());
    assertEquals("two", next());
    assertEquals("three", next());
    assertTrue(heads.getFirst().contains("Cache-Control: no-cache\r\n"), heads.getFirst());
    assertTrue(heads.get(1).contains("If-None-Match: \"1\"\r\n"), heads.get(1));
  }

  @Test
  void goesOnWhereAListenerThrows() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    taker = changes -> {
      if (calls.incrementAndGet() == 1) {
        throw new IllegalStateException("a bug");
      }
      shown.add(changes);
    };
    start("", "HTTP/1.1 200 OK\r\n" + YAML + "\r\nContent-Length: 3\r\n\r\n[1]");
    assertEquals("[1]", shown.poll(60, TimeUnit.SECONDS).getFirst().text().orElseThrow().text());
    assertEquals(2, calls.get());
    Await.until(() -> !endpoints.begins());
  }
}

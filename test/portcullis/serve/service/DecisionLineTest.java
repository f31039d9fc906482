package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.jwt.EncryptedText;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Forwarding;
import portcullis.http.message.IncomingRequest;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.decisions.KeyedHash;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.StepReport;

/** What a line has of the answers of remote services, and of what only the holder of a key reads. */
class DecisionLineTest {
  private static final String KEY = "0b".repeat(32);

  @TempDir
  private Path folder;
  private RawUpstream remote;
  private String answer = "{\"role\":\"chef\"}";

  @BeforeEach
  void start() throws Exception {
    remote = RawUpstream.of(peer -> {
      while (!peer.head().isEmpty()) {
        peer.say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + answer.length() + "\r\n\r\n"
            + answer);
      }
    });
    Files.writeString(folder.resolve("key"), KEY);
  }

  @AfterEach
  void stop() {
    remote.close();
  }

  private String line(String settings) throws Exception {
    return line(settings, OneRequest.text("GET", "/open", "X-Custom: 1") + "\r\n");
  }

  private String line(String settings, String... requests) throws Exception {
    String mechanisms = """
        authenticators: [{id: anon, type: anonymous, config: {subject: guest}}]
        authorizers: [{id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) > 0'}]}}]
        contextualizers:
          - {id: role, type: generic, config: {endpoint: {url: "http://127.0.0.1:%d/role", method: GET}}}
        """.formatted(remote.port());
    String rules = "- {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}, "
        + "{contextualizer: role}]}\n"
        + "- {id: body, match: {routes: [{path: /body}]}, execute: [{authenticator: anon}, {authorizer: reads}]}\n";
    return new LoggedDecisions(folder, mechanisms, rules).lines(false, settings, requests).getLast();
  }

  private SymmetricKey key() throws Exception {
    return SymmetricKey.parse(KEY, "test");
  }

  private Value.Dict opened(String line) throws Exception {
    Value.Dict all = (Value.Dict) Json.read(line.getBytes(StandardCharsets.UTF_8));
    String sealed = ((Value.Str) all.get("sealed").orElseThrow()).value();
    assertEquals(Optional.empty(), EncryptedText.open(sealed, SymmetricKey.parse("0c".repeat(32), "test")));
    return (Value.Dict) Json.read(EncryptedText.open(sealed, key()).orElseThrow().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void answersAreHashed() throws Exception {
    String line = line("hash_key: " + folder.resolve("key"));
    assertTrue(
        line.contains("\"answers\":[{\"step\":\"role\",\"status\":200,\"body\":\"" + new KeyedHash(key()).of(answer)
            + "\"}]"),
        line);
    assertFalse(line.contains("chef") || line.contains("\"sealed") || line.contains("\"cached\""), line);
    assertTrue(line.matches(".*\"id\":\"\\w{16}\".*"), line);
    assertFalse(line.contains("\"upstream\""), line);
    assertFalse(line("").contains("\"hashes\""));
  }

  @Test
  void theTraceIsNamed() throws Exception {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    String request = OneRequest.text("GET", "/open", "traceparent: 00-" + trace + "-b7ad6b7169203331-01") + "\r\n";
    String rules = "- {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}]}\n";
    try (Observing observing = new Observing()) {
      String line = new LoggedDecisions(folder, "authenticators: [{id: anon, type: anonymous}]\n", rules,
          observing.spansAlone().tracer()).lines(false, "", request).getLast();
      assertTrue(line.contains("\",\"trace\":\"" + trace + "\",\"decision\":"), line);
    }
    assertFalse(line("").contains("\"trace\":"));
  }

  @Test
  void sealedRequestsAreReadWithTheirKeyOnly() throws Exception {
    String line = line("seal_key: " + folder.resolve("key"));
    Value.Dict sealed = opened(line);
    assertEquals(Value.of("/open"), sealed.get("path").orElseThrow());
    assertTrue(sealed.toString().contains("X-Custom"), sealed::toString);
    assertEquals(1, ((Value.Array) sealed.get("answers").orElseThrow()).items().size());
    assertFalse(line.contains("chef") || line.contains("sealed_incomplete") || line.contains("X-Custom"), line);
  }

  @Test
  void sealedRequestsWithoutLongAnswersSaySo() throws Exception {
    answer = "\"" + "x".repeat(RemoteAnswers.MAX_BYTES) + "\"";
    String line = line("seal_key: " + folder.resolve("key"));
    assertTrue(line.contains(",\"sealed_incomplete\":true"), line);
    assertEquals(List.of(), ((Value.Array) opened(line).get("answers").orElseThrow()).items());
  }

  @Test
  void sealedRequestsWithoutLongBodiesSaySo() throws Exception {
    assertEquals(Value.of("eHh4"), opened(posted("xxx")).get("body").orElseThrow());
    assertFalse(posted("xxx").contains("sealed_incomplete"));
    String line = posted("x".repeat(RemoteAnswers.MAX_BYTES + 1));
    assertTrue(line.contains("\"decision\":\"allowed\"") && line.contains(",\"sealed_incomplete\":true"), line);
    assertEquals(Optional.empty(), opened(line).get("body"));
  }

  private String posted(String body) throws Exception {
    return line("seal_key: " + folder.resolve("key"), OneRequest.text("POST", "/body", "Content-Type: text/plain",
        "Content-Length: " + body.length()) + "\r\n" + body);
  }

  /** Of steps that passed, one of them by what was kept. */
  @Test
  void aStepThatUsedWhatWasKeptSaysSo() throws Exception {
    Problems problems = new Problems();
    DecisionLogSettings settings = Yaml
        .read(new SourceFile("c.yaml", "file: {path: \"" + folder.resolve("d.log") + "\"}"), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems)).orElseThrow();
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\nfinalizers: "
        + "[{id: none, type: noop}]\n",
        "- {id: all, match: {routes: [{path: /x}]}, execute: [{authenticator: anon}, {finalizer: none}]}\n");
    StubExchange exchange = new StubExchange();
    ValidRequest incoming = (ValidRequest) IncomingRequest.of(exchange);
    Transaction transaction = new Transaction(exchange, incoming, Instant.EPOCH);
    try (DecisionLog log = DecisionLog.start(settings, setup.log(), InstantSource.system(), problems).orElseThrow();
        RemoteAnswers answers = new RemoteAnswers(new AnswerMemory(1 << 20))) {
      DecisionTrail trail = new DecisionTrail(Observer.NONE, answers);
      RequestTrail marking = new RequestTrail(trail) {
        @Override
        public void ended(StepReport report) {
          super.ended(new StepReport(report.step(), report.outcome(), report.nanos(), report.step().id().equals("none"),
              report.failure()));
        }
      };
      transaction.decided(setup.decider().decide(Forwarding.of(incoming, TrustedProxies.NONE)
          .request(ListenerSettings.plain("127.0.0.1", 0).limits().bodies(), YamlFormat::orOther), marking));
      new DecisionLine(log, transaction, trail, new DecisionParts()).offer(true);
    }
    String line = Files.readString(folder.resolve("d.log"));
    assertTrue(line.matches("(?s).*\"type\":\"noop\",\"outcome\":\"passed\",\"ms\":[0-9.]+,\"cached\":true\\}.*"),
        line);
    assertEquals(1, line.split("\"cached\":true", -1).length - 1, line);
  }
}

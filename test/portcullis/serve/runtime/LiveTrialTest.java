package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.http.message.Fields;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.decision.Decider;
import portcullis.serve.console.RequestTrial;
import portcullis.serve.console.StubAnswer;
import portcullis.serve.service.DryRun;

class LiveTrialTest {
  @TempDir
  private Path folder;
  private final AtomicInteger calls = new AtomicInteger();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(OutputStream.nullOutputStream()),
      InstantSource.system(), "");
  private HttpServer sessions;
  private Site site;
  private LiveTrial trial;

  @BeforeEach
  void start() throws Exception {
    sessions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sessions.createContext("/", exchange -> {
      calls.incrementAndGet();
      byte[] body = "{\"sub\":\"ann\"}".getBytes();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    sessions.start();
    site = new Site(folder);
    site.config("""
        mechanisms:
          authenticators:
          - id: session
            type: generic
            config:
              identity_info_endpoint: http://127.0.0.1:%d/whoami
              authentication_data_source: [{cookie: sid}]
              forward_cookies: [sid]
              subject: {id: sub}
        """.formatted(sessions.getAddress().getPort()) + Site.FILES.formatted(folder.resolve("rules")));
    site.rules("a.yaml", Site.rule("mine", "/me", "session")).start();
    trial = new LiveTrial(site.program(), new Decider(site.program().reloader()::snapshot, log), false,
        InstantSource.system(), log);
  }

  @AfterEach
  void stop() {
    site.close();
    sessions.stop(0);
  }

  private RequestTrial.Result result(String path, Optional<List<StubAnswer>> answers) throws InterruptedException {
    return trial.of(new DryRun.Draft("GET", "https://app.example" + path, Fields.of("Cookie", "sid=abcdefgh"),
        InetAddress.getLoopbackAddress(), new byte[0]), answers).orElseThrow();
  }

  @Test
  void remoteServicesAreCalledOnlyForReal() throws Exception {
    assertTrue(result("/me", Optional.of(List.of(new StubAnswer("session", 200, "{\"sub\":\"bob\"}")))).explanation()
        .text().contains("allowed, subject `bob`"));
    assertEquals(0, calls.get());
    assertTrue(result("/me", Optional.empty()).explanation().text().contains("allowed, subject `ann`"));
    assertEquals(1, calls.get());
  }

  @Test
  void callsWithoutAnAnswerFailAndAreNamed() throws Exception {
    RequestTrial.Result result = result("/me", Optional.of(List.of()));
    assertTrue(result.explanation().is("deny"), result.explanation().text());
    assertEquals(1, result.unanswered().size());
    assertTrue(result.unanswered().getFirst().endsWith("/whoami of step `session`"), result.unanswered().toString());
    assertFalse(result.explanation().text().contains("abcdefgh"), "secrets are masked");
  }

  @Test
  void changedRulesAreUsedAtOnce() throws Exception {
    Optional<List<StubAnswer>> answers = Optional.of(List.of(new StubAnswer("*", 200, "{\"sub\":\"bob\"}")));
    assertTrue(result("/me", answers).explanation().is("allow"));
    assertTrue(result("/you", answers).explanation().is("deny"));
    site.rules("a.yaml", Site.rule("yours", "/you", "session"));
    site.awaitFound("/you", "yours");
    assertTrue(result("/you", answers).explanation().is("allow"));
    assertTrue(result("/me", answers).explanation().is("deny"));
  }
}

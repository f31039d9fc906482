package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.crypto.jwt.EncryptedText;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.replay.Redecision;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;

/** What becomes of lines that have nothing but the request; whole requests are tested on the image. */
class ReplayTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: anyone, type: anonymous }
          - { id: basic, type: basic_auth, config: { user_id: u, password: p } }
        authorizers:
          - { id: may, type: allow }
          - { id: never, type: deny }
          - { id: few, type: rate_limit, config: { key: "{{ .Client.Address }}", rate: 1/s } }
          - { id: local, type: cel, config: { expressions: [ { expression: "Request.Method == 'GET'" } ] } }
        finalizers:
          - { id: noop, type: noop }
      """;

  @TempDir
  private Path folder;

  private static String rule(String id, String... steps) {
    return "  - { id: " + id + ", match: { routes: [ { path: /" + id + " } ] }, execute: [ " + String.join(", ", steps)
        + " ] }\n";
  }

  private static String line(boolean allowed, String path, String error, String more) {
    return "{\"time\":\"2026-01-02T03:04:05Z\",\"decision\":\"" + (allowed ? "allowed" : "denied")
        + "\",\"request\":{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"" + path + "\"},"
        + "\"client\":[\"192.0.2.1\"],\"steps\":[]" + more
        + (error.isEmpty() ? "" : ",\"error\":\"" + error + "\"") + "}\n";
  }

  private Optional<Replay.Outcome> replayed(String rules, String log, Optional<SymmetricKey> key, Problems problems)
      throws Exception {
    return replayed(CONFIG, rules, log, key, problems);
  }

  private Optional<Replay.Outcome> replayed(String config, String rules, String log, Optional<SymmetricKey> key,
      Problems problems) throws Exception {
    Path written = Files.writeString(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n" + rules);
    Files.writeString(folder.resolve("log"), log);
    return replayed(config, written, List.of(folder.resolve("log")), key, problems);
  }

  private static Optional<Replay.Outcome> replayed(String config, Path rules, List<Path> logs,
      Optional<SymmetricKey> key,
      Problems problems) {
    Settings settings = Settings
        .read(new SourceFile("config.yaml", config), EnvironmentOverrides.ofProcess(Optional.empty()),
            Enforcement.NONE, problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString())).withRules(rules);
    return Replay.run(settings, Enforcement.NONE, logs, key, problems);
  }

  private Replay.Outcome replayed(String rules, String log) throws Exception {
    Problems problems = new Problems();
    return replayed(rules, log, Optional.empty(), problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  private String refusal(String log, Optional<SymmetricKey> key) throws Exception {
    Problems problems = new Problems();
    assertEquals(Optional.empty(), replayed(rule("open", "{ authenticator: anyone }"), log, key, problems));
    return problems.sorted().getFirst().message();
  }

  private SymmetricKey key(char digit) throws Exception {
    return SymmetricKey.read(Files.writeString(folder.resolve("key"), String.valueOf(digit).repeat(64)));
  }

  @Test
  void aLogThatCannotBeReplayedIsNoSuccess() throws Exception {
    assertEquals("there is no decision in the log: " + folder.resolve("log") + ":1",
        refusal("version: 1alpha4\n", Optional.empty()));
    assertEquals("there is no decision in the log", refusal("", Optional.empty()));
    String sealed = line(true, "/open", "", ",\"sealed\":\"" + EncryptedText.seal("{}", key('a')) + "\"");
    assertEquals("the key opens no sealed request of the log", refusal(sealed, Optional.of(key('b'))));
    assertTrue(replayed(rule("open", "{ authenticator: anyone }"), line(true, "/open", "", ""),
        Optional.of(key('b')), new Problems()).isPresent());
  }

  @Test
  void findsWhatIsDecidedOtherwise() throws Exception {
    Replay.Outcome outcome = replayed(
        rule("open", "{ authenticator: anyone }", "{ authorizer: may }")
            + rule("shut", "{ authenticator: anyone }", "{ authorizer: never }"),
        line(false, "/open", "authorization_error", "") + line(false, "/open", "authorization_error", "")
            + line(true, "/open", "", "") + line(true, "/shut", "", "") + line(false, "/shut", "no_rule_error", "")
            + line(false, "/none", "no_rule_error", "") + line(true, "/none", "", ""));
    assertEquals(7, outcome.decisions());
    assertEquals(2, outcome.unchanged());
    assertEquals(2, outcome.count(Replay.Change.NEWLY_ALLOWED));
    assertEquals(2, outcome.count(Replay.Change.NEWLY_DENIED));
    assertEquals(1, outcome.count(Replay.Change.DENIED_OTHERWISE));
    Replay.Changed first = outcome.changes().getFirst();
    assertEquals(Replay.Change.NEWLY_ALLOWED, first.change(), "these come first");
    assertEquals("GET https://a.test/open", first.witness());
    assertTrue(first.now().startsWith("allowed by rule `open` ("), first.now());
    assertTrue(first.now().endsWith("rules.yaml:3)"), first.now());
    assertTrue(first.place().endsWith("log:1"), first.place());
  }

  /** What such a peer says of a request counts for rules, and is not in the log as it was sent. */
  @Test
  void requestsOfAPeerThatIsATrustedProxyNowOnlyAreUndecided() throws Exception {
    for (boolean then : new boolean[] {false, true}) {
      String sealed = ",\"sealed\":\""
          + EncryptedText.seal("{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\","
              + "\"path\":\"/open\",\"clients\":[\"192.0.2.1\"],\"certificates\":{\"proxy\":" + then + "}}", key('a'))
          + "\"";
      for (boolean now : new boolean[] {false, true}) {
        String trust = now ? "serve: { trusted_proxies: [ 192.0.2.0/24 ] }\n" : "";
        Replay.Outcome outcome = replayed(trust + CONFIG, rule("open", "{ authenticator: anyone }"),
            line(true, "/open", "", sealed) + line(true, "/open", "", ""), Optional.of(key('a')), new Problems())
            .orElseThrow();
        assertEquals(then == now ? 0 : 1, outcome.count(Replay.Change.UNDECIDED), then + " " + outcome.changes());
        assertTrue(outcome.changes().stream().allMatch(one -> one.now().contains("`serve.trusted_proxies`")));
        assertTrue(ReplayReport.text(outcome).contains("what was sealed is not known of 1 request: "),
            ReplayReport.text(outcome));
      }
    }
  }

  @Test
  void lockedRequestsStayDenied() throws Exception {
    Replay.Outcome outcome = replayed(rule("open", "{ authenticator: anyone }"),
        line(false, "/open", Redecision.LOCKED, ""));
    assertEquals(1, outcome.unchanged());
    assertEquals(0, outcome.count(Replay.Change.NEWLY_ALLOWED));
  }

  /** The step would allow a single request. */
  @Test
  void refusalsByCountsOfRequestsAreUndecided() throws Exception {
    String steps = ",\"steps\":[{\"id\":\"anyone\",\"kind\":\"authenticator\",\"type\":\"anonymous\","
        + "\"outcome\":\"passed\",\"ms\":0.1},{\"id\":\"few\",\"kind\":\"authorizer\","
        + "\"type\":\"rate_limit\",\"outcome\":\"failed\",\"ms\":0.1}]";
    String sealed = ",\"sealed\":\"" + EncryptedText.seal(
        "{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"/few\"}", key('a')) + "\"";
    String line = line(false, "/few", "too_many_requests_error", sealed).replace(",\"steps\":[]", steps);
    Replay.Outcome counted = replayed(rule("few", "{ authenticator: anyone }", "{ authorizer: few }"), line,
        Optional.of(key('a')), new Problems()).orElseThrow();
    assertEquals(1, counted.count(Replay.Change.UNDECIDED), counted.changes().toString());
    assertTrue(counted.changes().getFirst().now().contains("step `few` had counted requests before it"),
        counted.changes().toString());
    Replay.Outcome free = replayed(rule("few", "{ authenticator: anyone }"), line, Optional.of(key('a')),
        new Problems()).orElseThrow();
    assertEquals(1, free.count(Replay.Change.NEWLY_ALLOWED), "it is not counted any more");
    Replay.Outcome off = replayed(
        rule("few", "{ authenticator: anyone }", "{ authorizer: few, if: 'Request.Method == \"POST\"' }"), line,
        Optional.of(key('a')), new Problems()).orElseThrow();
    assertEquals(1, off.count(Replay.Change.NEWLY_ALLOWED), "the step is skipped: " + off.changes());
    Replay.Outcome on = replayed(
        rule("few", "{ authenticator: anyone }", "{ authorizer: few, if: 'Request.Method == \"GET\"' }"), line,
        Optional.of(key('a')), new Problems()).orElseThrow();
    assertEquals(1, on.count(Replay.Change.UNDECIDED), "the step counts: " + on.changes());
  }

  @Test
  void saysWhatTheLogDoesNotSufficeFor() throws Exception {
    Replay.Outcome outcome = replayed(
        rule("cel", "{ authenticator: anyone }", "{ authorizer: local }")
            + rule("basic", "{ authenticator: basic }")
            + rule("early", "{ authenticator: anyone }", "{ authorizer: never }", "{ authorizer: local }"),
        line(true, "/cel", "", "") + line(false, "/basic", "authentication_error", "") + line(true, "/early", "", ""));
    assertEquals(2, outcome.count(Replay.Change.UNDECIDED));
    assertEquals(1, outcome.count(Replay.Change.NEWLY_DENIED), "what comes after a step that denies is not needed");
    assertTrue(outcome.changes().getLast().now().contains("`seal_key`"), outcome.changes().toString());
  }

  @Test
  void linesThatAreNoDecisionAreNamed() throws Exception {
    String text = ReplayReport.text(replayed(rule("open", "{ authenticator: anyone }"),
        "1\n2\n" + line(true, "/open", "", "") + "4\n5\n"));
    Path log = folder.resolve("log");
    assertTrue(text.contains("4 lines are not a decision: " + log + ":1, " + log + ":2, " + log + ":4, …\n"), text);
  }

  @Test
  void aLogThatIsGivenTwiceIsRefused() throws Exception {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n"
        + rule("open", "{ authenticator: anyone }"));
    Path log = Files.writeString(folder.resolve("log"), line(true, "/open", "", ""));
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    for (Path other : List.of(log, link)) {
      Problems problems = new Problems();
      assertEquals(Optional.empty(), replayed(CONFIG, rules, List.of(log, other), Optional.empty(), problems));
      assertTrue(problems.sorted().getFirst().message().startsWith("`" + other + "` is given twice"),
          problems.sorted().toString());
    }
  }

  @Test
  void itIsSaidOnceThatSealedRequestsNeedAKey() throws Exception {
    String sealed = ",\"sealed\":\"" + EncryptedText.seal("{}", key('a')) + "\"";
    String text = ReplayReport.text(replayed(rule("cel", "{ authenticator: anyone }", "{ authorizer: local }")
        + rule("basic", "{ authenticator: basic }"),
        line(true, "/cel", "", sealed) + line(true, "/basic", "", sealed) + line(false, "/none", "x", sealed)));
    assertTrue(text.startsWith("2 undecided requests are sealed: name the file of `decision_log.seal_key` by `--key`"),
        text);
    assertEquals(text.indexOf("--key"), text.lastIndexOf("--key"), text);
    assertTrue(text.contains("undecided: 1 request\n") && text.contains("the whole request is sealed"), text);
  }

  @Test
  void countsWhatIsMissing() throws Exception {
    Replay.Outcome outcome = replayed(rule("open", "{ authenticator: anyone }"),
        line(true, "/open", "", ",\"sampled\":0.25")
            + "{\"time\":\"2026-01-02T03:04:05Z\",\"lost\":3,\"reason\":\"x\"}\n"
            + "{\"cut\n" + line(false, "/%zz", "precondition_error", ",\"rejected\":true"));
    assertEquals(2, outcome.unchanged());
    assertEquals(3, outcome.lost());
    assertEquals(1, outcome.unreadable());
    assertEquals(List.of("0.25"), outcome.samples());
    String text = ReplayReport.text(outcome);
    assertTrue(text.contains("3 requests were lost")
        && text.contains("1 line is not a decision: " + folder.resolve("log")
            + ":3\n")
        && text.contains("0.25 of all") && text.endsWith("2 unchanged"), text);
    assertTrue(ReplayReport.json(outcome).contains("\"lost\":3"), ReplayReport.json(outcome));
  }

  @Test
  void whatTheLogHasCannotForgeOrColourTheReport() throws Exception {
    String log = line(false, "/open\\u009b\\u202e", "e\\u001b[31m\\nnewly allowed: 7 requests", "");
    Replay.Outcome outcome = replayed(rule("open", "{ authenticator: anyone }"), log.replace("/open\\u009b\\u202e",
        "/open"), Optional.empty(), new Problems()).orElseThrow();
    String text = ReplayReport.text(outcome);
    assertTrue(text.contains("e [31m newly allowed: 7 requests"), text);
    Replay.Outcome named = replayed(rule("open", "{ authenticator: anyone }"), log, Optional.empty(), new Problems())
        .orElseThrow();
    for (String shown : List.of(text, ReplayReport.text(named))) {
      assertTrue(shown.chars().allMatch(c -> c == '\n' || !Character.isISOControl(c) && c != 0x202e), shown);
      assertEquals(0, shown.lines().filter("newly allowed: 7 requests"::equals).count(), shown);
    }
    String json = ReplayReport.json(named);
    assertTrue(json.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x202e), json);
  }
}

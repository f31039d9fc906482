package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.crypto.jwt.EncryptedText;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.fixture.CertificateDraft;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;

/** What authenticators found out counts where nothing changed that it depends on, whatever else did. */
class ChangedConfigurationTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - {id: bearer, type: jwt, config: {jwks_endpoint: {url: "http://keys.test/"}, assertions: {issuers: [me]}}}
        authorizers:
          - {id: ann, type: cel, config: {expressions: [{expression: "Subject.ID == 'ann'"}]}}
          - {id: few, type: rate_limit, config: {key: "{{ .Subject.ID }}", rate: 1/s}}
        finalizers: [{id: noop, type: noop}]
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
        - {id: docs, match: {routes: [{path: /docs}]}, execute: [{authenticator: bearer}, {authorizer: ann}]}
        - {id: few, match: {routes: [{path: /few}]}, execute: [{authenticator: bearer}, {authorizer: few}]}
      """;
  private static final String FLIPPED = CONFIG.replace("== 'ann'", "!= 'ann'");

  /** Of the issuer `me`, for the key `k`; nobody checks its signature. */
  private static final String TOKEN = "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.eyJpc3MiOiJtZSJ9." + "A".repeat(86);

  @TempDir
  private Path folder;
  private SymmetricKey key;
  private RuleOrigin docs;
  private RuleOrigin few;

  @BeforeEach
  void readOrigins() throws Exception {
    key = SymmetricKey.read(Files.writeString(folder.resolve("key"), "a".repeat(64)));
    readOrigins(CONFIG);
  }

  private void readOrigins(String config) throws Exception {
    try (OfflineDecider decider = new OfflineDecider(settings(config), Enforcement.NONE)) {
      assertTrue(decider.load(new Problems()));
      docs = origin(decider, "docs");
      few = origin(decider, "few");
    }
  }

  private static RuleOrigin origin(OfflineDecider decider, String id) {
    return decider.snapshot().index().values().stream().filter(rule -> rule.id().equals(id)).findFirst().orElseThrow()
        .origin();
  }

  private Settings settings(String config) throws Exception {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    Problems problems = new Problems();
    return Settings.read(new SourceFile("config.yaml", config), EnvironmentOverrides.ofProcess(Optional.empty()),
        Enforcement.NONE, problems).orElseThrow(() -> new AssertionError(problems.sorted().toString()))
        .withRules(rules);
  }

  /** Returns a line of a request of ann. @param error of its authorizer; empty if it was allowed */
  private String line(String path, RuleOrigin origin, String authorizer, String error, boolean known) {
    String effect = known ? ",\"effect\":{\"authenticators\":\"" + origin.effect().authenticators() + "\",\"rule\":\""
        + origin.effect().rule() + "\",\"files\":\"" + origin.effect().contents() + "\"}" : "";
    String sealed = EncryptedText.seal("{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"" + path
        + "\",\"headers\":[[\"Authorization\",\"Bearer " + TOKEN
        + "\"]],\"subject\":{\"id\":\"ann\",\"attributes\":{}}"
        + effect + "}", key);
    return "{\"time\":\"2026-01-02T03:04:05Z\",\"decision\":\"" + (error.isEmpty() ? "allowed" : "denied")
        + "\",\"request\":{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"" + path + "\"},"
        + "\"rule\":{\"id\":\"r\",\"at\":\"r:1\",\"sha256\":\"" + origin.rule() + "\",\"authenticators_sha256\":\""
        + origin.authenticators() + "\",\"configuration_sha256\":\"" + origin.configuration()
        + "\"},\"client\":[\"192.0.2.1\"],\"steps\":[{\"id\":\"bearer\",\"kind\":\"authenticator\","
        + "\"outcome\":\"passed\"},{\"id\":\"" + authorizer + "\",\"kind\":\"authorizer\",\"outcome\":\""
        + (error.isEmpty() ? "passed" : "failed") + "\"}],\"sealed\":\"" + sealed + "\""
        + (error.isEmpty() ? "" : ",\"error\":\"" + error + "\"") + "}\n";
  }

  private String both(boolean known) {
    return line("/docs", docs, "ann", "", known) + line("/few", few, "few", "too_many_requests_error", known);
  }

  private Replay.Outcome replayed(String config, String log) throws Exception {
    Path lines = Files.writeString(folder.resolve("log"), log);
    Problems problems = new Problems();
    return Replay.run(settings(config), Enforcement.NONE, List.of(lines), Optional.of(key), problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  @Test
  void aCommentChangesNothing() throws Exception {
    assertEquals(2, replayed(CONFIG + "# a comment\n", both(true)).unchanged());
  }

  @Test
  void anotherAuthorizerIsAppliedToTheSubjectOfThen() throws Exception {
    Replay.Outcome flipped = replayed(FLIPPED, both(true));
    assertEquals(1, flipped.count(Replay.Change.NEWLY_DENIED), flipped.changes().toString());
    assertEquals(1, flipped.unchanged(), "a rule without that authorizer is the same");
  }

  @Test
  void otherAuthenticatorsAreUndecidedWithTheReason() throws Exception {
    Replay.Outcome other = replayed(CONFIG.replace("keys.test", "other.test"), both(true));
    assertEquals(2, other.count(Replay.Change.UNDECIDED), other.changes().toString());
    assertEquals("no response to the call of step `bearer` is known; the configuration of its authenticators has "
        + "changed since, or a file that it names", other.changes().getFirst().now());
  }

  /** With other contents it may decide otherwise: a credential that was revoked since is in none any more. */
  @Test
  void aFileOfAnAuthenticatorCountsWithItsContents() throws Exception {
    Path trust = Files.writeString(folder.resolve("roots.pem"), CertificateDraft.authority("one").pem());
    String config = CONFIG.replace("{issuers: [me]}", "{issuers: [me]}, trust_store: '" + trust + "'");
    readOrigins(config);
    String log = both(true);
    assertEquals(2, replayed(config, log).unchanged());
    Files.writeString(trust, CertificateDraft.authority("other").pem());
    Replay.Outcome other = replayed(config, log);
    assertEquals(2, other.count(Replay.Change.UNDECIDED), other.changes().toString());
    assertTrue(other.changes().getFirst().now().endsWith("or a file that it names"), other.changes().toString());
  }

  @Test
  void sealedRequestsThatCannotBeOpenedAreCounted() throws Exception {
    assertEquals(0, replayed(CONFIG, both(true)).unopened());
    Replay.Outcome outcome = replayed(CONFIG, both(true).replaceFirst("\"sealed\":\"ey.", "\"sealed\":\"eyz"));
    assertEquals(1, outcome.unopened());
    assertTrue(ReplayReport.text(outcome).contains("1 request is sealed and could not be opened"),
        ReplayReport.text(outcome));
    assertTrue(ReplayReport.json(outcome).contains("\"unopened\":1"), ReplayReport.json(outcome));
  }

  @Test
  void linesOfEarlierVersionsAreUndecidedWithTheReason() throws Exception {
    assertEquals(2, replayed(CONFIG, both(false)).unchanged());
    Replay.Outcome old = replayed(CONFIG + "# a comment\n", both(false));
    assertEquals(2, old.count(Replay.Change.UNDECIDED), old.changes().toString());
    assertEquals("no response to the call of step `bearer` is known; the configuration has changed since, and it is "
        + "not known whether its authenticators have", old.changes().getFirst().now());
  }
}

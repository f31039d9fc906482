package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Await;
import portcullis.lang.source.Problems;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.replay.ReplayDecider;
import portcullis.policy.route.RouteIndex;
import portcullis.serve.shadow.ShadowJudge;
import portcullis.serve.shadow.ShadowReport;
import portcullis.serve.shadow.ShadowSet;

/** Which requests are passed on to shadow rules, here to none at all, and with what. */
class DecisionLayerTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      authorizers: [{id: never, type: deny}]
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}]}
      - {id: deep, match: {routes: [{path: /deep/**}]}, execute: [{authenticator: anon}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: anon}, {authorizer: never}]}
      """;

  private final ShadowJudge judge = new ShadowJudge(new SharedAnswers(), Optional.empty(), Optional.empty(), () -> {});
  private final ShadowSet set = emptySet();
  private DeciderSetup setup;
  private Listener listener;

  private static ShadowSet emptySet() {
    ReplayDecider decider = ReplayDecider.remembering();
    KeyRings keys = new KeyRings(decider.clock());
    MechanismContext context = new MechanismContext(decider.caller(keys), keys, Enforcement.NONE, decider.clock(),
        decider.clock(), decider.silent());
    return new ShadowSet(decider, new Snapshot(1, Catalogue.read(Optional.empty(), context, new Problems()),
        RouteIndex.empty(), Optional.empty(), ProtectedHeaders.NONE), Instant.EPOCH);
  }

  @BeforeEach
  void start() throws IOException {
    setup = new DeciderSetup(null, MECHANISMS, RULES);
    listener = new Services(
        new TelemetrySinks(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(judge), Optional.empty()),
        setup.log(),
        InstantSource.system()).decision(ListenerSettings.defaults(0), Optional.empty(), setup.decider());
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ZERO);
    judge.close();
    setup.shown();
  }

  private int send(String target) throws IOException {
    return OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", target));
  }

  /** What came of so many requests. */
  private ShadowReport report(int count) throws InterruptedException {
    Await.until(() -> set.report().counts().values().stream().mapToLong(Long::longValue).sum() == count);
    return set.report();
  }

  @Test
  void decidedRequestsArePassedOn() throws Exception {
    judge.use(Optional.of(set));
    assertEquals(200, send("/open"));
    assertEquals(1, report(1).count(ShadowReport.Change.NEWLY_DENIED));
    ShadowReport.Group group = set.report().groups().getFirst();
    assertTrue(group.before().startsWith("allowed by rule `open`"), group::toString);
    assertEquals(403, send("/shut"));
    ShadowReport report = report(2);
    assertEquals(1, report.count(ShadowReport.Change.DENIED_OTHERWISE), "there is no rule now");
    assertTrue(report.groups().stream().anyMatch(one -> one.before().contains("`shut`")
        && one.before().contains("authorization_error") && !one.request().isEmpty()), report::toString);
    assertEquals(404, send("/none"));
    assertEquals(1, report(3).count(ShadowReport.Change.UNCHANGED));
  }

  @Test
  void pathsThatARuleDoesNotPermitArePassedOn() throws Exception {
    judge.use(Optional.of(set));
    assertEquals(400, send("/deep/a%2Fb"));
    assertEquals(1, report(1).decided());
    ShadowReport.Group group = set.report().groups().getFirst();
    assertTrue(group.before().startsWith("denied") && group.before().contains("precondition_error"), group::toString);
  }

  @Test
  void whatIsRefusedBeforeRulesIsNotPassedOn() throws Exception {
    judge.use(Optional.of(set));
    assertEquals(400, send("/%zz"));
    send("/open");
    assertEquals(1, report(1).count(ShadowReport.Change.NEWLY_DENIED));
    assertEquals(1, set.report().decided());
  }

  @Test
  void answersInProgressHaveAPartOfTheHeap() {
    AnswerMemory memory = new DecisionLayer(Optional.empty(), Optional.of(judge)).memory();
    assertTrue(memory.reserve(Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 32)));
    assertFalse(memory.reserve(1));
    assertEquals(64L << 20, DecisionLayer.MOST_BYTES, "also where the heap is small");
  }

  @Test
  void endpointsOfMechanismsAreNotPassedOn() throws Exception {
    judge.use(Optional.of(set));
    send("/.portcullis/logout");
    send("/open");
    assertEquals(1, report(1).count(ShadowReport.Change.NEWLY_DENIED));
    assertEquals(1, set.report().decided());
  }

  @Test
  void nothingIsPassedOnWithoutShadowRules() throws Exception {
    assertEquals(200, send("/open"));
    judge.use(Optional.of(set));
    assertEquals(200, send("/open"));
    assertEquals(1, report(1).decided());
  }

  @Test
  void checksOfPathsThatARuleDoesNotPermitArePassedOn() throws Exception {
    judge.use(Optional.of(set));
    Listener calls = new Services(
        new TelemetrySinks(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(judge), Optional.empty()),
        setup.log(), InstantSource.system())
        .envoy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), () -> true);
    try (EnvoyCaller envoy = new EnvoyCaller(calls.port())) {
      assertEquals(3, envoy.check("/deep/a%2Fb").code());
      assertEquals(1, report(1).decided());
      assertEquals(0, envoy.check("/open").code());
      assertEquals(1, report(2).count(ShadowReport.Change.NEWLY_DENIED));
    } finally {
      calls.stop(Duration.ofSeconds(5));
    }
  }
}

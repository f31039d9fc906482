package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.StepSummary;
import portcullis.policy.replay.Redecision;
import portcullis.serve.service.StatusReport;
import portcullis.serve.shadow.DecidedRequest;
import portcullis.serve.shadow.ShadowJudge;
import portcullis.serve.shadow.ShadowReport;
import portcullis.serve.shadow.ShadowSet;

/** Shadow rules follow their files and the live rules; requests are decided and compared without listeners. */
class ShadowRulesTest {
  @TempDir
  private Path folder;
  private Site site;
  private final ShadowJudge judge = new ShadowJudge(new SharedAnswers(), Optional.empty(), Optional.empty(), () -> {});

  @BeforeEach
  void create() throws Exception {
    site = new Site(folder);
  }

  @AfterEach
  void close() {
    judge.close();
    site.close();
  }

  private void start(String shadow) throws Exception {
    site.config(Site.MECHANISMS + "providers: {file_system: {src: " + folder.resolve("rules") + ", watch: true"
        + shadow + "}}\n");
    site.start();
    site.program().compare(judge);
  }

  private void next(String... rules) throws Exception {
    Path aside = Files.writeString(folder.resolve("aside"), "version: 1alpha4\nrules:\n" + String.join("", rules));
    Files.move(aside, folder.resolve("next.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String shadow(String rule) {
    return rule.replace("{id", "{mode: shadow, id");
  }

  private ShadowSet awaitSet() {
    site.await(() -> judge.admitting().isPresent(), "nothing is compared");
    return judge.admitting().orElseThrow();
  }

  private Optional<StatusReport.Shadow> status() {
    return site.program().shadow().orElseThrow().status();
  }

  private void send(ShadowSet set, String path) throws Exception {
    Request request = new Request("GET", "http", Authority.parse("any.test").orElseThrow(), RequestPath.read(path), "",
        Fields.NONE, List.of("192.0.2.1"), Body.none());
    StepSummary steps = new StepSummary(Observer.NONE);
    Decision decision = new Decider(site.program().reloader()::snapshot, site.program().context().log())
        .decide(request, steps);
    boolean allowed = decision instanceof Decision.Allow;
    judge.offer(set, new DecidedRequest(Instant.now(), request, Optional.of(new byte[0]), allowed,
        decision instanceof Decision.Refuse refuse ? Redecision.error(refuse.stepFailure().failure()) : "", "",
        DecidedRequest.steps(steps.reports(), _ -> "authenticator"), Redecision.rule(decision), Optional.empty(),
        List.of(), List.of(), "id-1", ""));
  }

  @Test
  void withoutTheFileOfShadowRulesThoseInLiveFilesAreCompared() throws Exception {
    site.rules("a.yaml", rule("one", "/one"), shadow(rule("one", "/one", "none")), rule("two", "/two"));
    start(", shadow: " + folder.resolve("next.yaml"));
    ShadowReport report = sent(awaitSet(), "/one", "/two");
    assertEquals(1, report.count(ShadowReport.Change.NEWLY_DENIED));
    assertEquals(1, report.count(ShadowReport.Change.UNCHANGED));
    next(rule("one", "/one", "none"), rule("two", "/two", "none"));
    ShadowSet before = awaitSet();
    site.await(() -> judge.admitting().filter(set -> set != before).isPresent(), "the file is not compared");
    assertEquals(2, sent(awaitSet(), "/one", "/two").count(ShadowReport.Change.NEWLY_DENIED));
  }

  /** Sends requests and returns what came of them, as soon as all are compared. */
  private ShadowReport sent(ShadowSet set, String... paths) throws Exception {
    for (String path : paths) {
      send(set, path);
    }
    site.await(() -> set.report().counts().values().stream().mapToLong(Long::longValue).sum() == paths.length,
        "not all were compared");
    return set.report();
  }

  @Test
  void shadowRuleStandsForTheLiveOneOfTheSameId() throws Exception {
    site.rules("a.yaml", rule("one", "/one"), shadow(rule("one", "/one", "none")), rule("two", "/two"),
        shadow(rule("three", "/three")));
    site.rules("b.yaml", rule("four", "/four"));
    start("");
    assertEquals("one", site.found("/one"));
    assertEquals("-", site.found("/three"), "a new shadow rule decides nothing");
    ShadowReport report = sent(awaitSet(), "/one", "/two", "/three", "/four", "/five");
    assertEquals(1, report.count(ShadowReport.Change.NEWLY_DENIED));
    assertEquals(1, report.count(ShadowReport.Change.NEWLY_ALLOWED));
    assertEquals(3, report.count(ShadowReport.Change.UNCHANGED));
    ShadowReport.Group group = report.groups().getFirst();
    assertTrue(group.before().startsWith("denied by rule `default`"), group::toString);
    assertTrue(group.now().startsWith("allowed by rule `three` (" + folder), group::toString);
    assertEquals("id-1", group.request());
  }

  @Test
  void shadowFileStandsForAllFilesAndMayComeLater() throws Exception {
    site.rules("a.yaml", rule("one", "/one"), rule("two", "/two"));
    start(", shadow: " + folder.resolve("next.yaml"));
    assertEquals(Optional.empty(), judge.admitting());
    assertEquals(Optional.empty(), status());
    next(rule("one", "/one"));
    ShadowReport report = sent(awaitSet(), "/one", "/two");
    assertEquals(1, report.count(ShadowReport.Change.UNCHANGED));
    assertEquals(1, report.count(ShadowReport.Change.NEWLY_DENIED));
    assertEquals(64, status().orElseThrow().ruleSets().getFirst().digest().length());
    Files.delete(folder.resolve("next.yaml"));
    site.await(() -> judge.admitting().isEmpty(), "removed rules are still compared");
  }

  @Test
  void brokenShadowFileAffectsNothingLive() throws Exception {
    site.rules("a.yaml", rule("one", "/one"));
    next(shadow(rule("one", "/one")));
    start(", shadow: " + folder.resolve("next.yaml"));
    assertEquals("one", site.found("/one"));
    assertEquals(Optional.empty(), judge.admitting());
    assertTrue(status().orElseThrow().ruleSets().getFirst().last().problems().getFirst()
        .contains("`mode: shadow` has no effect here"), () -> status().toString());
    site.awaitLog("Failed to apply shadow rules");
    next(rule("one", "/one"));
    awaitSet();
  }

  @Test
  void aWrongShadowRuleRefusesItsLiveFile() throws Exception {
    site.rules("a.yaml", rule("one", "/one"));
    start("");
    site.rules("a.yaml", rule("one", "/other"), "- {id: two, mode: shadow}\n");
    site.awaitLog("Failed to apply rule set changes");
    assertEquals(List.of("one", "-"), List.of(site.found("/one"), site.found("/other")));
  }

  @Test
  void changeOfLiveRulesBeginsAnotherComparison() throws Exception {
    site.rules("a.yaml", rule("one", "/one"));
    next(rule("one", "/one", "none"));
    start(", shadow: " + folder.resolve("next.yaml"));
    ShadowSet first = awaitSet();
    assertEquals(1, sent(first, "/one").count(ShadowReport.Change.NEWLY_DENIED));
    site.rules("a.yaml", rule("one", "/one"), rule("more", "/more"));
    site.awaitFound("/more", "more");
    site.await(() -> judge.admitting().filter(set -> !set.equals(first)).isPresent(), "no other comparison begins");
    send(first, "/one");
    assertEquals(1, first.report().decided(), "requests of older rules are not compared");
    assertEquals(0, judge.admitting().orElseThrow().report().decided());
  }

  @Test
  void aLiveFileThatIsRefusedLetsTheComparisonGoOn() throws Exception {
    site.rules("a.yaml", rule("one", "/one"));
    next(rule("one", "/one", "none"));
    start(", shadow: " + folder.resolve("next.yaml"));
    ShadowSet first = awaitSet();
    assertEquals(1, sent(first, "/one").count(ShadowReport.Change.NEWLY_DENIED));
    site.rules("a.yaml", "- {id: broken}\n");
    site.awaitLog("Failed to apply rule set changes");
    assertEquals(first, awaitSet());
    site.rules("a.yaml", rule("one", "/one"));
    site.awaitLog("Rule set is the one in use again");
    assertEquals(first, awaitSet());
    assertEquals(1, first.report().decided());
  }

  @Test
  void reloadOfTheConfigurationBeginsAnotherComparison() throws Exception {
    site.rules("a.yaml", rule("one", "/one"));
    next(rule("one", "/one", "none"));
    start("");
    assertEquals(Optional.empty(), judge.admitting());
    site.config(
        Site.MECHANISMS + "providers: {file_system: {src: " + folder.resolve("rules") + ", watch: true, shadow: "
            + folder.resolve("next.yaml") + "}}\n");
    site.reloadTask().request();
    assertEquals(1, sent(awaitSet(), "/one").count(ShadowReport.Change.NEWLY_DENIED));
  }
}

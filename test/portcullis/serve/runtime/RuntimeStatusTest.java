package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.serve.provider.Change;
import portcullis.serve.service.StatusReport;

/** What management tells of a program whose rule sets change; told directly, without a provider that watches. */
class RuntimeStatusTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir
  private Path folder;
  private Site site;
  private RuntimeStatus present;

  @BeforeEach
  void start() throws Exception {
    site = new Site(folder);
    site.config(site.defaultConfig().replace("watch: true", "watch: false"));
    site.rules("first.yaml", rule("f", "/first"), rule("g", "/second"));
    site.start();
    present = new RuntimeStatus(site.program(), START, () -> StatusReport.Live.NONE);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void apply(String name, String... rules) {
    String text = "version: 1alpha4\nrules:\n" + String.join("", rules);
    site.program().reloader()
        .apply(List.of(new Change("http_endpoint:" + name, Optional.of(new SourceFile(name, text)))));
  }

  /** The rule sets as {@code name: how many, whether the last reading was applied, how many problems}. */
  private List<String> sets() {
    return present.report().ruleSets().stream()
        .map(set -> set.source().replaceAll(".*[:/]", "") + ": " + set.rules() + " "
            + set.last().applied() + " " + set.last().problems().size())
        .toList();
  }

  @Test
  void itIsReadyOnceItListensAndNoLongerWhenItStops() {
    assertEquals(List.of("the main service does not listen yet"), present.unreadyReasons());
    present.listens();
    assertEquals(List.of(), present.unreadyReasons());
    present.stops();
    assertEquals(List.of("the service is shutting down"), present.unreadyReasons());
  }

  @Test
  void reportsRuleSetsAsLastRead() {
    assertEquals(List.of("first.yaml: 2 true 0"), sets());
    apply("a", rule("a", "/a"));
    assertEquals(List.of("first.yaml: 2 true 0", "a: 1 true 0"), sets());
    apply("a", rule("b", "/b"), "- {id: broken}\n");
    assertEquals("a: 1 false", sets().getLast().substring(0, 10));
    assertTrue(present.report().ruleSets().getLast().last().problems().getFirst().startsWith("a:"), sets().toString());
    apply("a", rule("a", "/a"));
    assertEquals("a: 1 true 0", sets().getLast(), "it is as it was again");
    site.program().reloader().apply(List.of(new Change("http_endpoint:a", Optional.empty())));
    assertEquals(List.of("first.yaml: 2 true 0"), sets());
  }

  private List<String> problems() {
    return present.report().problems().stream().map(OngoingProblem::text).toList();
  }

  @Test
  void listsRefusedLoadsUntilTheyAreApplied() throws Exception {
    assertEquals(List.of(), problems());
    apply("a", rule("b", "/b"), "- {id: broken}\n");
    assertEquals(1, problems().size());
    assertTrue(problems().getFirst().startsWith("Rule set http_endpoint:a not applied: a:"), problems().toString());
    site.config("nonsense: 1\n");
    site.reloadTask().request();
    site.awaitLog("ERR Configuration reload failed");
    assertTrue(problems().getFirst().matches("Configuration reload failed: .*nonsense.*"), problems().toString());
    apply("a", rule("b", "/b"));
    site.awaitLog("INF New rule set received");
    assertEquals(1, problems().size());
    site.config(site.defaultConfig().replace("watch: true", "watch: false"));
    site.reloadTask().request();
    site.awaitLog("INF Configuration reloaded");
    assertEquals(List.of(), problems());
    apply("a", rule("b", "/b"), "- {id: broken}\n");
    assertEquals(1, problems().size());
    site.program().reloader().apply(List.of(new Change("http_endpoint:a", Optional.empty())));
    assertEquals(List.of(), problems());
  }

  private void emptied(String text) {
    site.program().reloader().apply(List.of(new Change("http_endpoint:a", Optional.of(new SourceFile("a", text)))));
  }

  @Test
  void listsEmptiedRuleSetsUntilTheyHaveRulesAgainOrAreRemoved() throws Exception {
    for (String text : List.of("", "# nothing\n", "---\n")) {
      apply("a", rule("a", "/a"), rule("b", "/b"));
      assertEquals(List.of(), problems(), text);
      emptied(text);
      assertEquals(
          List.of("Rule set http_endpoint:a has no rules any more (2 removed): restore them, or remove the rule"
              + " set"),
          problems(), text);
      emptied(text + "# still nothing\n");
      assertEquals(1, problems().size(), text);
    }
    apply("a", rule("a", "/a").replace("{id: a,", "{id: a, mode: shadow,"));
    assertEquals(List.of(), problems());
    apply("a", rule("a", "/a"));
    emptied("");
    assertEquals(1, problems().size());
    site.program().reloader().apply(List.of(new Change("http_endpoint:a", Optional.empty())));
    assertEquals(List.of(), problems());
    site.rules("first.yaml");
    site.reloadTask().request();
    site.awaitLog("ERR Rule set has no rules any more");
    site.awaitLog("INF Configuration reloaded");
    assertTrue(problems().getFirst().matches("Rule set .*first.yaml has no rules any more \\(2 removed.*"),
        problems().toString());
    site.rules("first.yaml", rule("f", "/first"));
    site.reloadTask().request();
    Await.until(() -> problems().isEmpty(), () -> problems().toString());
  }

  @Test
  void reportsCertificatesThatNoClientCanPresent() throws Exception {
    site.config(site.defaultConfig().replace("authenticators: [", "authenticators: [{id: bound, type: jwt, config: "
        + "{jwks_endpoint: 'http://127.0.0.1:1/keys', assertions: {issuers: [a], "
        + "proof_of_possession: {type: mtls}}}}, "));
    site.reloadTask().request();
    site.awaitLog("INF Configuration reloaded");
    String warning = present.report().configuration().problems().toString();
    assertTrue(warning.contains("proof_of_possession.type: no client can present a certificate"), warning);
    assertEquals(1, logged("no client can present a certificate"), site.log());
  }

  @Test
  void reportsRejectedConfiguration() throws Exception {
    StatusReport.Reading first = present.report().configuration();
    assertEquals(new StatusReport.Reading(START, true, List.of()), first);
    site.config("nonsense: 1\n");
    site.reloadTask().request();
    site.awaitLog("Configuration reload failed");
    StatusReport.Reading last = present.report().configuration();
    assertEquals(false, last.applied());
    assertTrue(last.problems().getFirst().contains("nonsense"), last.problems().toString());
    assertEquals(List.of("first.yaml: 2 true 0"), sets());
  }

  @Test
  void reportsRuleSetsThatAReloadLeftAsTheyWere() throws Exception {
    String left = "rule set `file_system:" + folder.resolve("rules/first.yaml") + "` was not applied";
    site.rules("first.yaml", rule("f", "/first", "wrong"));
    for (int times = 1; times <= 2; times++) {
      int wanted = times;
      site.reloadTask().request();
      site.await(() -> logged("INF Configuration reloaded") == wanted, "not reloaded");
      assertEquals(wanted, logged("ERR Failed to apply rule set changes"), site.log());
      assertEquals(wanted, logged("WRN warning: " + left), site.log());
    }
    StatusReport.Reading last = present.report().configuration();
    assertTrue(last.applied());
    assertTrue(last.problems().getFirst().contains(left), last.problems().toString());
    assertEquals(List.of("first.yaml: 2 false 1"), sets());
    site.rules("first.yaml", rule("f", "/first"));
    site.reloadTask().request();
    site.await(() -> logged("INF Configuration reloaded") == 3, "not reloaded");
    assertEquals(List.of(), present.report().configuration().problems());
  }

  private long logged(String part) {
    return site.log().lines().filter(line -> line.contains(part)).count();
  }
}

package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.source.SourceFile;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.provider.Change;

/** Rule sets change; told directly, without a provider that watches. */
class ReloaderTest {
  @TempDir
  private Path folder;
  private Site site;

  @BeforeEach
  void start() throws Exception {
    site = new Site(folder);
    site.config(site.defaultConfig().replace("watch: true", "watch: false"));
    site.rules("first.yaml", rule("f", "/first"));
    site.start();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static Change set(String name, String... rules) {
    String text = rules.length == 0 ? "" : "version: 1alpha4\nrules:\n" + String.join("", rules);
    return new Change("http_endpoint:" + name, Optional.of(new SourceFile(name, text)));
  }

  private static Change gone(String name) {
    return new Change("http_endpoint:" + name, Optional.empty());
  }

  private void apply(Change... changes) {
    site.program().reloader().apply(List.of(changes));
  }

  private long version() {
    return site.program().reloader().snapshot().version();
  }

  @Test
  void aBurstOfSetsIsPublishedAtOnceAndSaidAfterwards() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      changes.add(set("s" + i, rule("r", "/s" + i)));
    }
    long before = version();
    site.program().reloader().apply(changes);
    assertEquals(before + 1, version());
    assertEquals("r", site.found("/s49"));
    site.awaitLog("New rule set received _rule_set=http_endpoint:s49");
  }

  @Test
  void unchangedRuleSetsChangeNothing() {
    apply(set("a", rule("a", "/a")));
    long before = version();
    apply(set("a", rule("a", "/a")));
    assertEquals(before, version());
  }

  /** A comparison with shadow rules goes on. */
  @Test
  void aRefusedSetPublishesNothing() {
    apply(set("a", rule("a", "/a")));
    long before = version();
    apply(set("a", rule("a", "/a").replace("id: a", "idd: a")));
    apply(set("b", rule("b", "/a")));
    apply(set("a", rule("a", "/a")));
    assertEquals(before, version());
    apply(gone("b"), set("c", rule("c", "/c")));
    assertEquals(before + 1, version());
  }

  /** Its problem has an end in the log as it had a beginning. */
  @Test
  void aRefusedSetThatIsPutBackIsLogged() {
    apply(set("a", rule("a", "/a")));
    apply(set("a", rule("a", "/a").replace("id: a", "idd: a")));
    apply(set("a", rule("a", "/a")));
    site.awaitLog("Rule set is the one in use again _rule_set=http_endpoint:a");
    apply(set("a", rule("a", "/a")));
    apply(set("b", rule("b", "/b")));
    site.awaitLog("New rule set received _rule_set=http_endpoint:b");
    assertEquals(1, site.log().lines().filter(line -> line.contains("in use again")).count());
  }

  @Test
  void errorsOfARefusedSetAreLoggedOnce() {
    Change wrong = set("a", rule("a", "/a").replace("id: a", "idd: a"));
    apply(wrong);
    apply(wrong);
    apply(set("b", rule("b", "/b")));
    site.awaitLog("_rule_set=http_endpoint:b");
    assertEquals(1, failures(), site.log());
    apply(set("a", rule("a", "/a")));
    apply(wrong);
    apply(set("c", rule("c", "/c")));
    site.awaitLog("_rule_set=http_endpoint:c");
    assertEquals(2, failures(), site.log());
  }

  @Test
  void saysWhichRulesStayInForce() {
    Change good = set("a", rule("a", "/a"), rule("b", "/b"));
    apply(good);
    Change wrong = set("a", rule("a", "/a").replace("id: a", "idd: a"), rule("b", "/b", "wrong"));
    apply(wrong);
    apply(wrong);
    apply(set("new", rule("n", "/n").replace("id: n", "idd: n")));
    apply(set("c", rule("c", "/c")));
    site.awaitLog("_rule_set=http_endpoint:c");
    List<String> lines = site.log().lines().filter(line -> line.contains("ERR Rule set refused")).toList();
    assertEquals(2, lines.size(), site.log());
    String digest = RuleOrigin.digest(good.text().orElseThrow().text());
    assertTrue(lines.getFirst().contains("refused, its last good rules stay in force _src=http_endpoint:a _errors=")
        && lines.getFirst().endsWith(" _rules=2 _sha256=" + digest), lines.getFirst());
    int errors = Integer.parseInt(lines.getFirst().replaceAll(".*_errors=([0-9]+) .*", "$1"));
    assertEquals(errors, site.log().lines()
        .filter(line -> line.contains("Failed to apply") && line.contains("_src=http_endpoint:a")).count());
    assertTrue(lines.getLast().contains("refused, none of its rules are in force _src=http_endpoint:new _errors="),
        lines.getLast());
  }

  private long failures() {
    return site.log().lines().filter(line -> line.contains("unknown key `idd`")).count();
  }

  @Test
  void conflictingSetKeepsItsLastVersion() {
    apply(set("a", rule("a", "/a/:x")), set("b", rule("b", "/b")));
    apply(set("b", rule("b", "/b2"), rule("bad", "/a/:y")), set("c", rule("c", "/c")));
    assertEquals("a", site.found("/a/1"));
    assertEquals("b", site.found("/b"));
    assertEquals("-", site.found("/b2"));
    assertEquals("c", site.found("/c"));
    site.awaitLog("_src=http_endpoint:b");
    String line = site.log().lines().filter(l -> l.contains("Failed to apply")).findFirst().orElseThrow();
    assertTrue(line.contains("b:4:") && line.contains("(a:3:") && line.contains("is in conflict with route `/a/:x` "
        + "of rule `a`"), line);
  }

  @Test
  void appliesRefusedSetOnceTheConflictIsGone() {
    apply(set("a", rule("a", "/x")));
    apply(set("b", rule("b", "/x")));
    assertEquals("a", site.found("/x"));
    apply(gone("a"));
    assertEquals("b", site.found("/x"));
  }

  @Test
  void rulesMoveFromOneSetToAnotherWhateverTheOrder() {
    apply(set("a", rule("a", "/a"), rule("moved", "/m")), set("b", rule("b", "/b")));
    apply(set("b", rule("b", "/b"), rule("moved", "/m")), set("a", rule("a", "/a")));
    apply(set("a", rule("a", "/a"), rule("back", "/m")), set("b", rule("b", "/b")));
    assertEquals("back", site.found("/m"));
    assertFalse(site.log().contains("Failed"), site.log());
  }

  @Test
  void anEmptySetTakesItsRulesWithIt() {
    apply(set("a", rule("a", "/a")));
    apply(set("a"));
    assertEquals("-", site.found("/a"));
    site.awaitLog("Deletion of a rule set received _rule_set=http_endpoint:a");
    apply(set("a", rule("a", "/a")));
    assertEquals("a", site.found("/a"));
  }

  @Test
  void neverRemovesRulesSilently() {
    apply(set("a", rule("a", "/a"), rule("b", "/b"), rule("c", "/c")));
    apply(set("a", rule("a", "/a")));
    site.awaitLog("Rules removed from a rule set");
    String line = site.log().lines().filter(l -> l.contains("Rules removed")).findFirst().orElseThrow();
    assertTrue(line.contains("WRN") && line.contains("_count=2") && line.contains("b, c"), line);
    apply(set("a", rule("a", "/x")));
    apply(gone("a"));
    site.awaitLog("_rules=a");
    assertEquals(2, site.log().lines().filter(l -> l.contains("Rules removed")).count());
  }

  @Test
  void appliesARuleWithoutRoutesWithAWarning() {
    apply(set("a", rule("a", "/a"), rule("none", "/b").replace("routes: [{path: \"/b\"}]", "routes: []")));
    assertEquals("a", site.found("/a"));
    assertEquals("-", site.found("/b"));
    site.awaitLog("no routes, so that the rule never applies");
  }

  @Test
  void theOrderInTheFileDecidesAfterEveryReload() {
    String one = rule("one", "/p").replace("path: \"/p\"", "path: /p");
    apply(set("a", one, rule("two", "/p")));
    assertEquals("one", site.found("/p"));
    apply(set("a", one.replace("anon", "none"), rule("two", "/p")));
    assertEquals("one", site.found("/p"));
    apply(set("a", rule("two", "/p"), one));
    assertEquals("two", site.found("/p"));
  }

  @Test
  void aRuleMayBeRenamedAndChangedFreely() {
    apply(set("a", rule("r", "/a/:x"), rule("s", "/a/:x/b")));
    apply(set("a", rule("q", "/a/:y"), rule("s", "/a/:x/b")));
    assertEquals("q", site.found("/a/1"));
    assertEquals("[y]",
        site.program().reloader().snapshot().index().find(portcullis.policy.route.Lookup.of("http", "GET", "h", "/a/1"))
            .orElseThrow().captures().keySet().toString());
    apply(set("a", rule("twice", "/t"), rule("twin", "/t")));
    apply(set("a", rule("other", "/o")));
    assertEquals("-", site.found("/t"));
    assertEquals("other", site.found("/o"));
  }

  @Test
  void rejectsDuplicateIdsAndStepsOfTwoKinds() {
    apply(set("a", rule("r", "/a"), rule("r", "/b")));
    site.awaitLog("a:4:8: rules[1].id: there is a rule `r` already (a:3:8)");
    apply(set("b", rule("r", "/b").replace("{authenticator: anon}", "{authenticator: anon, finalizer: noop}")));
    site.awaitLog("a step names one mechanism only, this one 2");
    apply(set("c", rule("r", "/c").replace("{authenticator: anon}", "{authenticator: anon, config: text}")));
    site.awaitLog("c:3:");
    assertEquals("- - -", String.join(" ", site.found("/a"), site.found("/b"), site.found("/c")));
  }

  @Test
  void logsWarningsOfAppliedSets() {
    apply(set("a", rule("one", "/p"), rule("two", "/p")));
    site.awaitLog("route `/p` of rule `two` is never reached: route `/p` of rule `one` (a:3:");
    apply(set("b", rule("h", "/h").replace("match: {", "match: {hosts: [{type: glob, value: \"*.t\"}], ")));
    site.awaitLog("hosts of type `glob` are deprecated");
  }

  @Test
  void variablesAreNotFilledInToWhatIsFetched() throws Exception {
    site.close();
    site = new Site(folder);
    site.config(site.defaultConfig().replace("watch: true", "env_vars_enabled: true"));
    Files.writeString(folder.resolve("rules/first.yaml"),
        "version: 1alpha4\nrules:\n" + rule("f", "/${NOT_SET_ANYWHERE=x}"));
    site.start();
    assertEquals("f", site.found("/x"));
    apply(set("a", rule("a", "/$${y}")));
    assertEquals("a", site.found("/$$%7By%7D"));
  }

  @Test
  void defaultRuleHeadersAreProtectedAfterReloads() throws Exception {
    site.close();
    site.config(
        site.defaultConfig().replace("watch: true", "watch: false").replace("finalizers: [{id: noop, type: noop}]",
            "finalizers: [{id: own, type: noop}, {id: noop, type: header, config: {headers: {X-Default: a}}}]"));
    site.rules("first.yaml", rule("f", "/first").replace("anon}]", "anon}, {finalizer: own}]"));
    site.start();
    assertTrue(site.program().reloader().snapshot().protectedHeaders().headers().has("X-Default"), "at the start");
    apply(set("a", rule("a", "/a").replace("anon}]", "anon}, {finalizer: own}]")));
    assertTrue(site.program().reloader().snapshot().protectedHeaders().headers().has("X-Default"), "after a change");
    assertFalse(site.program().reloader().snapshot().protectedHeaders().headers().has("X-Other"));
  }
}

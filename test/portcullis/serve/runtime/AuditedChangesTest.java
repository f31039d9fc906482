package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.provider.Change;

/** What is recorded of changes of rules and configuration before they are applied, and what happens if it cannot be. */
class AuditedChangesTest {
  private static final String FULL = "the audit log cannot be written: No space left on device";

  @TempDir
  private Path folder;

  /** A trail that keeps events, or refuses them while the disk is full. */
  private static final class Trail implements AuditTrail {
    private final List<AuditEvent> events = new CopyOnWriteArrayList<>();
    private volatile boolean full;

    @Override
    public void record(AuditEvent event) throws AuditException {
      if (full) {
        throw new AuditException(FULL);
      }
      events.add(event);
    }

    List<String> kinds() {
      return events.stream().map(event -> event.kind() + " by " + event.by()).toList();
    }
  }

  private static Change change(String name, String... rules) {
    return new Change("file_system:" + name, rules.length == 0 ? Optional.empty()
        : Optional.of(new SourceFile(name, "version: 1alpha4\nrules:\n" + String.join("", rules))));
  }

  private Site site(Trail trail) throws Exception {
    Site site = new Site(folder);
    site.config(Site.MECHANISMS + "providers: {file_system: {src: %s}}\n".formatted(folder.resolve("rules")))
        .rules("a.yaml", rule("a", "/a")).start();
    site.program().auditBy(trail);
    return site;
  }

  @Test
  void changesOfRulesAreRecordedWithTheirDigests() throws Exception {
    Trail trail = new Trail();
    try (Site site = site(trail)) {
      site.program().reloader().apply(List.of(change("b.yaml", rule("b", "/b"))));
      site.program().reloader().apply(List.of(change("b.yaml")));
      site.program().reloader().apply(List.of(change("b.yaml", "- {id: broken}\n")));
      site.program().reloader().apply(List.of(change("c.yaml")));
      assertEquals(List.of("rules by watch", "rules by watch", "rules_refused by watch"), trail.kinds());
      assertTrue(trail.events.getLast().details().toString().contains("forward_to")
          || trail.events.getLast().details().get("errors").toString().contains("b.yaml:3"), trail.events.toString());
      assertTrue(trail.events.getFirst().details().toString().contains("b.yaml"));
    }
  }

  @Test
  void aRefusedSetThatIsPutBackIsRecorded() throws Exception {
    Trail trail = new Trail();
    try (Site site = site(trail)) {
      site.program().reloader().apply(List.of(change("b.yaml", rule("b", "/b"))));
      site.program().reloader().apply(List.of(change("b.yaml", "- {id: broken}\n")));
      site.program().reloader().apply(List.of(change("b.yaml", rule("b", "/b"))));
      site.program().reloader().apply(List.of(change("b.yaml", rule("b", "/b"))));
      assertEquals(List.of("rules by watch", "rules_refused by watch", "rules_restored by watch"), trail.kinds());
      assertTrue(trail.events.getLast().details().toString().contains(digest("b.yaml", rule("b", "/b"))),
          trail.events.toString());
    }
  }

  private static String digest(String name, String... rules) {
    return RuleOrigin.digest(change(name, rules).text().orElseThrow().text());
  }

  @Test
  void refusedRulesAreNotRecordedAsReloaded() throws Exception {
    Trail trail = new Trail();
    try (Site site = site(trail)) {
      String broken = digest("a.yaml", "- {id: broken}\n");
      site.rules("a.yaml", "- {id: broken}\n").rules("b.yaml", rule("b", "/b"));
      for (int times = 1; times <= 2; times++) {
        int due = times;
        site.reloadTask().request();
        site.await(() -> trail.kinds().stream().filter("reload by signal"::equals).count() == due, "no reload");
        site.awaitFound("/b", "b");
      }
      site.await(() -> trail.kinds().contains("rules_refused by watch"), "the refusal is not recorded");
      assertEquals("a", site.found("/a"));
      AuditEvent reload = trail.events.getFirst();
      assertEquals("reload", reload.kind());
      assertTrue(reload.details().toString().contains(digest("b.yaml", rule("b", "/b"))), reload.toString());
      trail.events.stream().filter(event -> event.kind().equals("reload"))
          .forEach(event -> assertFalse(event.details().toString().contains(broken), event.toString()));
      assertEquals(1, trail.kinds().stream().filter("rules_refused by watch"::equals).count(),
          trail.kinds().toString());
    }
  }

  @Test
  void rulesThatCannotBeRecordedAreNotAppliedUntilTheyCan() throws Exception {
    Trail trail = new Trail();
    try (Site site = site(trail)) {
      site.program().reloader().apply(List.of(change("b.yaml", rule("b", "/b"))));
      trail.full = true;
      site.program().reloader().apply(List.of(change("c.yaml", rule("c", "/c"))));
      site.program().reloader().apply(List.of(change("b.yaml")));
      site.program().reloader().retryBlocked();
      assertEquals("-", site.found("/c"));
      assertEquals("b", site.found("/b"), "not removed");
      String problems = site.program().loadHistory().problems().toString();
      assertTrue(problems.contains("rule set `file_system:c.yaml` is not applied: " + FULL), problems);
      assertFalse(problems.contains("c.yaml:1:1"), problems);
      trail.full = false;
      site.program().reloader().retryBlocked();
      assertEquals("c", site.found("/c"));
      assertEquals("-", site.found("/b"));
      assertEquals(List.of(), site.program().loadHistory().problems());
    }
  }

  @Test
  void reloadsAreRecordedAndRefusedIfTheyCannotBe() throws Exception {
    Trail trail = new Trail();
    try (Site site = site(trail)) {
      trail.full = true;
      site.rules("a.yaml", rule("n", "/n"));
      site.reloadTask().request();
      site.awaitLog(FULL);
      assertEquals("-", site.found("/n"));
      trail.full = false;
      site.reloadTask().request();
      site.awaitFound("/n", "n");
      assertTrue(trail.kinds().contains("reload by signal"), trail.kinds().toString());
      site.config("serve: {port: 1}\n");
      site.reloadTask().request();
      site.await(() -> trail.kinds().contains("reload_refused by signal"), "the refused reload is not recorded");
    }
  }
}

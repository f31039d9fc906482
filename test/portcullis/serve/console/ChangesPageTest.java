package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.decisions.ChainHead;

class ChangesPageTest {
  private AuditTrail trail = AuditTrail.NONE;

  private ChangeMemory memory() {
    return new ChangeMemory(trail, () -> PageStatus.NOW);
  }

  private static String page(ChangeMemory memory) {
    return ConsoleSetup.text(new ConsoleSetup("[{authenticator: anon}]",
        List.of(new ChangesPage(PageStatus.EMPTY, memory, () -> "c0ffee"))).get("/console/changes"));
  }

  @Test
  void reloadsShowWhoDigestsAndRules() throws Exception {
    ChangeMemory memory = memory();
    memory.record(AuditEvent.of("reload", "signal").with("configuration_sha256", "0123456789abcdef0123"));
    memory.applied(PageRules.snapshot(), PageRules.snapshot(PageRules.RULES
        .replace("methods: [GET]", "methods: [PUT]").replace("\"<b>all</b>\"", "other")));
    memory.record(AuditEvent.of("lock", "management 127.0.0.1").with("reason", "<stolen>"));
    String text = page(memory);
    assertTrue(text.indexOf(">lock</td>") < text.indexOf(">reload</td>"), "the newest first");
    assertTrue(text.contains("<td data-label=\"By\">signal</td>"), text);
    assertTrue(text.contains("configuration sha256: <code>0123456789ab</code>"), text);
    assertTrue(text.contains("<span class=\"warn\">changed</span> orders (shop.yaml:3)"), text);
    assertTrue(text.contains("<span class=\"good\">added</span> other (shop.yaml:7)"), text);
    assertTrue(text.contains("<span class=\"bad\">removed</span> &lt;b&gt;all&lt;/b&gt; (shop.yaml:7)"), text);
    assertTrue(text.contains("reason: &lt;stolen&gt;") && text.contains("<code>c0ffee</code>"), text);
    assertFalse(text.contains("secret"), text);
  }

  @Test
  void changesWithoutAnEventAreShownToo() {
    ChangeMemory memory = memory();
    memory.applied(PageRules.snapshot(), PageRules.snapshot());
    assertEquals(List.of(), memory.entries());
    memory.applied(PageRules.snapshot(), PageRules.snapshot(PageRules.RULES.replace("[GET]", "[PUT]")));
    assertEquals(1, memory.entries().size());
  }

  @Test
  void theEndOfTheChainIsThatOfTheTrail() {
    assertTrue(page(memory()).contains("There is none: decision_log.audit makes one."));
    trail = new AuditTrail() {
      @Override
      public void record(AuditEvent event) {}

      @Override
      public Optional<ChainHead> head() {
        return Optional.of(new ChainHead("ab12", 42, "feed", 3, "k1"));
      }
    };
    String text = page(memory());
    assertTrue(text.contains("<dd>42</dd>") && text.contains("<code>feed</code>") && text.contains("3 lines"), text);
  }

  @Test
  void whatCannotBeRecordedIsNotRemembered() {
    trail = _ -> {
      throw new AuditException("full");
    };
    ChangeMemory memory = memory();
    assertThrows(AuditException.class, () -> memory.record(AuditEvent.of("lock", "a")));
    assertEquals(List.of(), memory.entries());
  }

  @Test
  void aHundredChangesAreRemembered() throws Exception {
    ChangeMemory memory = memory();
    for (int i = 0; i < 120; i++) {
      memory.record(AuditEvent.of("key", "n" + i));
    }
    assertEquals(100, memory.entries().size());
    assertEquals("n119", memory.entries().getFirst().event().by());
  }
}

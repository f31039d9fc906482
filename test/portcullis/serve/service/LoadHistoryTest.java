package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.OngoingProblem;

class LoadHistoryTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private Instant now = NOW;
  private final LoadHistory history = new LoadHistory(new InstantSource() {
    @Override
    public Instant instant() {
      return now;
    }
  });

  private static Problems problem(String message) {
    Problems problems = new Problems();
    problems.error(Origin.BUILT_IN, "", message, "");
    return problems;
  }

  private List<String> sources() {
    return history.ruleSets().stream().map(set -> set.source() + " " + set.rules() + " " + set.last().applied())
        .toList();
  }

  @Test
  void countsOutcomes() {
    history.configuration(true, new Problems());
    history.configuration(false, problem("a"));
    history.applied("r", 1, new Problems());
    history.applied("r", 2, new Problems());
    history.rejected("s", problem("b"));
    assertEquals(Map.of(new LoadHistory.Outcome("configuration", true), 1L,
        new LoadHistory.Outcome("configuration", false), 1L, new LoadHistory.Outcome("rule_set", true), 2L,
        new LoadHistory.Outcome("rule_set", false), 1L), history.counts());
  }

  @Test
  void forgetsRuleSetsThatAreGone() {
    for (String source : List.of("a", "b", "c")) {
      history.applied(source, 3, new Problems());
    }
    history.rejected("b", problem("bad"));
    history.rejected("c", problem("bad"));
    assertEquals(List.of("a 3 true", "b 3 false", "c 3 false"), sources());
    assertTrue(history.isRejected("b"));
    history.only(List.of("a", "b"));
    assertEquals(List.of("a 3 true", "b 3 false"), sources());
    assertFalse(history.isRejected("c"));
    history.gone("b");
    assertEquals(List.of("a 3 true"), sources());
    assertFalse(history.isRejected("b"));
  }

  /** Its refusal is no news any more: the file that was refused is gone. */
  @Test
  void bundleThatIsNotThereIsAProblemUntilItIs() {
    history.applied("r", 1, new Problems());
    history.rejected("r", problem("expired"));
    history.missing("r", LoadHistory.Kept.BUNDLE);
    now = NOW.plusSeconds(5);
    history.missing("r", LoadHistory.Kept.BUNDLE);
    assertEquals(List.of(NOW + " Signed bundle r is not there any more, its rules stay in force until the next start: "
        + "put a valid bundle there"),
        history.problems().stream().map(problem -> problem.since() + " " + problem.text()).toList());
    history.found("r");
    assertEquals("Rule set r not applied: expired", history.problems().getFirst().text());
    history.missing("r", LoadHistory.Kept.BUNDLE);
    history.gone("r");
    assertEquals(List.of(), history.problems());
    history.missing("r", LoadHistory.Kept.BUNDLE);
    history.only(List.of("other"));
    assertEquals(List.of(), history.problems());
  }

  @Test
  void problemsLastUntilTheNextGoodLoad() {
    history.configuration(false, problem("broken"));
    history.applied("r", 1, new Problems());
    now = NOW.plusSeconds(5);
    history.rejected("r", problem("no rule"));
    now = NOW.plusSeconds(9);
    history.configuration(false, problem("still broken"));
    history.rejected("r", problem("no rule yet"));
    history.only(List.of("r"));
    assertEquals(List.of(NOW + " Configuration reload failed: still broken",
        NOW.plusSeconds(5) + " Rule set r not applied: no rule yet"),
        history.problems().stream().map(problem -> problem.since() + " " + problem.text()).toList());
    history.configuration(true, new Problems());
    history.applied("r", 2, new Problems());
    assertEquals(List.of(), history.problems());
  }

  @Test
  void aRuleSetThatHasLostItsRulesIsAProblemUntilItHasSomeOrIsGone() {
    history.emptied("r", 3);
    assertEquals(List.of("Rule set r has no rules any more (3 removed): restore them, or remove the rule set"),
        history.problems().stream().map(OngoingProblem::text).toList());
    assertEquals(NOW, history.problems().getFirst().since());
    history.filled("r");
    assertEquals(List.of(), history.problems());
    history.emptied("r", 3);
    history.only(List.of("r"));
    assertEquals(1, history.problems().size());
    history.only(List.of("other"));
    assertEquals(List.of(), history.problems());
    history.emptied("r", 3);
    history.gone("r");
    assertEquals(List.of(), history.problems());
  }

  @Test
  void aFileThatIsNotThereIsToBeRestored() {
    history.missing("r", LoadHistory.Kept.FILE);
    assertEquals("Rule file r is not there any more, its rules stay in force until the next start: restore it",
        history.problems().getFirst().text());
  }

  @Test
  void aRuleSetThatWasNeverAppliedHasNoRules() {
    history.rejected("r", problem("bad"));
    assertEquals(List.of("r 0 false"), sources());
    assertEquals(List.of("bad"), history.ruleSets().getFirst().last().problems());
    assertEquals("", history.ruleSets().getFirst().digest());
  }
}

package portcullis.policy.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Request;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheHits;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.rule.Rules;

class ObserverTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
      authorizers: [{id: yes, type: allow}, {id: no, type: deny}]
      contextualizers: [{id: texts, type: map, config: {items: {path: a}}},
                        {id: bad, type: map, config: {items: {x: '{{ index .Subject.Attributes "a" "b" }}'}}}]
      finalizers: [{id: noop, type: noop}, {id: lines, type: header, config: {headers: {X-L: '{{ index \
      .Subject.Attributes "a" "b" }}'}}}]
      error_handlers: [{id: ask, type: www_authenticate, config: {}}, {id: teapot, type: generic, config: {code: 418}},
                       {id: odd, type: generic, config: {code: 200, body: '{{ index .Request.ClientIPAddresses 9 }}'}}]
      """;

  /** Keeps what it is told, each line a step. */
  private static final class Notes implements Observer {
    private final List<String> lines = new ArrayList<>();
    private Optional<Step<?>> open = Optional.empty();

    @Override
    public void begun(Step<?> step) {
      assertTrue(open.isEmpty(), () -> "two steps at once: " + step.id());
      open = Optional.of(step);
    }

    @Override
    public void ended(StepReport report) {
      assertEquals(open, Optional.of(report.step()));
      open = Optional.empty();
      assertTrue(report.nanos() >= 0);
      lines.add(report.step().id() + " " + report.step().type() + " " + report.outcome().text()
          + (report.cached() ? " cached" : "")
          + report.failure().map(f -> " " + f.title()).orElse(""));
    }
  }

  private static final Request REQUEST = Rules.request("/a", "");

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: none}, {authenticator: anon}, {authorizer: yes, if: 'Request.Method == \"POST\"'}, "
        + "{finalizer: noop}]|"
        + "none unauthorized forgiven authentication error, anon anonymous passed, yes allow skipped, noop noop "
        + "passed",
    "execute: [{authenticator: anon}, {contextualizer: texts, id: t}, {authorizer: no}, {finalizer: noop}]|"
        + "anon anonymous passed, t map passed, no deny failed authorization error",
    "execute: [{authenticator: none}]; on_error: [{error_handler: teapot, if: type(Error) == authorization_error}, "
        + "{error_handler: ask}]|"
        + "none unauthorized failed authentication error, teapot generic skipped, ask www_authenticate passed",
    "execute: [{authenticator: none}]; on_error: [{error_handler: odd}]|"
        + "none unauthorized failed authentication error, odd generic failed internal error",
    "execute: [{authenticator: anon}, {contextualizer: bad}]|anon anonymous passed, bad map failed internal error",
    "execute: [{authenticator: anon}, {finalizer: lines}]|anon anonymous passed, lines header failed internal error",
  })
  void observerGetsEachStepAndItsOutcome(String steps, String shown) {
    Notes notes = new Notes();
    Pipeline pipeline = Rules.pipeline(MECHANISMS, steps.replace("; ", "\n"));
    PipelineResult watched = pipeline.run(REQUEST, AccessGuard.OPEN, notes);
    assertEquals(shown, String.join(", ", notes.lines));
    assertEquals(Rules.outcome(pipeline.run(REQUEST, AccessGuard.OPEN, Observer.NONE)), Rules.outcome(watched));
  }

  @Test
  void summaryHasAllStepsInOneLine() {
    StepSummary summary = new StepSummary(Observer.NONE);
    Rules.pipeline(MECHANISMS, "execute: [{authenticator: none}, {authenticator: anon}, {authorizer: no}]").run(REQUEST,
        AccessGuard.OPEN, summary);
    assertEquals("none (unauthorized) forgiven in N ms: authentication error; anon (anonymous) passed in N ms; "
        + "no (deny) failed in N ms: authorization error", summary.text().replaceAll("[0-9]+\\.[0-9]{2}", "N"));
    assertEquals(3, summary.reports().size());
  }

  /** Operators look for what somebody tries who is locked. */
  @Test
  void aSubjectThatIsLockedIsKnown() {
    List<String> subjects = new ArrayList<>();
    Observer watch = new Observer() {
      @Override
      public void authenticated(Subject subject) {
        subjects.add(subject.id());
      }

      @Override
      public void begun(Step<?> step) {}

      @Override
      public void ended(StepReport report) {}
    };
    LockTable locks = new LockTable(InstantSource.system());
    locks.add(new Lock(Lock.Target.SUBJECT, "a", "", Optional.empty(), "", "command", Instant.now(), Optional.empty()));
    Pipeline pipeline = with(_ -> new Subject("a", Value.Dict.EMPTY));
    assertInstanceOf(PipelineResult.Failed.class, pipeline.run(REQUEST, locks, watch));
    assertEquals(List.of("a"), subjects);
    assertInstanceOf(PipelineResult.Passed.class, pipeline.run(REQUEST, AccessGuard.OPEN, watch));
    assertEquals(List.of("a", "a"), subjects);
  }

  @Test
  void keptAnswersAreThoseOfTheStepThatUsedThem() {
    Notes notes = new Notes();
    with(_ -> {
      CacheHits.found();
      return new Subject("a", Value.Dict.EMPTY);
    }).run(REQUEST, AccessGuard.OPEN, notes);
    CacheHits.found();
    assertEquals(List.of("own test passed cached", "yes allow passed"), notes.lines);
  }

  @Test
  void aBugEndsItsStepToo() {
    Notes notes = new Notes();
    Pipeline pipeline = with(_ -> {
      throw new IllegalStateException("a bug");
    });
    assertThrows(IllegalStateException.class, () -> pipeline.run(REQUEST, AccessGuard.OPEN, notes));
    assertEquals(List.of("own test broken"), notes.lines);
  }

  private static Pipeline with(Mechanism.Authenticator authenticator) {
    Pipeline made = Rules.pipeline(MECHANISMS, "execute: [{authenticator: anon}, {authorizer: yes}]");
    return new Pipeline(List.of(new Step<>("own", "own", "test", Optional.empty(), authenticator)), made.handlers(),
        List.of(),
        List.of(), made.log());
  }
}

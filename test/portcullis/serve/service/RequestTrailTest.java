package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Request;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.rule.Rules;

/** What is remembered of a decision, and that tracing and metrics still get to know it. */
class RequestTrailTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      authorizers: [{id: yes, type: allow}]
      finalizers: [{id: noop, type: noop}]
      """;
  private static final String STEPS = "execute: [{authenticator: anon}, {authorizer: yes}, {finalizer: noop}, "
      + "{finalizer: noop, id: a}, {finalizer: noop, id: b}, {finalizer: noop, id: c}, {finalizer: noop, id: d}]";
  private static final List<String> IDS = List.of("anon", "yes", "noop", "a", "b", "c", "d");

  private final List<String> seen = new ArrayList<>();
  private final Observer next = new Observer() {
    @Override
    public void requested(Request request) {
      seen.add("requested " + request.path().spelling());
    }

    @Override
    public void ruled(String source, String rule, String route) {
      seen.add("ruled " + source + " " + rule + " " + route);
    }

    @Override
    public void authenticated(Subject subject) {
      seen.add("authenticated " + subject.id());
    }

    @Override
    public void begun(Step<?> step) {
      seen.add("begun " + step.id());
    }

    @Override
    public void ended(StepReport report) {
      seen.add("ended " + report.step().id());
    }
  };

  private void passesOn(RequestTrail trail) {
    Request request = Rules.request("/a", "");
    trail.requested(request);
    trail.ruled("s", "r", "/:a");
    Rules.pipeline(MECHANISMS, STEPS).run(request, AccessGuard.OPEN, trail);
    List<String> all = new ArrayList<>(List.of("requested /a", "ruled s r /:a"));
    IDS.forEach(id -> all.addAll(List.of("begun " + id, "ended " + id)));
    all.add(4, "authenticated anonymous");
    assertEquals(all, seen);
    assertEquals(Optional.of(request), trail.request());
    assertEquals(IDS, trail.steps().stream().map(report -> report.step().id()).toList());
  }

  @Test
  void whatTheConsoleShowsIsObservedToo() {
    passesOn(new RequestTrail(next));
  }

  @Test
  void whatTheDecisionLogHasIsObservedToo() {
    try (RemoteAnswers answers = new RemoteAnswers(new AnswerMemory(1 << 20))) {
      passesOn(new DecisionTrail(next, answers));
    }
  }
}

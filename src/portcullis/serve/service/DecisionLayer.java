package portcullis.serve.service;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Body;
import portcullis.http.message.Request;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.observe.telemetry.RequestId;
import portcullis.observe.tracing.Trace;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.policy.replay.PastDecision;
import portcullis.policy.replay.Redecision;
import portcullis.serve.shadow.DecidedRequest;
import portcullis.serve.shadow.ShadowJudge;
import portcullis.serve.shadow.ShadowSet;

/**
 * Writes a line to the decision log for every request that was allowed or denied, and passes those that were decided on
 * to shadow rules once their response is complete. Thread safe.
 */
final class DecisionLayer implements Layer {
  /** The maximum size of what is kept of the answers to all requests in progress. */
  static final long MOST_BYTES = 64L << 20;

  private final AnswerMemory memory = AnswerMemory.upTo(MOST_BYTES);
  private final DecisionParts parts = new DecisionParts();
  private final Optional<DecisionLog> log;
  private final Optional<ShadowJudge> judge;

  DecisionLayer(Optional<DecisionLog> log, Optional<ShadowJudge> judge) {
    this.log = log;
    this.judge = judge;
  }

  /** Returns where answers to requests in progress are kept. */
  AnswerMemory memory() {
    return memory;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    Optional<ShadowSet> shadow = judge.flatMap(ShadowJudge::admitting);
    if (log.isEmpty() && shadow.isEmpty()) {
      next.handle(transaction);
      return;
    }
    RemoteAnswers answers = new RemoteAnswers(memory);
    DecisionTrail trail = new DecisionTrail(transaction.observer(), answers);
    transaction.observeWith(trail);
    transaction.keepDecision();
    try {
      if (shadow.isPresent() || log.filter(DecisionLog::usesAnswers).isPresent()) {
        answers.during(() -> next.handle(transaction));
      } else {
        next.handle(transaction);
      }
    } finally {
      transaction.atReturn(() -> {
        try (answers) {
          log.ifPresent(lines -> write(lines, transaction, trail));
          shadow.ifPresent(set -> compare(set, transaction, trail));
        }
      });
    }
  }

  private void write(DecisionLog log, Transaction transaction, DecisionTrail trail) {
    transaction.allowed().filter(log::takes)
        .ifPresent(allowed -> new DecisionLine(log, transaction, trail, parts).offer(allowed));
  }

  /** Passes on what rules have decided, and paths that they do not permit; not what mechanisms answer themselves. */
  private void compare(ShadowSet set, Transaction transaction, DecisionTrail trail) {
    boolean isRuled = trail.request().filter(request -> !request.path().canonical().startsWith(OwnEndpoints.PREFIX))
        .isPresent();
    if (isRuled && (transaction.decision().isPresent() || transaction.refused())) {
      judge.orElseThrow().offer(set, decided(transaction, trail));
    }
  }

  private static DecidedRequest decided(Transaction transaction, DecisionTrail trail) {
    Optional<Decision.Refuse> refusal = transaction.decision().filter(Decision.Refuse.class::isInstance)
        .map(Decision.Refuse.class::cast);
    boolean allowed = transaction.decision().isPresent() && refusal.isEmpty();
    String error = allowed ? ""
        : refusal.map(refuse -> Redecision.error(refuse.stepFailure())).orElse("precondition_error");
    List<PastDecision.Step> steps = DecidedRequest.steps(trail.steps(),
        report -> DecisionObserver.kind(report.step()));
    Request request = trail.request().orElseThrow();
    return new DecidedRequest(transaction.start(), request.detached(Body.none()),
        request.body().known().filter(body -> body.length <= RemoteAnswers.MAX_BYTES), allowed,
        error, refusal.map(refuse -> refuse.stepFailure().step()).orElse(""), steps,
        transaction.decision().flatMap(Redecision::rule), trail.subject(), trail.answers().answers(),
        trail.answers().cached(), RequestId.text().orElse(""),
        Trace.current().map(trace -> trace.server().traceId()).orElse(""));
  }
}

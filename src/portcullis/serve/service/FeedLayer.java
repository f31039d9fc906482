package portcullis.serve.service;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.grpc.Code;
import portcullis.http.message.Request;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.RequestId;
import portcullis.observe.tracing.Trace;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.Redecision;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.feed.DecidedStep;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.feed.FeedEntry;

/** Adds refused requests to the feed, and the others while it has followers. Thread safe. */
final class FeedLayer implements Layer {
  private final DecisionFeed feed;

  FeedLayer(DecisionFeed feed) {
    this.feed = feed;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    long begin = System.nanoTime();
    RequestTrail trail = new RequestTrail(transaction.observer());
    transaction.observeWith(trail);
    transaction.keepDecision();
    try {
      next.handle(transaction);
    } finally {
      transaction.atReturn(() -> transaction.allowed().filter(feed::takes)
          .ifPresent(allowed -> feed.add(entry(transaction, trail, allowed, System.nanoTime() - begin))));
    }
  }

  private static FeedEntry entry(Transaction transaction, RequestTrail trail, boolean allowed, long nanos) {
    Optional<Request> request = trail.request();
    Optional<ValidRequest> incoming = transaction.arrival() instanceof ValidRequest valid ? Optional.of(valid)
        : Optional.empty();
    Optional<Decision> decision = transaction.decision();
    Optional<Rule> rule = decision.flatMap(Redecision::rule);
    Optional<StepFailure> failure = decision.filter(Decision.Refuse.class::isInstance)
        .map(made -> ((Decision.Refuse) made).stepFailure());
    String subject = trail.subject().map(Subject::id).filter(id -> !id.isEmpty()).orElseGet(transaction::subject);
    return new FeedEntry(0, transaction.start(), allowed, answer(transaction),
        request.map(Request::method).orElseGet(() -> transaction.exchange().getRequestMethod()),
        request.map(r -> r.url().host().toString()).or(() -> incoming.map(in -> in.host().toString())).orElse(""),
        request.map(r -> r.path().spelling()).or(() -> incoming.map(FeedLayer::path)).orElse(""),
        request.map(r -> r.clients().stream().findFirst().orElse("")).orElseGet(transaction::client), subject,
        rule.map(Rule::id).orElse(""), rule.map(Rule::source).orElse(""),
        rule.map(Rule::origin).map(RuleOrigin::at).orElse(""),
        failure.map(StepFailure::step).orElse(""),
        failure.map(Redecision::error).orElse(transaction.error().isEmpty() ? "" : transaction.errorKind()),
        transaction.error(), RequestId.text().orElse(""),
        Trace.current().map(trace -> trace.server().traceId()).orElse(""), nanos,
        trail.steps().stream().map(FeedLayer::step).toList());
  }

  private static String answer(Transaction transaction) {
    int status = transaction.reply().status();
    return transaction.code().map(Code::name).orElse(status == 0 ? "aborted" : Integer.toString(status));
  }

  private static String path(ValidRequest incoming) {
    return incoming.target() instanceof Target.Resource resource ? resource.path() : "*";
  }

  private static DecidedStep step(StepReport report) {
    return new DecidedStep(report.step().id(), DecisionObserver.kind(report.step()), report.step().type(),
        report.outcome().text(), report.nanos(), report.failure().map(Redecision::error).orElse(""),
        report.failure().map(Failure::report).orElse(""));
  }
}

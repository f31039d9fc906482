package portcullis.serve.service;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.NameSet;
import portcullis.http.message.Request;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.rule.Rule;
import portcullis.serve.debug.DebugToken;

/**
 * Removes debug tokens from requests, and has those requests explained whose token is valid for their rule. All others
 * are handled as if they carried none. Thread safe.
 */
final class DebugRequests {
  private final Optional<RequestExplainer> explainer;
  private final Decider decider;
  private final DryRun run;
  private final Log log;

  /** @param explainer empty if nothing is explained */
  DebugRequests(Optional<RequestExplainer> explainer, Decider decider, DryRun run, Log log) {
    this.explainer = explainer;
    this.decider = decider;
    this.run = run;
    this.log = log;
  }

  /** Returns the fields without debug tokens; the same if there are none. */
  static Fields without(Fields fields) {
    return fields.without(field -> NameSet.areSame(field.name(), DebugToken.HEADER));
  }

  /** Returns the request without debug tokens, so that neither rules nor upstreams see them. */
  ValidRequest withoutToken(Transaction transaction, ValidRequest incoming) {
    Fields fields = without(incoming.fields());
    if (fields.size() == incoming.fields().size()) {
      return incoming;
    }
    List<String> tokens = incoming.fields().all(DebugToken.HEADER);
    if (tokens.size() == 1) {
      explainer.flatMap(one -> one.token(tokens.getFirst())).ifPresent(transaction::debugBy);
    }
    ValidRequest clean = incoming.with(fields);
    transaction.replace(clean);
    return clean;
  }

  /** Lets a decision be explained, before it is carried out, if the request has a token for its rule. */
  void decided(Transaction transaction, Forwarding forwarding, Request request, Decision decision,
      List<StepReport> steps) {
    if (transaction.debugToken().isEmpty() || rule(decision)
        .filter(rule -> rule.id().equals(transaction.debugToken().get().rule())).isEmpty()) {
      return;
    }
    try {
      explainer.flatMap(one -> one.explained(run.outcome(forwarding, request, decision), decider.match(request), steps))
          .ifPresent(id -> transaction.explainedBy(new Field(DebugToken.RESPONSE_HEADER, id)));
    } catch (RuntimeException e) {
      Recovery.logError(log, e); // the request itself is handled all the same
    }
  }

  private static Optional<Rule> rule(Decision decision) {
    return switch (decision) {
      case Decision.Allow allow -> Optional.of(allow.rule());
      case Decision.Own _ -> Optional.empty();
      case Decision.Refuse refuse -> refuse.rule();
    };
  }
}

package portcullis.serve.service;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Body;
import portcullis.http.message.Forwarding;
import portcullis.http.message.RejectedRequest;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.Target;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.ParseBudget;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.pipeline.StepSummary;

/** Decides every request, hands on allowed ones and answers the others. Thread safe. */
final class DecisionHandler implements Layer.Handler {
  /** Handles an allowed request. */
  interface AllowedHandler {
    void handle(Transaction transaction, Forwarding forwarding, Decision.Allow allow) throws IOException;

    /**
     * Returns whether {@code OPTIONS *}, which no rule decides, is answered with 200: nothing is forwarded for that.
     */
    default boolean answersForTheServer() {
      return true;
    }

    /**
     * Returns the response of a mechanism's own endpoint as it is sent.
     *
     * @param checked whether a proxy in front only asks whether it may forward the request
     */
    default Response own(Response answer, boolean checked) {
      return answer;
    }
  }

  private final Decider decider;
  private final TrustedProxies proxies;
  private final ErrorResponses errors;
  private final AllowedHandler allowed;
  private final ParseBudget bodies;
  private final Optional<Watch> watch;
  private final DebugRequests debugging;
  private final Log log;

  /** Is notified of decisions before they are carried out. */
  interface Watch {
    void decided(Forwarding forwarding, Request request, Decision decision, List<StepReport> steps);
  }

  /** @param bodies the budget for bodies that rules read */
  DecisionHandler(Decider decider, TrustedProxies proxies, ErrorResponses errors, AllowedHandler allowed,
      ParseBudget bodies, Optional<Watch> watch, DebugRequests debugging, Log log) {
    this.decider = decider;
    this.proxies = proxies;
    this.errors = errors;
    this.allowed = allowed;
    this.bodies = bodies;
    this.watch = watch;
    this.debugging = debugging;
    this.log = log;
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    switch (transaction.arrival()) {
      case RejectedRequest refused -> {
        transaction.markDenied(refused.reason());
        transaction.answer(Response.of(refused.status()).with("Connection", "close"));
      }
      case ValidRequest incoming when incoming.target() instanceof Target.Server && allowed.answersForTheServer()
          && !Forwarding.namesResource(incoming, proxies) ->
        transaction.answer(Response.of(200));
      case ValidRequest incoming -> decide(transaction, incoming);
    }
  }

  private void decide(Transaction transaction, ValidRequest arrived) throws IOException {
    log.debug("Decision endpoint called");
    ValidRequest incoming = debugging.withoutToken(transaction, arrived);
    try {
      Forwarding forwarding = Forwarding.of(incoming, proxies);
      Request request = forwarding.request(bodies, YamlFormat::orOther);
      Body body = request.body();
      try {
        Decision decision = watch.isEmpty() && transaction.debugToken().isEmpty()
            ? decider.decide(request, transaction.observer())
            : watched(forwarding, request, transaction);
        body.forget();
        finish(transaction, forwarding, decision);
      } finally {
        transaction.atRelease(body::close);
      }
    } catch (ResponseStatusException refusal) {
      transaction.markRefused(refusal.getMessage());
      transaction.answer(errors.of(new Failure.Precondition(refusal.getMessage()), incoming.fields()));
    }
  }

  private Decision watched(Forwarding forwarding, Request request, Transaction transaction)
      throws ResponseStatusException {
    StepSummary steps = new StepSummary(transaction.observer());
    Decision decision = decider.decide(request, steps);
    watch.ifPresent(one -> one.decided(forwarding, request, decision, steps.reports()));
    debugging.decided(transaction, forwarding, request, decision, steps.reports());
    return decision;
  }

  private void finish(Transaction transaction, Forwarding forwarding, Decision decision) throws IOException {
    if (decision instanceof Decision.Own(Response answer, String error)) {
      if (!error.isEmpty()) {
        transaction.markFailed(error);
      }
      transaction.answer(allowed.own(answer, Forwarding.namesResource(forwarding.incoming(), proxies)));
      return;
    }
    transaction.decided(decision);
    switch (decision) {
      case Decision.Own _ -> {
      }
      case Decision.Allow allow -> {
        log.debug("Finalizing request");
        transaction.markAllowed(allow.subject());
        allowed.handle(transaction, forwarding, allow);
      }
      case Decision.Refuse refuse -> {
        transaction.markDenied(refuse.stepFailure().failure().report());
        transaction.answer(errors.of(refuse, forwarding.fields()));
      }
    }
  }
}

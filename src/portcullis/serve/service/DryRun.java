package portcullis.serve.service;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.ValidRequest;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.rule.Backend;

/**
 * Decides a request as a listener with these settings would, and returns what the client and the upstream would
 * receive. Nothing is sent to the upstream. Thread safe.
 */
public final class DryRun {
  private final ListenerSettings settings;
  private final ErrorResponses errors;

  public DryRun(ListenerSettings settings, ErrorResponses errors) {
    this.settings = settings;
    this.errors = errors;
  }

  /**
   * A request as a client sends it.
   *
   * @param url absolute, {@code http} or {@code https}
   * @param peer the address of the client end of the connection
   */
  public record Draft(String method, String url, Fields fields, InetAddress peer, byte[] body) {}

  /** The request that would be sent to the upstream, without its body. */
  public record Upstream(String method, String url, Fields fields) {}

  /**
   * The result of a dry run.
   *
   * @param request as rules see it; empty if it was refused before
   * @param answer the response to the client; for an allowed request that of a decision service
   * @param reason why it was refused, for logs; empty if it was allowed
   * @param upstream empty if the request is refused, or its rule names no upstream
   */
  public record Outcome(Optional<Request> request, Optional<Decision> decision, Response answer, String reason,
      Optional<Upstream> upstream) {
    public boolean allowed() {
      return decision.filter(Decision.Allow.class::isInstance).isPresent() && reason.isEmpty();
    }
  }

  /** @param observer is notified of the rule and of each step */
  public Outcome of(Draft draft, Decider decider, Observer observer) {
    Optional<Request> seen = Optional.empty();
    try {
      Forwarding forwarding = Forwarding.of(incoming(draft), settings.proxies());
      Request request = forwarding.request(settings.limits().bodies(), YamlFormat::orOther);
      seen = Optional.of(request);
      try (Body _ = request.body()) {
        return outcome(forwarding, request, decider.decide(request, observer));
      }
    } catch (ResponseStatusException refusal) {
      Response answer = errors.of(new Failure.Precondition(refusal.getMessage()), draft.fields());
      return new Outcome(seen, Optional.empty(), answer, refusal.getMessage(), Optional.empty());
    }
  }

  /** Returns what the client and the upstream receive by a decision that was made. */
  Outcome outcome(Forwarding forwarding, Request request, Decision decision) {
    return switch (decision) {
      case Decision.Allow allow -> allowed(forwarding, request, allow);
      case Decision.Own own -> new Outcome(Optional.of(request), Optional.of(own), own.answer(),
          own.error().isEmpty() ? "answered by an endpoint of a login" : own.error(), Optional.empty());
      case Decision.Refuse refuse -> new Outcome(Optional.of(request), Optional.of(refuse),
          errors.of(refuse, forwarding.fields()), refuse.stepFailure().failure().report(), Optional.empty());
    };
  }

  private static ValidRequest incoming(Draft draft) throws ResponseStatusException {
    return ValidRequest.of(draft.method, draft.url, draft.fields, draft.peer, draft.body);
  }

  private Outcome allowed(Forwarding forwarding, Request request, Decision.Allow allow) {
    Optional<Request> seen = Optional.of(request);
    try {
      Optional<Backend> backend = allow.rule().backend();
      Optional<Upstream> upstream = Optional.empty();
      if (backend.isPresent()) {
        Outgoing outgoing = Outgoing.of(forwarding, allow, backend.get(), settings.stripped(),
            Optional.empty());
        upstream = Optional.of(new Upstream(forwarding.method(),
            outgoing.scheme() + "://" + outgoing.host() + outgoing.target(), outgoing.fields()));
      }
      return new Outcome(seen, Optional.of(allow), DecisionResponse.answer(settings.respond(), allow), "", upstream);
    } catch (Failure failure) {
      return new Outcome(seen, Optional.of(allow), errors.of(failure, forwarding.fields()), failure.report(),
          Optional.empty());
    } catch (ResponseStatusException refusal) {
      return new Outcome(seen, Optional.of(allow), Response.of(refusal.status()), refusal.getMessage(),
          Optional.empty());
    }
  }

  /** Returns the body of a response as a string. */
  public static String text(Response answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}

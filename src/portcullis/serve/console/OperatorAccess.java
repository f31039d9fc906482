package portcullis.serve.console;

import portcullis.http.message.Body;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.ParseBudget;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Observer;

/** Decides by the steps of {@code management.console.execute} who may use the console. Thread safe. */
final class OperatorAccess {
  private static final ParseBudget BODIES = ParseBudget.of(64 << 10);

  private final Decider decider;
  private final ErrorResponses errors;
  private final Log log;

  OperatorAccess(Decider decider, Log log) {
    this.decider = decider;
    this.errors = new ErrorResponses(ResponseSettings.DEFAULT, log);
    this.log = log;
  }

  /** What came of it. */
  sealed interface Result {}

  /** A request of somebody who may use it. */
  record Admitted(Decision.Allow allow) implements Result {}

  /** A response to somebody who may not, or of a mechanism, as of a login. */
  record Answered(Response response) implements Result {}

  /** Decides a request. Steps do not get its body, which is for the page. */
  Result of(ValidRequest incoming) {
    try {
      Request request = Forwarding.of(incoming, TrustedProxies.NONE).request(BODIES, YamlFormat::orOther);
      boolean isOwn = request.path().canonical().startsWith(OwnEndpoints.PREFIX);
      return result(incoming, isOwn ? request : request.detached(Body.none()));
    } catch (ResponseStatusException e) {
      return new Answered(ConsoleLayout.refusal(e.status(), e.getMessage()));
    }
  }

  private Result result(ValidRequest incoming, Request request) throws ResponseStatusException {
    try (Body _ = request.body()) {
      return switch (decider.decide(request, Observer.NONE)) {
        case Decision.Own(Response answer, String error) -> {
          if (!error.isEmpty()) {
            log.warn("A request for the console was refused", "_client", incoming.client(), "_error", error);
          }
          yield new Answered(answer);
        }
        case Decision.Allow allow -> new Admitted(allow);
        case Decision.Refuse refuse -> {
          log.warn("A request for the console was refused", "_client", incoming.client(), "_error",
              refuse.stepFailure().failure().report());
          yield new Answered(challenged(refuse, explained(errors.of(refuse, incoming.fields()))));
        }
      };
    }
  }

  /** Adds what makes browsers ask for a password where one is accepted. */
  private static Response challenged(Decision.Refuse refuse, Response plain) {
    boolean takesPasswords = refuse.rule().stream().flatMap(rule -> rule.pipeline().authenticators().stream())
        .anyMatch(step -> step.type().equals("basic_auth"));
    return plain.status() == 401 && takesPasswords && !plain.fields().has("WWW-Authenticate")
        ? plain.with("WWW-Authenticate", "Basic realm=\"Portcullis console\", charset=\"UTF-8\"")
        : plain;
  }

  /** Adds a page to a response without a body. */
  private static Response explained(Response plain) {
    if (plain.body().length > 0 || plain.status() < 400) {
      return plain;
    }
    String reason = plain.status() == 401 ? "The console requires credentials: management.console.execute says which."
        : "You may not use the console: a step of management.console.execute refuses it. The log says why.";
    return ConsoleLayout.refusal(plain.status(), reason).with(plain.fields().lines());
  }
}

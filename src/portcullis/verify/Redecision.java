package portcullis.verify;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Content;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.FailureKind;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;

/** Decides logged requests by other rules, as far as the log suffices for that. For one thread. */
final class Redecision {
  private static final Subject SOMEBODY = new Subject("", Value.Dict.EMPTY);
  /** Types whose result depends on nothing. */
  private static final Set<String> CONSTANT = Set.of("anonymous", "unauthorized", "allow", "deny", "noop");

  private final OfflineDecider decider;
  private final Snapshot rules;
  private final Snapshot routes;
  private final Optional<SymmetricKey> key;

  /** @param decider that has loaded the rules */
  Redecision(OfflineDecider decider, Optional<SymmetricKey> key) {
    this.decider = decider;
    this.rules = decider.snapshot();
    this.key = key;
    this.routes = new Snapshot(rules.version(), rules.catalogue(), rules.index().mapped(Redecision::withoutSteps),
        rules.defaultRule().map(Redecision::withoutSteps), rules.protectedHeaders());
  }

  /** How a request is decided now. */
  sealed interface Result {
    /** @param rule that decides; empty for none. @param error its kind; empty if it is allowed */
    record Decided(boolean allowed, Optional<Rule> rule, String step, String error) implements Result {}

    /** The log does not suffice. */
    record Undecided(String reason) implements Result {}

    /** As before: rules have no part in it, or the part is the same. */
    record Unchanged() implements Result {}
  }

  /** A body that is not in the log. */
  private static final class MissingBody implements Content {
    private boolean wanted;

    @Override
    public InputStream stream() {
      wanted = true;
      return new InputStream() {
        @Override
        public int read() throws IOException {
          throw new IOException("the body is not in the log");
        }
      };
    }

    @Override
    public OptionalLong length() {
      return OptionalLong.empty();
    }
  }

  private static Rule withoutSteps(Rule rule) {
    return new Rule(rule.id(), rule.source(),
        new Pipeline(List.of(), List.of(), List.of(), List.of(), rule.pipeline().log(), rule.pipeline().version()),
        rule.backend(), rule.slashes(), rule.readings(), rule.hosts(), rule.origin());
  }

  Result of(LoggedDecision logged) {
    if (logged.rejected()) {
      return new Result.Unchanged();
    }
    Optional<LoggedDecision.SealedContent> sealed = key.flatMap(logged::opened);
    MissingBody missing = new MissingBody();
    Optional<Request> request = request(logged, sealed, missing);
    if (request.isEmpty()) {
      return logged.allowed() ? new Result.Undecided("the request cannot be read") : new Result.Unchanged();
    }
    OfflineDecider.Replayed routed = decider.replay(request.get(), routes, logged.time(), List.of(), Map.of(),
        Optional.of(SOMEBODY));
    Optional<Rule> rule = routed.decision().flatMap(Redecision::rule);
    if (routed.decision().filter(Decision.Allow.class::isInstance).isEmpty()) {
      return decided(routed);
    }
    RuleOrigin origin = rule.orElseThrow().origin();
    boolean sameConfiguration = origin.configuration().equals(logged.rule("configuration_sha256"));
    if (sameConfiguration && origin.rule().equals(logged.rule("sha256"))) {
      Optional<Result> same = same(logged, rule.get());
      if (same.isPresent()) {
        return same.get();
      }
    }
    boolean sameAuthenticators = sameConfiguration
        && origin.authenticators().equals(logged.rule("authenticators_sha256"));
    if (sameAuthenticators && logged.steps().stream().noneMatch(Redecision::isLater)
        && logged.steps().stream().anyMatch(LoggedDecision.LoggedStep::failed)) {
      return new Result.Decided(false, rule, logged.steps().getLast().id(), logged.error());
    }
    return sealed.isPresent() ? exact(logged, sealed.get(), request.get(), missing, sameAuthenticators)
        : constant(logged, request.get(), sameAuthenticators);
  }

  /** The rule has the same steps as before; empty if it is not known how they ended. */
  private static Optional<Result> same(LoggedDecision logged, Rule rule) {
    Optional<LoggedDecision.LoggedStep> failed = logged.steps().stream().filter(LoggedDecision.LoggedStep::failed)
        .findFirst();
    if (logged.allowed() || failed.isPresent()) {
      return Optional.of(new Result.Decided(logged.allowed(), Optional.of(rule),
          failed.map(LoggedDecision.LoggedStep::id).orElse(""), logged.error()));
    }
    return logged.steps().isEmpty() ? Optional.empty()
        : Optional.of(new Result.Decided(true, Optional.of(rule), "", ""));
  }

  private static boolean isLater(LoggedDecision.LoggedStep step) {
    return !step.kind().equals("authenticator") && !step.kind().equals("error_handler");
  }

  private Result exact(LoggedDecision logged, LoggedDecision.SealedContent sealed, Request request,
      MissingBody missing, boolean sameAuthenticators) {
    Optional<Subject> subject = sameAuthenticators ? sealed.subject() : Optional.empty();
    OfflineDecider.Replayed result = decider.replay(request, rules, logged.time(), sealed.answers(), sealed.cached(),
        subject);
    if (missing.wanted) {
      return new Result.Undecided("the body of the request is not in the log");
    }
    if (!result.calls().unanswered().isEmpty()) {
      Call call = result.calls().unanswered().getFirst();
      return new Result.Undecided("no response to the call of step `" + call.step() + "` is in the log");
    }
    return decided(result);
  }

  /** Decides without header fields, query and body: by steps that do not need them. */
  private Result constant(LoggedDecision logged, Request request, boolean sameAuthenticators) {
    boolean known = sameAuthenticators && logged.steps().stream().anyMatch(Redecision::isLater);
    OfflineDecider.Replayed result = decider.replay(request, rules, logged.time(), List.of(), Map.of(),
        known ? Optional.of(SOMEBODY) : Optional.empty());
    Optional<StepReport> open = result.steps().stream()
        .filter(report -> !(report.step().mechanism() instanceof Mechanism.ErrorHandler))
        .filter(report -> !CONSTANT.contains(report.step().type()) || report.step().condition().isPresent())
        .findFirst();
    if (open.isPresent()) {
      String why = !logged.isSealed() ? "whole requests are not in the log (`seal_key`)"
          : key.isEmpty() ? "the whole request is sealed, name its key by `--key`" : "it is sealed with another key";
      return new Result.Undecided("step `" + open.get().step().id() + "` is new or changed, and " + why);
    }
    return decided(result);
  }

  private static Optional<Rule> rule(Decision decision) {
    return switch (decision) {
      case Decision.Allow allow -> Optional.of(allow.rule());
      case Decision.Own _ -> Optional.empty();
      case Decision.Refuse refuse -> refuse.rule();
    };
  }

  private static Result decided(OfflineDecider.Replayed result) {
    if (result.decision().isEmpty()) {
      return new Result.Decided(false, Optional.empty(), "", "precondition_error");
    }
    return switch (result.decision().get()) {
      case Decision.Allow allow -> new Result.Decided(true, Optional.of(allow.rule()), "", "");
      case Decision.Own _ -> new Result.Decided(false, Optional.empty(), "", "");
      case Decision.Refuse refuse -> new Result.Decided(false, refuse.rule(), refuse.stepFailure().step(),
          error(refuse.stepFailure().failure()));
    };
  }

  private static String error(Failure failure) {
    FailureKind kind = FailureKind.of(failure);
    return kind.key().orElse(kind.name().toLowerCase(Locale.ROOT));
  }

  /** Returns the request as the decider got it, without what the log does not have; empty if it is not valid. */
  private static Optional<Request> request(LoggedDecision logged, Optional<LoggedDecision.SealedContent> sealed,
      MissingBody missing) {
    String host = sealed.map(s -> s.member("host")).orElse(logged.request("host"));
    Fields fields = sealed.map(LoggedDecision.SealedContent::fields).orElse(Fields.NONE);
    Content content = sealed.flatMap(LoggedDecision.SealedContent::body).map(Content::of).orElse(missing);
    Body body = new Body(content, fields.joined("Content-Type").orElse(""), ParseBudget.DEFAULT, ParseMemory.PROCESS,
        "", YamlFormat::orOther);
    try {
      RequestPath path = RequestPath
          .readUnresolved(sealed.map(s -> s.member("path")).orElse(logged.request("path")));
      return Authority.parse(host).map(authority -> new Request(logged.request("method"), logged.request("scheme"),
          authority, path, sealed.map(s -> s.member("query")).orElse(""), fields,
          sealed.map(LoggedDecision.SealedContent::clients).orElse(logged.clients()), body));
    } catch (ResponseStatusException _) {
      return Optional.empty();
    }
  }
}

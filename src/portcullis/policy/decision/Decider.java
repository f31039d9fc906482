package portcullis.policy.decision;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.http.message.Authority;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.pipeline.StepSummary;
import portcullis.policy.route.EncodedSlashes;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;

/** Decides requests by the current snapshot; thread safe. */
public final class Decider {
  private final Supplier<Snapshot> snapshots;
  private final Log log;
  private final AccessGuard guard;
  private final Optional<Subject> subject;

  public Decider(Supplier<Snapshot> snapshots, Log log) {
    this(snapshots, log, AccessGuard.OPEN);
  }

  /** @param guard refuses clients and subjects whatever the rules allow */
  public Decider(Supplier<Snapshot> snapshots, Log log, AccessGuard guard) {
    this(snapshots, log, guard, Optional.empty());
  }

  private Decider(Supplier<Snapshot> snapshots, Log log, AccessGuard guard, Optional<Subject> subject) {
    this.snapshots = snapshots;
    this.log = log;
    this.guard = guard;
    this.subject = subject;
  }

  /** Returns a decider that runs no authenticators if a subject is given, for tests of rules. */
  public Decider assuming(Optional<Subject> given) {
    return new Decider(snapshots, log, guard, given);
  }

  /**
   * Decides a request while an observer is notified of the rule and of each step.
   *
   * @throws ResponseStatusException if the path is not acceptable to the rule
   */
  public Decision decide(Request request, Observer observer) throws ResponseStatusException {
    Snapshot snapshot = snapshots.get();
    observer.requested(request);
    if (log.isEnabled(Level.DEBUG)) {
      log.debug("Analyzing request", "_method", request.method(), "_url", place(request));
    }
    Optional<Decision> own = own(snapshot, request);
    if (own.isPresent()) {
      return own.get();
    }
    Optional<Match<Rule>> match = match(snapshot, request, request.path());
    Optional<Rule> rule = match.map(Match::value).or(snapshot::defaultRule);
    if (!rule.map(Rule::readings).orElse(ReadingPolicy.DEFAULT).backslashes()) {
      request.path().refuseBackslashes();
    }
    if (rule.isEmpty()) {
      return refused(rule, new Failure.NoRule("no applicable rule found for " + place(request)));
    }
    logRule(rule.get());
    observer.ruled(rule.get().source(), rule.get().id(), match.map(m -> m.path().text()).orElse(""));
    if (!rule.get().slashes().allows(request.path().canonical())) {
      return refused(rule, new Failure.Precondition("path contains encoded slash, which is not allowed"));
    }
    RequestPath path = path(request, rule.get());
    Decision decision = loggedRun(seen(request, path, match), rule.get(), snapshot.protectedHeaders(), observer);
    return decision instanceof Decision.Allow
        ? guarded(decision, new OtherReadings(snapshot, request, path, rule.get(), match))
        : decision;
  }

  /** Returns the response of a mechanism to a request below the reserved path; empty for all other requests. */
  private static Optional<Decision> own(Snapshot snapshot, Request request) {
    if (!request.path().canonical().startsWith(OwnEndpoints.PREFIX)) {
      return Optional.empty();
    }
    List<OwnEndpoints> all = snapshot.catalogue().authenticators().definitions().stream()
        .flatMap(definition -> definition.mechanism().endpoints().stream()).toList();
    return own(all, request);
  }

  /** Returns the first answer, or of those that others may give too the one for all. */
  static Optional<Decision> own(List<OwnEndpoints> all, Request request) {
    Optional<OwnEndpoints.Answer> shared = Optional.empty();
    for (OwnEndpoints endpoints : all) {
      try {
        Optional<OwnEndpoints.Answer> answer = endpoints.answer(request);
        if (answer.filter(one -> !one.isShared()).isPresent()) {
          return Optional.of(own(answer.get()));
        }
        shared = shared.isPresent() && answer.isPresent() ? Optional.of(shared.get().and(answer.get()))
            : shared.or(() -> answer);
      } catch (Failure e) {
        return Optional.of(new Decision.Refuse(Optional.empty(), new StepFailure(e, "", ""),
            endpoints.failed(request, e).map(HandlerResponse::with)));
      }
    }
    return all.isEmpty() ? Optional.empty()
        : Optional.of(own(shared.orElseGet(() -> all.getFirst().otherwise(request))));
  }

  private static Decision own(OwnEndpoints.Answer answer) {
    return new Decision.Own(answer.response(), answer.error());
  }

  /** Returns the version of the rules, which changes with each reload. */
  public long version() {
    return snapshots.get().version();
  }

  /**
   * Decides a request again that was allowed, by the rules of now: without counting it, without finalizers and error
   * handlers.
   *
   * @throws ResponseStatusException if the path is not acceptable to the rule
   */
  public Decision repeat(Request request) throws ResponseStatusException {
    Snapshot snapshot = snapshots.get();
    Optional<Match<Rule>> match = match(snapshot, request, request.path());
    Optional<Rule> rule = match.map(Match::value).or(snapshot::defaultRule);
    if (rule.isEmpty()) {
      return refused(rule, new Failure.NoRule("no applicable rule found for " + place(request)));
    }
    if (!rule.get().readings().backslashes()) {
      request.path().refuseBackslashes();
    }
    if (!rule.get().slashes().allows(request.path().canonical())) {
      return refused(rule, new Failure.Precondition("path contains encoded slash, which is not allowed"));
    }
    RequestPath path = path(request, rule.get());
    Decision decision = decision(rule.get().pipeline().repeat(seen(request, path, match), guard), rule.get(),
        snapshot.protectedHeaders());
    return decision instanceof Decision.Allow
        ? guarded(decision, new OtherReadings(snapshot, request, path, rule.get(), match))
        : decision;
  }

  private static RequestPath path(Request request, Rule rule) throws ResponseStatusException {
    return rule.slashes() == EncodedSlashes.ON ? request.path().withSlashesDecoded() : request.path();
  }

  /** Refuses an allowed request if an upstream may read it as one that another rule decides. */
  private Decision guarded(Decision allowed, OtherReadings readings) {
    Optional<OtherReadings.Conflict> conflict = readings.conflict();
    if (conflict.isEmpty()) {
      return allowed;
    }
    String reason = conflict.get().text();
    log.warn("Request refused: another rule decides under another reading", "_src", readings.rule().source(), "_rule",
        readings.rule().id(),
        "_reading", reason);
    return refused(Optional.of(readings.rule()), new Failure.Precondition("upstreams may take this request for "
        + "another one", reason));
  }

  /** Runs the pipeline, and logs its steps in one line at level debug. */
  private Decision loggedRun(Request request, Rule rule, ProtectedHeaders protectedHeaders, Observer observer) {
    if (!log.isEnabled(Level.DEBUG)) {
      return run(request, rule, protectedHeaders, observer);
    }
    StepSummary summary = new StepSummary(observer);
    try {
      return run(request, rule, protectedHeaders, summary);
    } finally {
      log.debug("Pipeline executed", "_steps", summary.text());
    }
  }

  /** Returns the matching route in the current snapshot; empty if there is none, so that the default rule applies. */
  public Optional<Match<Rule>> match(Request request) {
    return match(snapshots.get(), request, request.path());
  }

  /** Returns the rule in the current snapshot that decides a request; empty if there is none. */
  public Optional<Rule> rule(Request request) {
    Snapshot snapshot = snapshots.get();
    return match(snapshot, request, request.path()).map(Match::value).or(snapshot::defaultRule);
  }

  private static Optional<Match<Rule>> match(Snapshot snapshot, Request request, RequestPath path) {
    Authority host = request.url().host();
    return snapshot.index()
        .find(new Lookup(request.url().scheme(), request.method(), host.host(), host.port(), path.canonical()));
  }

  /** Returns the URL without the query, which may contain secrets. */
  private static String place(Request request) {
    return request.url().scheme() + "://" + request.url().host() + request.path().canonical();
  }

  private void logRule(Rule rule) {
    if (!log.isEnabled(Level.INFO)) {
      return;
    }
    if (rule.isDefault()) {
      log.info("Executing default rule");
    } else {
      log.info("Executing rule", "_src", rule.source(), "_rule", rule.id());
    }
  }

  /** Returns the request as the steps see it: with the path of the rule and its captures. */
  private static Request seen(Request request, RequestPath path, Optional<Match<Rule>> match) {
    return match.isPresent() ? request.matched(path, match.get()::captures) : request.matched(path, Map::of);
  }

  private Decision run(Request request, Rule rule, ProtectedHeaders protectedHeaders, Observer observer) {
    PipelineResult result = subject.isPresent() ? rule.pipeline().run(request, subject.get(), observer)
        : rule.pipeline().run(request, guard, observer);
    return decision(result, rule, protectedHeaders);
  }

  private static Decision decision(PipelineResult result, Rule rule, ProtectedHeaders protectedHeaders) {
    return switch (result) {
      case PipelineResult.Passed(var state) -> new Decision.Allow(rule, state, protectedHeaders);
      case PipelineResult.Failed(var stepFailure, var answer) ->
        new Decision.Refuse(Optional.of(rule), stepFailure, answer);
    };
  }

  private static Decision refused(Optional<Rule> rule, Failure failure) {
    return new Decision.Refuse(rule, new StepFailure(failure, "", ""), Optional.empty());
  }
}

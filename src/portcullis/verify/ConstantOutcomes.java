package portcullis.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.lang.expression.Expression;
import portcullis.policy.authenticator.GenericAuthenticator;
import portcullis.policy.authenticator.Introspection;
import portcullis.policy.authenticator.JwtAuthenticator;
import portcullis.policy.authorizer.Cel;
import portcullis.policy.authorizer.Remote;
import portcullis.policy.mechanism.Checks;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Finds steps whose settings decide less than they seem to: conditions with one result for all requests of a rule,
 * tokens of any audience or issuer, and sessions that are accepted after their end.
 */
final class ConstantOutcomes {
  static final String CONSTANT = "constant-condition";
  static final String AUDIENCE = "any-audience";
  static final String ISSUER = "any-issuer";
  static final String CACHE = "stale-cache";

  private final AnalyzedRules rules;
  private final Map<List<String>, List<RouteSample<Rule>>> samples = new HashMap<>();
  private final Set<String> seen = new LinkedHashSet<>();
  private final List<Finding> out = new ArrayList<>();

  private ConstantOutcomes(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    ConstantOutcomes settled = new ConstantOutcomes(rules);
    rules.samples().forEach(sample -> settled.samples.computeIfAbsent(key(sample.value()), _ -> new ArrayList<>())
        .add(sample));
    for (RouteSample<Rule> sample : rules.reachable()) {
      Pipeline pipeline = sample.value().pipeline();
      Stream.of(pipeline.authenticators(), pipeline.handlers(), pipeline.finalizers(), pipeline.errorHandlers())
          .flatMap(List::stream).forEach(step -> settled.step(sample, step));
    }
    return settled.out;
  }

  private static List<String> key(Rule rule) {
    return List.of(rule.source(), rule.id());
  }

  private void step(RouteSample<Rule> sample, Step<? extends Mechanism> step) {
    step.condition().flatMap(condition -> result(sample.value(), condition))
        .ifPresent(result -> add(sample, step, CONSTANT, "the condition of step `" + step.id() + "` " + result));
    switch (step.mechanism()) {
      case Cel cel -> checks(sample, step, cel.config().expressions());
      case Remote remote -> checks(sample, step, remote.config().expressions());
      case JwtAuthenticator jwt when jwt.acceptsAnyAudience() -> audience(sample, step);
      case Introspection introspection -> {
        if (introspection.acceptsAnyAudience()) {
          audience(sample, step);
        }
        if (introspection.acceptsAnyIssuer()) {
          definition(sample, step, ISSUER, "accepts tokens of any issuer: `assertions.issuers` is missing");
        }
      }
      case GenericAuthenticator generic when !generic.config().life().isZero()
          && generic.config().lifespan().isEmpty() ->
        definition(sample, step, CACHE, "accepts sessions for up to " + generic.config().life().toSeconds()
            + " s after their end: `cache_ttl` is set and `session_lifespan` is missing");
      default -> {
      }
    }
  }

  private void checks(RouteSample<Rule> sample, Step<?> step, List<Checks.Check> checks) {
    for (int i = 0; i < checks.size(); i++) {
      String which = "expression " + (i + 1) + " of step `" + step.id() + "` ";
      result(sample.value(), checks.get(i).expression())
          .ifPresent(result -> add(sample, step, CONSTANT, which + result));
    }
  }

  /** Returns the result that an expression has for all requests of a rule. */
  private Optional<String> result(Rule rule, Expression expression) {
    Optional<String> always = PartialRequest.result(expression, Optional.empty(), Set.of(), false)
        .map(PartialRequest.Result::text);
    return always.isPresent() ? always : ofRoutes(rule, expression).map(result -> result.text() + " in this rule");
  }

  private Optional<PartialRequest.Result> ofRoutes(Rule rule, Expression expression) {
    Set<Optional<PartialRequest.Result>> results = new HashSet<>();
    for (RouteSample<Rule> sample : samples.get(key(rule))) {
      List<Optional<String>> methods = sample.isAnyMethod() ? List.of(Optional.empty())
          : sample.methods().stream().map(Optional::of).toList();
      methods.forEach(method -> results
          .add(PartialRequest.result(expression, method, sample.captures().keySet(), true)));
    }
    return results.size() == 1 ? results.iterator().next() : Optional.empty();
  }

  private void audience(RouteSample<Rule> sample, Step<?> step) {
    definition(sample, step, AUDIENCE, "accepts tokens for any audience: `assertions.audience` is missing");
  }

  /** Settings of definitions are reported for one of the rules that use them. */
  private void definition(RouteSample<Rule> sample, Step<?> step, String kind, String what) {
    if (seen.add(kind + "/" + step.source())) {
      add(sample, step, kind, "authenticator `" + step.source() + "` " + what);
    }
  }

  private void add(RouteSample<Rule> sample, Step<?> step, String kind, String message) {
    Rule rule = sample.value();
    if (seen.add(kind + "/" + rule.source() + "/" + rule.id() + "/" + message)) {
      out.add(new Finding(kind, Finding.Severity.WARNING, kind + "/" + rule.id() + "/" + step.id(),
          rules.at(rule, step.id()), rule.id(), message,
          Probe.of(sample.methods().getFirst(), sample.url()).text(), List.of()));
    }
  }
}

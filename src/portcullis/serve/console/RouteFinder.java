package portcullis.serve.console;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.markup.Html;
import portcullis.lang.value.ParseBudget;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;
import portcullis.serve.explain.NearMisses;

/**
 * Finds the rule of a request without running its steps; immutable.
 *
 * @param match empty if no route matches
 * @param rule that of the match, or the default rule
 * @param reason why there is none; otherwise empty
 */
record RouteFinder(Optional<Match<Rule>> match, Optional<Rule> rule, String reason) {
  private static final ParseBudget NOTHING = ParseBudget.of(1 << 10);

  static RouteFinder of(Snapshot rules, String method, String url) {
    try {
      Request request = Forwarding.of(ValidRequest.of(method, url, Fields.NONE, InetAddress.getLoopbackAddress(),
          new byte[0]), TrustedProxies.NONE).request(NOTHING, YamlFormat::orOther);
      try (Body _ = request.body()) {
        Optional<Match<Rule>> match = rules.index().find(new Lookup(request.url().scheme(), request.method(),
            request.url().host().host(), request.url().host().port(), request.path().canonical()));
        List<String> near = match.isPresent() ? List.of() : new NearMisses(rules.index(), request).found();
        return new RouteFinder(match, match.map(Match::value).or(rules::defaultRule), String.join("; ", near));
      }
    } catch (ResponseStatusException e) {
      return new RouteFinder(Optional.empty(), Optional.empty(), "the request is refused with " + e.status() + ": "
          + e.getMessage());
    }
  }

  Html html() {
    if (rule.isEmpty()) {
      return Html.of("<p class=\"note bad\" role=\"status\"><strong>No rule matches.</strong> {}</p>", reason);
    }
    Rule found = rule.get();
    String captures = match.map(one -> one.captures().entrySet().stream()
        .map(entry -> entry.getKey() + " = " + entry.getValue()).collect(Collectors.joining(", "))).orElse("");
    return Html.of("""
        <div class="card" role="status"><dl class="facts">
        <dt>Rule</dt><dd><strong>{}</strong></dd><dt>Written at</dt><dd>{}</dd><dt>Route</dt><dd><code>{}</code></dd>{}
        <dt>Goes to</dt><dd>{}</dd>{}</dl></div>
        """, found.id(), RulesPage.place(found),
        match.map(one -> one.path().text()).orElse("none: the default rule; " + reason),
        captures.isEmpty() ? Html.NONE : Html.of("<dt>Captures</dt><dd>{}</dd>", captures), RulesPage.goal(found),
        steps(found.pipeline()));
  }

  private static Html steps(Pipeline pipeline) {
    return Html.join(List.of(steps("Authenticators", pipeline.authenticators()),
        steps("Then", pipeline.handlers()), steps("Finalizers", pipeline.finalizers()),
        steps("On errors", pipeline.errorHandlers())));
  }

  private static Html steps(String title, List<? extends Step<? extends Mechanism>> steps) {
    return steps.isEmpty() ? Html.NONE
        : Html.of("<dt>{}</dt><dd>{}</dd>", title, steps.stream().map(step -> step.id() + " (" + step.type()
            + (step.condition().isPresent() ? ", if its condition holds)" : ")")).collect(Collectors.joining(", ")));
  }
}

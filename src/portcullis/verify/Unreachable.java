package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Finds rules that no request reaches, and steps that no request of their rule reaches. */
final class Unreachable {
  static final String RULE = "unreachable-rule";
  static final String STEP = "unreachable-step";

  private final AnalyzedRules rules;
  private final List<Finding> out = new ArrayList<>();

  private Unreachable(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    Unreachable unreachable = new Unreachable(rules);
    Map<List<String>, RouteSample<Rule>> seen = new LinkedHashMap<>();
    for (RouteSample<Rule> sample : rules.samples()) {
      if (sample.taken()) {
        unreachable.route(sample);
      } else if (AnalyzedRules.isReachable(sample)) {
        seen.putIfAbsent(List.of(sample.value().source(), sample.value().id()), sample);
      }
    }
    seen.values().forEach(unreachable::steps);
    return unreachable.out;
  }

  private void route(RouteSample<Rule> sample) {
    Rule rule = sample.value();
    String request = Probe.of(sample.methods().getFirst(), sample.url()).text();
    out.add(new Finding(RULE, Finding.Severity.WARNING, RULE + "/" + rule.id() + "/" + sample.route().text(),
        rules.at(rule, ""), rule.id(), "no request reaches " + AnalyzedRules.place(sample) + " of this rule", request,
        rules.decides(sample.winner())));
  }

  private void steps(RouteSample<Rule> sample) {
    Pipeline pipeline = sample.value().pipeline();
    first(pipeline.authenticators(), step -> step.mechanism().open())
        .ifPresent(step -> behind(sample, pipeline.authenticators(), step, "accepts every request"));
    first(pipeline.handlers(), step -> step.type().equals("deny"))
        .ifPresent(step -> behind(sample, pipeline.handlers(), step, "refuses every request"));
    first(pipeline.errorHandlers(), _ -> true)
        .ifPresent(step -> behind(sample, pipeline.errorHandlers(), step, "handles every error"));
    boolean closed = pipeline.authenticators().stream().allMatch(step -> step.type().equals("unauthorized"));
    if (closed) {
      pipeline.handlers().stream().filter(step -> isWritten(sample.value(), step))
          .forEach(step -> add(sample, step, "no authenticator of the rule accepts any request"));
    }
  }

  private static <S extends Step<?>> Optional<S> first(List<S> steps, Predicate<S> ends) {
    return steps.stream().filter(step -> step.condition().isEmpty()).filter(ends).findFirst();
  }

  private void behind(RouteSample<Rule> sample, List<? extends Step<?>> steps, Step<?> last, String what) {
    steps.subList(steps.indexOf(last) + 1, steps.size()).stream().filter(step -> isWritten(sample.value(), step))
        .forEach(step -> add(sample, step, "`" + last.id() + "` before it " + what));
  }

  /** Steps of the default rule are reported there only. */
  private boolean isWritten(Rule rule, Step<?> step) {
    return !rules.at(rule, step.id()).equals(rules.at(rule, ""));
  }

  private void add(RouteSample<Rule> sample, Step<?> step, String why) {
    Rule rule = sample.value();
    out.add(new Finding(STEP, Finding.Severity.WARNING, STEP + "/" + rule.id() + "/" + step.id(),
        rules.at(rule, step.id()), rule.id(), "step `" + step.id() + "` never runs: " + why,
        Probe.of(sample.methods().getFirst(), sample.url()).text(), List.of()));
  }
}

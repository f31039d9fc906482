package portcullis.serve.console;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;

/**
 * How many requests a rule has allowed and denied since the start, as the metric counts them; immutable.
 *
 * @param ruleSet empty for requests without a rule
 * @param rule empty for requests without a rule
 */
record RuleCounts(String ruleSet, String rule, long allowed, long denied) {
  private static final String METRIC = "portcullis.rule.decisions";

  private record Name(String ruleSet, String rule) {}

  /** Returns those of all rules that have decided a request, the busiest first. */
  static List<RuleCounts> of(Registry registry) {
    Map<Name, RuleCounts> out = new LinkedHashMap<>();
    for (Metric.Sample sample : registry.samples(METRIC)) {
      long count = sample.value() instanceof Metric.Whole(long value) ? value : 0;
      boolean isAllowed = text(sample, "rule.decision").equals("allowed");
      Name name = new Name(text(sample, "ruleset.id"), text(sample, "rule.id"));
      RuleCounts counts = new RuleCounts(name.ruleSet, name.rule, isAllowed ? count : 0, isAllowed ? 0 : count);
      out.merge(name, counts, RuleCounts::plus);
    }
    return out.values().stream().sorted(Comparator.comparingLong(RuleCounts::all).reversed()
        .thenComparing(RuleCounts::ruleSet).thenComparing(RuleCounts::rule)).toList();
  }

  long all() {
    return allowed + denied;
  }

  /** Returns what distinguishes the rule from others. */
  String key() {
    return ruleSet + " " + rule;
  }

  private RuleCounts plus(RuleCounts other) {
    return new RuleCounts(ruleSet, rule, allowed + other.allowed, denied + other.denied);
  }

  private static String text(Metric.Sample sample, String name) {
    return String.valueOf(sample.attributes().getOrDefault(name, ""));
  }
}

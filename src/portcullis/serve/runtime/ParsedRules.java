package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.LiteralVariables;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.route.RouteSet;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.bundle.KnownCounters;
import portcullis.serve.bundle.SignatureRequirement;

/**
 * A parsed rule set.
 *
 * @param set empty if the source has no rules, or errors
 * @param shadow the number of its shadow rules
 * @param problems found so far; more are added when the rule set is applied
 * @param bundle the signed bundle that it is; empty for one that is not, or not accepted
 */
record ParsedRules(String source, SourceFile text, Optional<RouteSet<Rule>> set, int shadow, Problems problems,
    Optional<SignatureRequirement.Accepted> bundle) {
  private static ParsedRules read(ConfigurationPlan plan, String source, SourceFile text, KnownCounters counters) {
    Problems problems = new Problems();
    if (RuleOrigin.digest(text.text()).equals(plan.digest())) {
      problems.warning(new Origin.InFile(text, 1, 1, 1), "", "this is the configuration, which has no rules",
          "it need not be in the folder of the rules");
      return new ParsedRules(source, text, Optional.empty(), 0, problems, Optional.empty());
    }
    if (!BundleRules.concern(plan, source, text)) {
      RuleReader.Outcome read = plan.reader(source).read(source, text, problems);
      if (plan.leavesVariables(source)) {
        LiteralVariables.report(text, problems);
      }
      return new ParsedRules(source, text, read.set(), read.shadow(), problems, Optional.empty());
    }
    Optional<SignatureRequirement.Accepted> bundle = BundleRules.accept(plan, source, text, counters, problems);
    RuleReader.Outcome read = bundle.map(accepted -> BundleRules.read(plan, source, accepted, text, problems))
        .orElse(new RuleReader.Outcome(Optional.empty(), 0));
    return new ParsedRules(source, text, read.set(), read.shadow(), problems, bundle);
  }

  /**
   * Parses all of these, in order.
   *
   * @param counters those of signed bundles that were applied before
   */
  static List<ParsedRules> all(ConfigurationPlan plan, Map<String, SourceFile> texts, KnownCounters counters) {
    List<ParsedRules> out = new ArrayList<>();
    texts.forEach((source, text) -> out.add(read(plan, source, text, counters)));
    return out;
  }

  /** Returns whether it has no errors; it may still conflict with other rule sets. */
  boolean isValid() {
    return !problems.hasErrors();
  }

  /** Returns the rules of all. */
  static List<RouteSet<Rule>> sets(List<ParsedRules> all) {
    return all.stream().flatMap(one -> one.set().stream()).toList();
  }
}

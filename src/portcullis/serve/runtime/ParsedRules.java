package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.route.RouteSet;
import portcullis.policy.rule.Rule;

/**
 * A rule set that was read.
 *
 * @param set empty where the text has none, or errors
 * @param problems of the reading; whoever takes the set adds what it finds
 */
record ParsedRules(String source, SourceFile text, Optional<RouteSet<Rule>> set, Problems problems) {
  private static ParsedRules read(ConfigurationPlan plan, String source, SourceFile text) {
    Problems problems = new Problems();
    return new ParsedRules(source, text, plan.reader(source).read(source, text, problems), problems);
  }

  /** All of these, in their order. */
  static List<ParsedRules> all(ConfigurationPlan plan, Map<String, SourceFile> texts) {
    List<ParsedRules> out = new ArrayList<>();
    texts.forEach((source, text) -> out.add(read(plan, source, text)));
    return out;
  }

  /** Whether it may be used, if it fits. */
  boolean good() {
    return !problems.hasErrors();
  }

  /** The rules of all. */
  static List<RouteSet<Rule>> sets(List<ParsedRules> all) {
    return all.stream().flatMap(one -> one.set().stream()).toList();
  }
}

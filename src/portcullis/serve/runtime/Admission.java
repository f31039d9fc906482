package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Problems;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Rule;

/**
 * The result of adding rule sets to an index.
 *
 * @param index the index with the rule sets that fit
 * @param warnings about the rule sets that fit
 * @param refused the rule sets that conflict with others, and their problems
 */
record Admission(RouteIndex<Rule> index, List<ParsedRules> applied, Problems warnings,
    Map<ParsedRules, Problems> refused) {
  /**
   * Adds valid rule sets, after removing the sources {@code gone}: all at once or, if that fails, one by one as long as
   * one fits, since a rule set may fit only after another one has released its routes.
   */
  static Admission of(RouteIndex<Rule> base, Collection<String> gone, List<ParsedRules> sets) {
    Problems warnings = new Problems();
    Optional<RouteIndex<Rule>> all = base.exchanged(gone, ParsedRules.sets(sets), warnings);
    return all.map(index -> new Admission(index, sets, warnings, Map.of()))
        .orElseGet(() -> oneByOne(base.without(gone), sets));
  }

  private static Admission oneByOne(RouteIndex<Rule> base, List<ParsedRules> sets) {
    RouteIndex<Rule> index = base;
    Problems warnings = new Problems();
    List<ParsedRules> applied = new ArrayList<>();
    Map<ParsedRules, Problems> refused = new LinkedHashMap<>();
    sets.forEach(one -> refused.put(one, new Problems()));
    for (boolean moved = true; moved;) {
      moved = false;
      for (ParsedRules one : List.copyOf(refused.keySet())) {
        Problems problems = new Problems();
        Optional<RouteIndex<Rule>> next = index.with(ParsedRules.sets(List.of(one)), problems);
        refused.put(one, problems);
        if (next.isPresent()) {
          index = next.get();
          applied.add(one);
          warnings.addAll(problems);
          refused.remove(one);
          moved = true;
        }
      }
    }
    return new Admission(index, applied, warnings, refused);
  }
}

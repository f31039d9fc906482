package portcullis.serve.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Rule;
import portcullis.serve.explain.LiveExplanations;

/**
 * What differs between two versions of the rules, by their digests: ids with files and lines, not what is written
 * there, which may be secret. Immutable.
 */
record RuleChanges(List<String> added, List<String> changed, List<String> removed) {
  static RuleChanges between(RouteIndex<Rule> before, RouteIndex<Rule> now) {
    Map<List<String>, Rule> old = byName(before);
    Map<List<String>, Rule> next = byName(now);
    List<String> added = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    next.forEach((name, rule) -> {
      if (!old.containsKey(name)) {
        added.add(text(rule));
      } else if (!old.get(name).origin().rule().equals(rule.origin().rule())) {
        changed.add(text(rule));
      }
    });
    old.forEach((name, rule) -> {
      if (!next.containsKey(name)) {
        removed.add(text(rule));
      }
    });
    return new RuleChanges(added, changed, removed);
  }

  private static Map<List<String>, Rule> byName(RouteIndex<Rule> index) {
    Map<List<String>, Rule> out = new LinkedHashMap<>();
    index.values().forEach(rule -> out.put(List.of(rule.source(), rule.id()), rule));
    return out;
  }

  private static String text(Rule rule) {
    return rule.id() + " (" + LiveExplanations.place(rule) + ")";
  }

  boolean isEmpty() {
    return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
  }
}

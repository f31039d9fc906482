package portcullis.serve.runtime;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.RuleEntry;
import portcullis.policy.rule.Rule;
import portcullis.serve.bundle.SignatureRequirement;

/**
 * What is kept of an applied rule set; its rules are in the index.
 *
 * @param ids of its rules, in order
 * @param rules the number of its rules
 * @param shadow the number of its shadow rules
 * @param pipelines of its rules, each once
 * @param bundle the signed bundle that it is; empty for one that is not
 */
record AppliedRules(String source, SourceFile text, Set<String> ids, int rules, int shadow,
    Collection<Pipeline> pipelines, Problems problems, Optional<SignatureRequirement.Accepted> bundle) {
  static AppliedRules of(ParsedRules read) {
    List<RuleEntry<Rule>> entries = read.set().map(set -> set.entries()).orElse(List.of());
    Set<Pipeline> pipelines = Collections.newSetFromMap(new IdentityHashMap<>());
    entries.forEach(entry -> pipelines.add(entry.value().pipeline()));
    Set<String> ids = new LinkedHashSet<>();
    entries.forEach(entry -> ids.add(entry.id().text()));
    return new AppliedRules(read.source(), read.text(), Collections.unmodifiableSet(ids), entries.size(), read.shadow(),
        List.copyOf(pipelines), read.problems(), read.bundle());
  }

  /** Returns whether it has no rules, not even shadow rules. */
  boolean hasNone() {
    return rules == 0 && shadow == 0;
  }
}

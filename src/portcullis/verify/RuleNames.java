package portcullis.verify;

import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.policy.rule.Rule;
import portcullis.serve.runtime.Settings;

/** The ids of the rules of a configuration. */
public final class RuleNames {
  private RuleNames() {}

  /** Returns them; empty if some rules come from elsewhere than from files, or cannot be read here. */
  public static Optional<SortedSet<String>> of(Settings settings) {
    if (settings.providers().remote().isPresent()) {
      return Optional.empty();
    }
    try (OfflineDecider offline = OfflineDecider.uncached(settings, Enforcement.NONE)) {
      if (!offline.load(new Problems())) {
        return Optional.empty();
      }
      SortedSet<String> out = new TreeSet<>();
      offline.snapshot().index().values().forEach(rule -> out.add(rule.id()));
      offline.snapshot().defaultRule().map(Rule::id).ifPresent(out::add);
      return Optional.of(out);
    }
  }
}

package portcullis.serve.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;
import portcullis.policy.route.RouteSet;
import portcullis.policy.route.RuleEntry;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.bundle.BundleException;
import portcullis.serve.bundle.KnownCounters;
import portcullis.serve.bundle.SignatureRequirement;
import portcullis.serve.bundle.SignedBundle;

/** The rules of signed bundles: a bundle is one source of rules, whatever number of files it has. */
final class BundleRules {
  private static final int BEGIN = 100;

  private BundleRules() {}

  /** Returns whether a file looks like a bundle. */
  static boolean isBundle(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return SignedBundle.isBundle(new String(in.readNBytes(BEGIN), StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      return false; // reported when it is read
    }
  }

  /** Returns whether a rule set is or has to be a bundle. */
  static boolean concern(ConfigurationPlan plan, String source, SourceFile text) {
    return plan.signature(source).isPresent() || SignedBundle.isBundle(text.text());
  }

  /** Checks the signatures of a bundle and what it says of itself; empty exactly if an error was added. */
  static Optional<SignatureRequirement.Accepted> accept(ConfigurationPlan plan, String source, SourceFile text,
      KnownCounters counters, Problems problems) {
    // a bundle is one long line, of which no part would say anything
    Origin at = new Origin.InFile(new SourceFile(text.name(), ""), 1, 1, 1);
    Optional<SignatureRequirement> requirement = plan.signature(source);
    if (requirement.isEmpty()) {
      problems.error(at, "", "this is a signed bundle, and there are no keys to check it with",
          "name them in `require_signature` of its provider");
      return Optional.empty();
    }
    requirement.get().lostCounter(counters).ifPresent(counter -> plan.catalogue().context().log().error(
        "The state file of signed bundles was removed or replaced by an older one, the counter that it had still holds",
        "_rule_set", source,
        "_state", requirement.get().state(), "_counter", counter));
    try {
      SignatureRequirement.Accepted accepted = requirement.get().accept(text.text(),
          plan.catalogue().context().clock().instant(), Version.current(), counters);
      accepted.rolledBackFrom().ifPresent(before -> problems.warning(at, "", "the bundle's counter "
          + accepted.bundle().counter() + " is not higher than " + before + ", that of the bundle applied last",
          "allowed by `--allow-rollback`"));
      return Optional.of(accepted);
    } catch (BundleException e) {
      problems.error(at, "", "the bundle is refused: " + e.getMessage(), "");
      return Optional.empty();
    }
  }

  /** Reads the rules of all files of a bundle; none where there are none, or where an error was added. */
  static RuleReader.Outcome read(ConfigurationPlan plan, String source, SignatureRequirement.Accepted bundle,
      SourceFile text, Problems problems) {
    long before = problems.errors();
    List<RuleEntry<Rule>> entries = new ArrayList<>();
    int shadow = 0;
    for (SourceFile file : bundle.bundle().ruleSets(text.name())) {
      RuleReader.Outcome outcome = plan.reader(source).read(source, file, problems);
      outcome.set().ifPresent(set -> entries.addAll(set.entries()));
      shadow += outcome.shadow();
    }
    return new RuleReader.Outcome(problems.errors() > before || entries.isEmpty() ? Optional.empty()
        : Optional.of(new RouteSet<>(source, entries)), shadow);
  }

  /** Returns the bundles among rule sets that are older than those before them, with both counters. */
  static Value rolledBack(Collection<AppliedRules> sets) {
    List<Value> out = new ArrayList<>();
    for (AppliedRules one : sets) {
      one.bundle().ifPresent(bundle -> bundle.rolledBackFrom().ifPresent(before -> out.add(new Value.Dict(Map.of(
          "rule_set", Value.of(one.source()), "counter", Value.of(bundle.bundle().counter()), "counter_before",
          Value.of(before))))));
    }
    return new Value.Array(out);
  }

  /** Records the counters of bundles; returns those that must be refused, and why. */
  static Map<ParsedRules, Problems> unrecorded(List<ParsedRules> sets, Log log) {
    Map<ParsedRules, Problems> out = new LinkedHashMap<>();
    for (ParsedRules one : sets) {
      Problems problems = new Problems();
      one.bundle().ifPresent(bundle -> record(bundle, one.text(), one.source(), log, problems));
      if (problems.hasErrors()) {
        out.put(one, problems);
      }
    }
    return out;
  }

  /** Records the counter of a bundle before it is applied; adds a problem where it cannot, as it is refused then. */
  static void record(SignatureRequirement.Accepted bundle, SourceFile text, String source, Log log,
      Problems problems) {
    try {
      if (bundle.record()) {
        log.notice("There was no state file, so this bundle was accepted whatever its counter", "_rule_set", source,
            "_state", bundle.requirement().state(), "_counter", bundle.bundle().counter());
      }
      bundle.rolledBackFrom().ifPresent(before -> log.notice("Signed bundle rolled back", "_rule_set", source,
          "_counter", bundle.bundle().counter(), "_counter_before", before));
    } catch (IOException e) {
      problems
          .error(new Origin.InFile(new SourceFile(text.name(), ""), 1, 1, 1), "",
              "the bundle is refused: its counter cannot be recorded in `"
                  + bundle.requirement().state() + "`: " + FileFailure.reason(e),
              "an older bundle could be applied later");
    }
  }
}

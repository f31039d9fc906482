package portcullis.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.config.SubstitutedSource;
import portcullis.config.Yaml;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.Redaction;
import portcullis.lang.source.SourceFile;
import portcullis.policy.mechanism.RefusalStatus;
import portcullis.serve.runtime.Settings;

/** Analyzes rules: tries a request for each of their routes and methods with the code that decides in production. */
public final class Analysis {
  private Analysis() {}

  /**
   * The kinds of findings that are requested; all about the rules themselves by default.
   *
   * @param publicOnly only what is allowed without credentials
   * @param against earlier rules to compare with
   * @param openapi a document whose operations are compared with the rules
   * @param prefix before the paths of that document
   * @param upstream whose rules are listed
   * @param intents which are checked besides, and what was accepted of all findings
   */
  public record Selection(boolean publicOnly, Optional<Settings> against, Optional<SourceFile> openapi, String prefix,
      Optional<String> upstream, Intents intents) {
    public static final Selection EVERYTHING = new Selection(false, Optional.empty(), Optional.empty(), "",
        Optional.empty(), Intents.NONE);
    public static final Selection PUBLIC = new Selection(true, Optional.empty(), Optional.empty(), "", Optional.empty(),
        Intents.NONE);

    public static Selection changes(Settings old) {
      return new Selection(false, Optional.of(old), Optional.empty(), "", Optional.empty(), Intents.NONE);
    }

    /** Returns the same with intents. */
    public Selection with(Intents declared) {
      return new Selection(publicOnly, against, openapi, prefix, upstream, declared);
    }

    /** Returns whether rules that no request was found for may have findings that are missing. */
    boolean isAboutAllRules() {
      return publicOnly || against.isPresent() || everything() || !intents.intents().isEmpty();
    }

    boolean everything() {
      return !publicOnly && against.isEmpty() && openapi.isEmpty() && upstream.isEmpty();
    }

    /** Returns the kinds of findings that are looked for. */
    Set<String> kinds() {
      Set<String> out = new HashSet<>(Set.of(PublicAccess.UNDECIDED, IntentCheck.VIOLATED, IntentCheck.UNUSED));
      if (isAboutAllRules()) {
        out.add(Unreached.KIND);
      }
      if (publicOnly || everything()) {
        out.add(PublicAccess.KIND);
      }
      if (everything()) {
        out.addAll(Set.of(Unreachable.RULE, Unreachable.STEP, TaintedTemplates.KIND, ConstantOutcomes.CONSTANT,
            ConstantOutcomes.AUDIENCE, ConstantOutcomes.ISSUER, ConstantOutcomes.CACHE, OtherReadings.KIND,
            WildcardRoots.KIND));
      }
      if (against.isPresent()) {
        out.addAll(Set.of(Differences.ALLOWED, Differences.REFUSED, Differences.CHANGED));
      }
      if (openapi.isPresent()) {
        out.addAll(Set.of(Operations.WITHOUT_RULE, Operations.WITHOUT_OPERATION));
      }
      return out;
    }
  }

  /**
   * What was found.
   *
   * @param accepted findings that exceptions are for
   * @param rules how many there are
   */
  public record Outcome(List<Finding> findings, List<Review.Accepted> accepted, int rules) {
    /** Returns how many findings there are but for notes. */
    public long count() {
      return findings.stream().filter(Finding::counts).count();
    }

    /** Returns the findings of these kinds, and exceptions that are for none. */
    public Outcome only(Set<String> kinds) {
      return new Outcome(findings.stream()
          .filter(finding -> kinds.contains(finding.kind()) || finding.kind().equals(Review.STALE)).toList(), accepted,
          rules);
    }
  }

  /** Analyzes rules; empty exactly if an error was added, as for rules that cannot be read. */
  public static Optional<Outcome> run(Settings settings, Enforcement enforcement, Selection wanted, Problems problems) {
    try (OfflineDecider kernel = OfflineDecider.uncached(settings, enforcement)) {
      if (!loaded(kernel, problem -> problem.isError() || RefusalStatus.isWarning(problem), problems)) {
        return Optional.empty();
      }
      AnalyzedRules rules = new AnalyzedRules(kernel);
      List<Finding> out = new ArrayList<>(found(rules, wanted));
      out.addAll(notFetched(settings));
      if (wanted.against().isPresent()
          && !compared(wanted.against().get(), enforcement, rules, out, problems)) {
        return Optional.empty();
      }
      if (wanted.openapi().isPresent()) {
        Operations.read(wanted.openapi().get(), wanted.prefix(), problems)
            .ifPresent(operations -> out.addAll(Operations.of(rules, wanted.prefix(), operations)));
      }
      if (problems.hasErrors()) {
        return Optional.empty();
      }
      Review.Result reviewed = Review.of(out, wanted.intents(), wanted.kinds());
      return Optional.of(new Outcome(sorted(reviewed.findings()), reviewed.accepted(),
          kernel.snapshot().index().values().size()));
    }
  }

  /** Rule sets of endpoints are not fetched, which is said. */
  private static List<Finding> notFetched(Settings settings) {
    List<Finding> out = new ArrayList<>();
    settings.providers().remote().ifPresent(remote -> remote.endpoints().forEach(endpoint -> {
      LocatedText url = endpoint.url().text();
      String name = Redaction.of(url.text());
      out.add(new Finding(PublicAccess.UNDECIDED, Finding.Severity.NOTE, PublicAccess.UNDECIDED + ":" + name,
          AnalyzedRules.shown(url.at(0)), "", "the rule set of `" + name + "` is not analyzed, as nothing is fetched:"
              + " save it as a file and name it",
          "", List.of()));
    }));
    return out;
  }

  private static List<Finding> found(AnalyzedRules rules, Selection wanted) {
    List<Finding> out = new ArrayList<>(IntentCheck.of(rules, wanted.intents()));
    if (wanted.isAboutAllRules()) {
      out.addAll(Unreached.of(rules));
    }
    if (wanted.publicOnly() || wanted.everything()) {
      out.addAll(PublicAccess.of(rules));
    }
    if (wanted.everything()) {
      out.addAll(Unreachable.of(rules));
      out.addAll(TaintedTemplates.of(rules));
      out.addAll(ConstantOutcomes.of(rules));
      out.addAll(OtherReadings.of(rules));
      out.addAll(WildcardRoots.of(rules));
    }
    wanted.upstream().ifPresent(host -> out.addAll(UpstreamAccess.of(rules, host)));
    return out;
  }

  /** Returns whether a file holds rules, as such or in objects of Kubernetes, and not a configuration. */
  public static boolean isRuleSet(Path file) {
    try {
      SourceFile text = new SourceFile(file.toString(), Files.readString(file));
      return Yaml.documents(SubstitutedSource.unchanged(text), _ -> true, new Problems()).stream()
          .anyMatch(root -> root instanceof Node.Mapping mapping
              && (mapping.get("rules").isPresent() || mapping.get("apiVersion").isPresent()));
    } catch (IOException _) {
      return false; // reported when it is read as a configuration
    }
  }

  private static boolean compared(Settings old, Enforcement enforcement, AnalyzedRules rules, List<Finding> out,
      Problems problems) {
    try (OfflineDecider kernel = OfflineDecider.uncached(old, enforcement)) {
      boolean good = loaded(kernel, Problem::isError, problems);
      if (good) {
        out.addAll(Differences.of(new AnalyzedRules(kernel), rules));
      }
      return good;
    }
  }

  /** @param shown which problems are: warnings are for those who validate, but for what lets requests pass */
  private static boolean loaded(OfflineDecider kernel, Predicate<Problem> shown, Problems problems) {
    Problems found = new Problems();
    boolean good = kernel.load(found);
    found.sorted().stream().filter(shown).forEach(problems::add);
    return good;
  }

  private static List<Finding> sorted(List<Finding> findings) {
    return findings.stream().sorted(Comparator.comparing(Finding::severity).thenComparing(Finding::kind)).toList();
  }
}

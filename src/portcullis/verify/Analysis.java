package portcullis.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.serve.runtime.Settings;

/** Analyzes rules: tries a request for each of their routes and methods with the code that decides in production. */
public final class Analysis {
  private Analysis() {}

  /**
   * What is to be found; everything about the rules themselves if nothing else is named.
   *
   * @param publicOnly what is allowed without credentials
   * @param against rules of before
   * @param openapi a document whose operations are compared with the rules
   * @param prefix before the paths of that document
   * @param upstream whose rules are listed
   */
  public record Wanted(boolean publicOnly, Optional<Settings> against, Optional<SourceFile> openapi, String prefix,
      Optional<String> upstream) {
    public static final Wanted EVERYTHING = new Wanted(false, Optional.empty(), Optional.empty(), "",
        Optional.empty());
    public static final Wanted PUBLIC = new Wanted(true, Optional.empty(), Optional.empty(), "", Optional.empty());

    public static Wanted changes(Settings old) {
      return new Wanted(false, Optional.of(old), Optional.empty(), "", Optional.empty());
    }

    boolean everything() {
      return !publicOnly && against.isEmpty() && openapi.isEmpty() && upstream.isEmpty();
    }
  }

  /** @param rules how many there are */
  public record Outcome(List<Finding> findings, int rules) {
    /** Returns how many findings there are but for notes. */
    public long count() {
      return findings.stream().filter(Finding::counts).count();
    }
  }

  /** Empty exactly if an error was added, as for rules that cannot be read. */
  public static Optional<Outcome> run(Settings settings, Enforcement enforcement, Wanted wanted, Problems problems) {
    try (Kernel kernel = Kernel.uncached(settings, enforcement)) {
      if (!loaded(kernel, problems)) {
        return Optional.empty();
      }
      AnalyzedRules rules = new AnalyzedRules(kernel);
      List<Finding> out = new ArrayList<>();
      if (wanted.publicOnly() || wanted.everything()) {
        out.addAll(PublicAccess.of(rules));
      }
      if (wanted.everything()) {
        out.addAll(Unreachable.of(rules));
        out.addAll(TaintedTemplates.of(rules));
        out.addAll(Settled.of(rules));
      }
      if (wanted.against().isPresent()
          && !compared(wanted.against().get(), enforcement, rules, out, problems)) {
        return Optional.empty();
      }
      if (wanted.openapi().isPresent()) {
        Operations.read(wanted.openapi().get(), wanted.prefix(), problems)
            .ifPresent(operations -> out.addAll(Operations.of(rules, wanted.prefix(), operations)));
      }
      wanted.upstream().ifPresent(host -> out.addAll(UpstreamAccess.of(rules, host)));
      if (problems.hasErrors()) {
        return Optional.empty();
      }
      return Optional.of(new Outcome(sorted(out), kernel.snapshot().index().values().size()));
    }
  }

  /** Returns whether a file holds rules, and not a configuration. */
  public static boolean isRuleSet(Path file) {
    try {
      return Yaml.read(new SourceFile(file.toString(), Files.readString(file)), new Problems())
          .filter(root -> root instanceof Node.Mapping mapping && mapping.get("rules").isPresent()).isPresent();
    } catch (IOException _) {
      return false; // reported when it is read as a configuration
    }
  }

  private static boolean compared(Settings old, Enforcement enforcement, AnalyzedRules rules, List<Finding> out,
      Problems problems) {
    try (Kernel kernel = Kernel.uncached(old, enforcement)) {
      boolean good = loaded(kernel, problems);
      if (good) {
        out.addAll(Differences.of(new AnalyzedRules(kernel), rules));
      }
      return good;
    }
  }

  /** Warnings are for those who validate. */
  private static boolean loaded(Kernel kernel, Problems problems) {
    Problems found = new Problems();
    boolean good = kernel.load(found);
    found.sorted().stream().filter(Problem::isError).forEach(problems::add);
    return good;
  }

  private static List<Finding> sorted(List<Finding> findings) {
    return findings.stream().sorted(Comparator.comparing(Finding::severity).thenComparing(Finding::kind)).toList();
  }
}

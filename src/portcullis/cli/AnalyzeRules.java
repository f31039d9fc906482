package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;
import portcullis.serve.runtime.Version;
import portcullis.verify.Analysis;
import portcullis.verify.AnalysisReport;
import portcullis.verify.Finding;
import portcullis.verify.Intents;

/** Analyzes rules before they are used. */
final class AnalyzeRules {
  static final String DOC = "Finds what rules allow and what never runs, with a request that shows it.";
  static final String OPERANDS = "[<file or folder>]";

  private static final String PUBLIC = "--public";
  private static final String AGAINST = "--against";
  private static final String OPENAPI = "--openapi";
  private static final String PREFIX = "--prefix";
  private static final String UPSTREAM = "--upstream";
  private static final String INTENTS = "--intents";
  private static final String ONLY = "--only";
  private static final String FORMAT = "--output";
  static final List<Arguments.Option> OPTIONS = Flags.with(
      new Arguments.Option(PUBLIC, "", "", "only what is allowed without valid credentials"),
      new Arguments.Option(AGAINST, "", "OLD",
          "only what changes: OLD is a file or folder of rules, or a configuration"),
      new Arguments.Option(OPENAPI, "", "FILE", "only operations without a rule, and rules without an operation"),
      new Arguments.Option(PREFIX, "", "PATH", "before the paths of the OpenAPI document"),
      new Arguments.Option(UPSTREAM, "", "HOST", "only which rules reach this upstream, and as whom"),
      new Arguments.Option(INTENTS, "", "FILE", "violated intents besides, and which findings are accepted"),
      new Arguments.Option(ONLY, "", "KIND,…", "only findings of these kinds; may be repeated").repeated(),
      new Arguments.Option(FORMAT, "-o", "text|json|sarif", "how findings are written"));

  private final Console console;

  AnalyzeRules(Console console) {
    this.console = console;
  }

  /** 0 without findings, 1 with some, 2 where the rules could not be analyzed. */
  int run(Arguments arguments) throws Arguments.UsageException {
    if (arguments.value(Flags.CONFIG).isEmpty()) {
      throw new Arguments.UsageException("no config file provided: name one by `-c FILE`");
    }
    if (arguments.rest().size() > 1) {
      throw new Arguments.UsageException(
          "`" + arguments.rest().get(1) + "` is not expected here: name one file or folder");
    }
    Set<String> only = only(arguments);
    Problems problems = new Problems();
    Optional<Settings> settings = Flags.configuration(arguments).settings(problems)
        .flatMap(read -> rules(read, arguments.rest().stream().findFirst(), problems));
    Optional<Settings> old = arguments.value(AGAINST).isEmpty() || settings.isEmpty() ? Optional.empty()
        : old(arguments, settings.get(), problems);
    Optional<SourceFile> openapi = arguments.value(OPENAPI).flatMap(name -> file(name, problems));
    Optional<Intents> intents = arguments.value(INTENTS).flatMap(name -> file(name, problems))
        .flatMap(text -> Intents.read(text, problems));
    Optional<Analysis.Outcome> outcome = problems.hasErrors() ? Optional.empty()
        : settings.flatMap(read -> Analysis.run(read, Flags.enforcement(arguments),
            new Analysis.Selection(arguments.on(PUBLIC), old, openapi, arguments.value(PREFIX).orElse(""),
                arguments.value(UPSTREAM), intents.orElse(Intents.NONE)),
            problems))
            .map(found -> only.isEmpty() ? found : found.only(only));
    console.show(problems);
    String format = arguments.value(FORMAT).orElse("text");
    if (outcome.isEmpty()) {
      console.say(format.equals("json"), problems);
      return 2;
    }
    console.say(switch (format) {
      case "json" -> AnalysisReport.json(outcome.get());
      case "sarif" -> AnalysisReport.sarif(outcome.get(), Version.current());
      default -> AnalysisReport.text(outcome.get());
    });
    return outcome.get().count() == 0 ? 0 : 1;
  }

  private static Set<String> only(Arguments arguments) throws Arguments.UsageException {
    Set<String> kinds = new LinkedHashSet<>();
    for (String list : arguments.values(ONLY)) {
      for (String kind : list.split(",")) {
        if (!Finding.KINDS.contains(kind)) {
          throw new Arguments.UsageException("unknown kind `" + kind + "`, " + Nearest.hint(kind, Finding.KINDS));
        }
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private static Optional<SourceFile> file(String name, Problems problems) {
    try {
      return Optional.of(new SourceFile(name, Files.readString(Path.of(name))));
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot read `" + name + "`: " + FileFailure.reason(e), "");
      return Optional.empty();
    }
  }

  private static Optional<Settings> rules(Settings settings, Optional<String> named, Problems problems) {
    if (named.isEmpty()) {
      return Optional.of(settings);
    }
    if (!Files.exists(Path.of(named.get()))) {
      problems.error(Origin.BUILT_IN, "", "there is no file or folder `" + named.get() + "`", "");
      return Optional.empty();
    }
    return Optional.of(settings.withRules(Path.of(named.get())));
  }

  /** A file that is not a rule set is a configuration. */
  private static Optional<Settings> old(Arguments arguments, Settings settings, Problems problems) {
    String name = arguments.value(AGAINST).orElseThrow();
    if (!Files.isRegularFile(Path.of(name)) || Analysis.isRuleSet(Path.of(name))) {
      return rules(settings, Optional.of(name), problems);
    }
    return new ConfigurationFile(Optional.of(name), EnvironmentOverrides.ofProcess(arguments.value(Flags.PREFIX)),
        Flags.enforcement(arguments)).settings(problems);
  }
}

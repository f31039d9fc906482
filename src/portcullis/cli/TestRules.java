package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;
import portcullis.verify.Report;
import portcullis.verify.Suite;

/** Runs the test cases of rules. */
final class TestRules {
  static final String DOC = "Runs the test cases of rules, without a network.";
  static final String OPERANDS = "<file or folder>…";

  private static final String RUN = "--run";
  private static final String COVERAGE = "--coverage";
  private static final String FILE = "--coverage-file";
  private static final String WATCH = "--watch";
  private static final String FORMAT = "--output";
  static final List<Arguments.Option> OPTIONS = Flags.with(
      new Arguments.Option(RUN, "", "GLOB", "only cases with such a name, `*` for any part"),
      new Arguments.Option(COVERAGE, "", "[MIN]", "what of the rules was tried; fails below MIN percent"),
      new Arguments.Option(FILE, "", "FILE",
          "writes what was tried of each rule, for management.console.coverage_file"),
      new Arguments.Option(WATCH, "", "", "runs the cases again whose files, rules or configuration change, until ^C"),
      new Arguments.Option(FORMAT, "-o", "text|junit|tap|json", "how results are written"));

  private final Console console;

  TestRules(Console console) {
    this.console = console;
  }

  /** 0 where all cases passed, 1 where some failed, 2 where they could not be run. */
  int run(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().isEmpty()) {
      throw new Arguments.UsageException("name a test file, or a folder with files that end with `_test.yaml`");
    }
    int least = least(arguments);
    if (arguments.has(FILE) && (arguments.has(RUN) || arguments.on(WATCH))) {
      throw new Arguments.UsageException("`" + FILE + "` is written by all cases: leave out `" + RUN + "` and `" + WATCH
          + "`");
    }
    if (!arguments.on(WATCH)) {
      Problems problems = new Problems();
      return run(arguments, Suite.files(arguments.rest(), problems), least, problems).status();
    }
    if (!arguments.value(FORMAT).orElse("text").equals("text")) {
      throw new Arguments.UsageException("`" + WATCH + "` writes for people only: leave out `" + FORMAT + "`");
    }
    Optional<Path> config = Flags.configuration(arguments).path();
    return new TestWatch(console, arguments.rest(), config, arguments.has(COVERAGE),
        (files, problems) -> run(arguments, files, least, problems)).run();
  }

  /** Runs the cases of these files; only reports the problems where there are errors already. */
  private TestWatch.Round run(Arguments arguments, List<Path> files, int least, Problems problems) {
    Map<Optional<Path>, Optional<Settings>> read = new HashMap<>();
    Suite suite = new Suite(path -> read.computeIfAbsent(path, p -> settings(arguments, p, problems)),
        Flags.enforcement(arguments), problems);
    Optional<Suite.Outcome> outcome = Optional.empty();
    try {
      outcome = problems.hasErrors() ? Optional.empty() : suite.run(files, arguments.value(RUN).orElse(""));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (problems.errors() == 0 && outcome.filter(ran -> ran.results().isEmpty()).isPresent()) {
      problems.error(Origin.BUILT_IN, "", "no case has a name like `" + arguments.value(RUN).orElse("") + "`", "");
      outcome = Optional.empty();
    }
    console.show(problems);
    if (outcome.isEmpty()) {
      console.say(arguments.value(FORMAT).filter("json"::equals).isPresent(), problems);
    }
    return new TestWatch.Round(outcome.isEmpty() ? 2 : status(arguments, outcome.get(), least), suite.sources());
  }

  private int status(Arguments arguments, Suite.Outcome outcome, int least) {
    boolean covered = arguments.has(COVERAGE);
    boolean enough = !covered || outcome.coverage().percent() >= least;
    say(arguments, outcome, covered);
    if (!enough) {
      console.complain("coverage is " + outcome.coverage().percent() + " %, at least " + least + " % is wanted");
    }
    boolean written = arguments.value(FILE).isEmpty() || write(arguments.value(FILE).get(), outcome);
    return !written ? 2 : outcome.failed() == 0 && enough ? 0 : 1;
  }

  /** Writes a new file in place of one that may be read just now. */
  private boolean write(String name, Suite.Outcome outcome) {
    try {
      ReplacedFile.check(Path.of(name));
      Path draft = Path.of(name + ".new");
      ReplacedFile.check(draft);
      Files.writeString(draft, JsonText.plain(outcome.coverage().tested(Instant.now()).document()) + "\n");
      Files.move(draft, Path.of(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return true;
    } catch (IOException e) {
      console.complain("cannot write `" + name + "`: " + FileFailure.reason(e));
      return false;
    }
  }

  private void say(Arguments arguments, Suite.Outcome outcome, boolean covered) {
    String format = arguments.value(FORMAT).orElse("text");
    switch (format) {
      case "junit" -> console.say(Report.junit(outcome));
      case "tap" -> console.say(Report.tap(outcome));
      case "json" -> console.say(Report.json(outcome, covered));
      default -> console.say(Report.text(outcome));
    }
    if (covered && format.equals("text")) {
      console.say(Report.coverage(outcome.coverage()));
    }
  }

  private static int least(Arguments arguments) throws Arguments.UsageException {
    String text = arguments.value(COVERAGE).orElse("");
    try {
      int least = text.isEmpty() ? 0 : Integer.parseInt(text);
      if (least >= 0 && least <= 100) {
        return least;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw new Arguments.UsageException("`" + COVERAGE + "` takes a percentage, like `" + COVERAGE + "=90`");
  }

  private static Optional<Settings> settings(Arguments arguments, Optional<Path> path, Problems problems) {
    ConfigurationFile file = path.isEmpty() ? Flags.configuration(arguments)
        : new ConfigurationFile(path.map(Path::toString),
            EnvironmentOverrides.ofProcess(arguments.value(Flags.PREFIX)), Flags.enforcement(arguments));
    return file.settings(problems);
  }
}

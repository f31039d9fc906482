package portcullis.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.serve.runtime.Settings;
import portcullis.verify.Replay;
import portcullis.verify.ReplayReport;

/** Decides the requests of a decision log again by other rules. */
final class ReplayLog {
  static final String DOC = "Decides the requests of a decision log by new rules, and shows what changes.";
  static final String OPERANDS = "<decision log>…";

  private static final String RULES = "--rules";
  private static final String KEY = "--key";
  private static final String STRICT = "--strict";
  static final List<Arguments.Option> OPTIONS = Flags.with(
      new Arguments.Option(RULES, "", "NEW", "file or folder of the new rules; by default those of the configuration"),
      new Arguments.Option(KEY, "", "FILE", "the key of sealed requests, `decision_log.seal_key`"),
      new Arguments.Option(STRICT, "", "",
          "exit with status 1 on undecided, missing and unopened requests, and on a damaged audit chain, too"),
      Flags.OUTPUT);

  private final Console console;

  ReplayLog(Console console) {
    this.console = console;
  }

  /** 0 if nothing is newly allowed, 1 if something is, or is undecided and that counts, 2 if there was no replay. */
  int run(Arguments arguments) throws Arguments.UsageException {
    if (arguments.value(Flags.CONFIG).isEmpty()) {
      throw new Arguments.UsageException("no config file provided: name one by `-c FILE`");
    }
    if (arguments.rest().isEmpty()) {
      throw new Arguments.UsageException("name a file of the decision log");
    }
    Problems problems = new Problems();
    Optional<SymmetricKey> key = arguments.value(KEY).flatMap(name -> key(name, problems));
    Optional<Settings> settings = Flags.configuration(arguments).settings(problems)
        .flatMap(read -> rules(read, arguments.value(RULES), problems));
    Optional<Replay.Outcome> outcome = problems.hasErrors() ? Optional.empty()
        : settings.flatMap(read -> Replay.run(read, Flags.enforcement(arguments),
            arguments.rest().stream().map(Path::of).toList(), key, problems));
    boolean json = Flags.json(arguments);
    console.show(problems);
    outcome.ifPresentOrElse(result -> console.say(json ? ReplayReport.json(result) : ReplayReport.text(result)),
        () -> console.say(json, problems));
    return outcome.map(result -> status(result, arguments.on(STRICT))).orElse(2);
  }

  private static int status(Replay.Outcome outcome, boolean strict) {
    boolean incomplete = outcome.count(Replay.Change.UNDECIDED) > 0 || outcome.lost() > 0 || outcome.unreadable() > 0
        || outcome.unopened() > 0 || outcome.damaged();
    return outcome.count(Replay.Change.NEWLY_ALLOWED) > 0 || strict && incomplete ? 1 : 0;
  }

  private static Optional<SymmetricKey> key(String name, Problems problems) {
    try {
      return Optional.of(SymmetricKey.read(Path.of(name)));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, LocatedText.of(KEY, name), problems);
      return Optional.empty();
    }
  }

  private static Optional<Settings> rules(Settings settings, Optional<String> named, Problems problems) {
    if (named.isPresent() && !Files.exists(Path.of(named.get()))) {
      problems.error(Origin.BUILT_IN, "", "there is no file or folder `" + named.get() + "`", "");
      return Optional.empty();
    }
    return Optional.of(named.map(path -> settings.withRules(Path.of(path))).orElse(settings));
  }
}

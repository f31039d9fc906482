package portcullis.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Durations;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;
import portcullis.serve.debug.DebugToken;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.ListenerSettings;
import portcullis.verify.RuleNames;

/** Signs tokens with which requests of one rule are explained. */
final class DebugTokenCommand {
  static final String DOC = "Signs a token with which requests of one rule are explained, for a while.";

  private static final String RULE = "--rule";
  private static final String FOR = "--for";
  private static final String KEY = "--key";
  private static final Duration DEFAULT = Duration.ofMinutes(10);
  private static final int LONGEST_ID = 256;

  static final List<Arguments.Option> OPTIONS = List.of(
      new Arguments.Option(RULE, "", "ID", "the rule whose requests are explained"),
      new Arguments.Option(FOR, "", "DURATION", "how long, as 10m, which is the default, and 24h at most"),
      new Arguments.Option(KEY, "", "FILE",
          "the key of management.debug.key_file, by default that of the configuration"),
      new Arguments.Option(Flags.CONFIG, "-c", "FILE", "the configuration of the service"),
      ManagementService.PREFIX_OPTION);

  private final Console console;

  DebugTokenCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    String rule = arguments.value(RULE).filter(id -> !id.isBlank() && id.length() <= LONGEST_ID)
        .orElseThrow(() -> new Arguments.UsageException("name the rule by its id: " + RULE + " orders"));
    Duration time = arguments.has(FOR)
        ? Durations.parse(arguments.value(FOR).orElse(""))
            .filter(one -> one.toSeconds() > 0 && one.compareTo(DebugToken.LONGEST) <= 0)
            .orElseThrow(() -> new Arguments.UsageException("`" + FOR + "` is a duration of 1s to 24h, as 10m"))
        : DEFAULT;
    try {
      Optional<Settings> settings = arguments.has(Flags.CONFIG) ? settings(arguments) : Optional.empty();
      if (arguments.has(Flags.CONFIG) && settings.isEmpty()) {
        return 1;
      }
      Path file = key(arguments, settings);
      Optional<String> unknown = settings.flatMap(RuleNames::of).filter(names -> !names.contains(rule))
          .map(names -> Nearest.hint(rule, names));
      if (unknown.isPresent()) {
        console.complain("the configuration has no rule `" + rule + "`: " + unknown.get());
        return 1;
      }
      if (settings.isPresent() && isAnother(file, settings.get())) {
        console.complain("the key in `" + file + "` is not that of management.debug.key_file: the service would not "
            + "accept the token; leave out `" + KEY + "`, or name the key of the service");
        return 1;
      }
      Instant now = Instant.now();
      console.say(new DebugToken(rule, now, now.plus(time)).signed(SymmetricKey.read(file)));
      return 0;
    } catch (KeyMaterialException e) {
      console.complain(e.getMessage());
      return 1;
    } catch (InvalidPathException e) {
      throw new Arguments.UsageException("`" + KEY + "` is not the path of a file");
    }
  }

  private static Path key(Arguments arguments, Optional<Settings> settings) throws Arguments.UsageException {
    if (arguments.has(KEY)) {
      return Path.of(arguments.value(KEY).orElseThrow());
    }
    Settings read = settings.orElseThrow(
        () -> new Arguments.UsageException("name the key by `" + KEY + " FILE` or `" + Flags.CONFIG + " FILE`"));
    return Path.of(read.management().get(ListenerSettings.DEBUG).orElseThrow(() -> new Arguments.UsageException(
        "the configuration has no management.debug.key_file; name the key by `" + KEY + " FILE`")).keyFile().text());
  }

  /** Returns whether the configuration has another key; one that cannot be read here may be the same. */
  private static boolean isAnother(Path file, Settings settings) throws KeyMaterialException {
    Optional<Path> own = settings.management().get(ListenerSettings.DEBUG)
        .map(debug -> Path.of(debug.keyFile().text()));
    return own.filter(Files::isReadable).filter(Files::isRegularFile).isPresent()
        && !LockCommands.keyText(own.get()).equals(LockCommands.keyText(file));
  }

  /** Returns the configuration; empty if it has errors, which are printed. */
  private Optional<Settings> settings(Arguments arguments) {
    Problems problems = new Problems();
    Optional<Settings> settings = new ConfigurationFile(arguments.value(Flags.CONFIG),
        EnvironmentOverrides.ofProcess(arguments.value(Flags.PREFIX)), Enforcement.NONE).settings(problems);
    if (settings.isEmpty()) {
      console.show(problems);
    }
    return settings;
  }
}

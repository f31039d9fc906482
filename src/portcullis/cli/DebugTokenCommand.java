package portcullis.cli;

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
import portcullis.lang.source.Problems;
import portcullis.serve.debug.DebugSettings;
import portcullis.serve.debug.DebugToken;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.ListenerSettings;

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
      Optional<Path> file = key(arguments);
      if (file.isEmpty()) {
        return 1;
      }
      Instant now = Instant.now();
      console.say(new DebugToken(rule, now, now.plus(time)).signed(SymmetricKey.read(file.get())));
      return 0;
    } catch (KeyMaterialException e) {
      console.complain(e.getMessage());
      return 1;
    } catch (InvalidPathException e) {
      throw new Arguments.UsageException("`" + KEY + "` is not the path of a file");
    }
  }

  /** Returns the file of the key; empty if the configuration has errors, which are printed. */
  private Optional<Path> key(Arguments arguments) throws Arguments.UsageException {
    if (arguments.has(KEY)) {
      return arguments.value(KEY).map(Path::of);
    }
    if (!arguments.has(Flags.CONFIG)) {
      throw new Arguments.UsageException("name the key by `" + KEY + " FILE` or `" + Flags.CONFIG + " FILE`");
    }
    Problems problems = new Problems();
    Optional<Settings> settings = new ConfigurationFile(arguments.value(Flags.CONFIG),
        EnvironmentOverrides.ofProcess(arguments.value(Flags.PREFIX)), Enforcement.NONE).settings(problems);
    if (settings.isEmpty()) {
      console.show(problems);
      return Optional.empty();
    }
    Optional<DebugSettings> debug = settings.get().management().get(ListenerSettings.DEBUG);
    return Optional.of(Path.of(debug.orElseThrow(() -> new Arguments.UsageException(
        "the configuration has no management.debug.key_file; name the key by `" + KEY + " FILE`")).keyFile().text()));
  }
}

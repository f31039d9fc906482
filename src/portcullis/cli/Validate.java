package portcullis.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.UnreadableFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.serve.runtime.CertificateChecks;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.Program;
import portcullis.serve.runtime.RuleCheck;
import portcullis.serve.runtime.Settings;
import portcullis.serve.runtime.Telemetry;
import portcullis.serve.runtime.WrittenFiles;
import portcullis.verify.WildcardRoots;

/** Checks configurations and rule sets without listening or calling remote services. */
final class Validate {
  static final Arguments.Option PROXY_MODE = new Arguments.Option("--proxy-mode", "", "", "every rule needs an "
      + "upstream");

  private final Console console;

  Validate(Console console) {
    this.console = console;
  }

  int config(Arguments arguments) throws Arguments.UsageException {
    Problems problems = checked(arguments, Optional.empty(), true);
    return report(arguments, problems, "Configuration is valid");
  }

  int rules(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() != 1) {
      throw new Arguments.UsageException("exactly one file or folder of rules is needed");
    }
    Path rules = Path.of(arguments.rest().getFirst());
    if (isConfiguration(arguments, rules)) {
      throw new Arguments.UsageException(
          "`" + rules + "` is the configuration: name a file or folder of rules");
    }
    return report(arguments, checked(arguments, Optional.of(rules), false), "Rule set is valid");
  }

  private static boolean isConfiguration(Arguments arguments, Path rules) {
    try {
      return arguments.has(Flags.CONFIG) && Files.isSameFile(Path.of(arguments.value(Flags.CONFIG).get()), rules);
    } catch (IOException _) {
      return false; // which is reported when it is read
    }
  }

  /**
   * @param named rules instead of those of the configuration
   * @param written whether files that services write are checked
   */
  private static Problems checked(Arguments arguments, Optional<Path> named, boolean written)
      throws Arguments.UsageException {
    if (arguments.value(Flags.CONFIG).isEmpty()) {
      throw new Arguments.UsageException("no config file provided: name one by `-c FILE`");
    }
    Problems problems = new Problems();
    Optional<Path> rules = named.filter(Files::exists);
    named.filter(_ -> rules.isEmpty()).ifPresent(
        path -> problems.error(Origin.BUILT_IN, "", "no such file or folder: " + UnreadableFile.shown(path), ""));
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream())) {
      Log log = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, InstantSource.system(), "");
      boolean isMissing = named.isPresent() && rules.isEmpty();
      boolean proxy = arguments.on(PROXY_MODE.name());
      ConfigurationFile file = Flags.configuration(arguments);
      Optional<Settings> settings = isMissing ? file.settings(problems)
          : file.settings(new RuleCheck(proxy, rules), problems);
      Optional<Program> program = settings.map(s -> rules.map(s::withRules).orElse(s))
          .map(s -> Program.make(s, Flags.enforcement(arguments), proxy, log, InstantSource.system(),
              (cache, _) -> new EndpointClient(Validate::unreachable, cache), problems));
      settings.filter(_ -> written).ifPresent(s -> WrittenFiles.check(s, problems));
      settings.ifPresent(s -> CertificateChecks.check(s, true, problems));
      settings.ifPresent(s -> Telemetry.check(s, System.getenv(), problems));
      Problems elsewhere = problems.elsewhere();
      program.filter(_ -> !isMissing).ifPresent(p -> p.load(elsewhere));
      program.filter(_ -> !elsewhere.hasErrors())
          .ifPresent(p -> WildcardRoots.warn(p.reloader().snapshot(), elsewhere));
      program.ifPresent(Program::close);
      return elsewhere;
    }
  }

  private static HttpClient unreachable() {
    throw new IllegalStateException("validation calls no remote service");
  }

  private int report(Arguments arguments, Problems problems, String good) {
    if (Flags.json(arguments)) {
      console.say(ProblemsJson.of(problems));
    } else {
      console.show(problems);
      if (!problems.hasErrors()) {
        console.note(good);
      }
    }
    return problems.hasErrors() ? 1 : 0;
  }
}

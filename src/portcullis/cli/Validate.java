package portcullis.cli;

import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.serve.provider.FileSystem;
import portcullis.serve.runtime.Program;

/** Checks configurations and rule sets without listening or calling anybody. */
final class Validate {
  static final Arguments.Option PROXY_MODE = new Arguments.Option("--proxy-mode", "", "", "every rule needs an "
      + "upstream");

  private final Console console;

  Validate(Console console) {
    this.console = console;
  }

  int config(Arguments arguments) throws Arguments.UsageException {
    Problems problems = new Problems();
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream())) {
      checked(arguments, false, silent(nowhere), problems).ifPresent(Program::close);
    }
    return told(arguments, problems, "Configuration is valid");
  }

  int rules(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() != 1) {
      throw new Arguments.UsageException("exactly one file or folder of rules is needed");
    }
    Problems problems = new Problems();
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream())) {
      Log log = silent(nowhere);
      Optional<Program> program = checked(arguments, arguments.on(PROXY_MODE.name()), log, problems);
      rules(Path.of(arguments.rest().getFirst()), program, log, problems);
      program.ifPresent(Program::close);
    }
    return told(arguments, problems, "Rule set is valid");
  }

  private static void rules(Path path, Optional<Program> program, Log log, Problems problems) {
    if (!Files.exists(path)) {
      problems.error(Origin.BUILT_IN, "", "no such file or folder: `" + path + "`", "");
    } else if (program.isPresent() && !problems.hasErrors()) {
      program.get().reloader().begin(new FileSystem(path, log).load(Origin.BUILT_IN, problems),
          problems);
    }
  }

  private Optional<Program> checked(Arguments arguments, boolean proxy, Log log, Problems problems)
      throws Arguments.UsageException {
    if (arguments.value(Flags.CONFIG).isEmpty()) {
      throw new Arguments.UsageException("no config file provided: name one by `-c FILE`");
    }
    Enforcement enforcement = Flags.enforcement(arguments);
    InstantSource clock = InstantSource.system();
    return Flags.configuration(arguments).settings(problems)
        .map(settings -> Program.make(settings, enforcement, proxy, log, clock,
            (cache, _) -> new EndpointClient(Validate::nobody, cache), problems));
  }

  private static HttpClient nobody() {
    throw new IllegalStateException("checking calls nobody");
  }

  private static Log silent(LogWriter nowhere) {
    return new Log(Level.DISABLED, LogFormat.TEXT, nowhere, InstantSource.system(), "");
  }

  private int told(Arguments arguments, Problems problems, String good) {
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

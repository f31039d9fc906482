package portcullis.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.cli.Arguments.UsageException;
import portcullis.config.Enforcement;
import portcullis.demo.Addresses;
import portcullis.demo.Decisions;
import portcullis.demo.DemoFiles;
import portcullis.demo.Guide;
import portcullis.demo.World;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;
import portcullis.serve.explain.Explanation;
import portcullis.serve.explain.SecretMask;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.ServeOptions;
import portcullis.serve.runtime.Server;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.DryRun;
import portcullis.serve.service.StatusSource;
import portcullis.verify.RulePositions;

/** Runs the proxy with the demonstration's configuration, and the services of its small world around it. */
final class DemoRun {
  private static final int HIGHEST_PORT = 65535;

  private final Console console;

  DemoRun(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws UsageException {
    Addresses addresses;
    try {
      addresses = addresses(arguments);
    } catch (IOException e) {
      console.complain(e.getMessage());
      return 1;
    }
    try (DemoFiles files = DemoFiles.of(file(arguments, DemoCommand.CONFIG), file(arguments, DemoCommand.RULES),
        Path.of("").toAbsolutePath(), Path.of(System.getProperty("java.home"), "share"));
        World world = World.start(addresses, files.config(), files.rules())) {
      // for a signal that comes before anything can be drained
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
        world.removeFiles();
        files.removeTemporary();
      }));
      SourceFile text = new SourceFile(files.config().toString(), Files.readString(files.config()));
      return serve(text, world, files.note());
    } catch (IOException e) {
      console.complain(reason(e) + " (see `portcullis help demo` for other files and ports)");
      return 1;
    }
  }

  private int serve(SourceFile configuration, World world, String note) {
    Problems problems = new Problems();
    Optional<Settings> settings = Settings.read(configuration, overrides(world), Enforcement.NONE, problems);
    if (settings.isEmpty()) {
      console.show(problems);
      return 1;
    }
    ServeOptions options = new ServeOptions(ServeOptions.MainService.PROXY, Enforcement.NONE,
        List.of(Flags.INSECURE.getFirst().name()), Optional.empty(),
        Optional.of((outcome, match, steps) -> record(outcome, match, steps, world.insight().decisions())));
    return new Server(options, new Events(console, world, note)).run(settings.get(), problems);
  }

  /** Records how a request was decided, as {@code explain} shows it. */
  private static void record(DryRun.Outcome outcome, Optional<Match<Rule>> match, List<StepReport> steps,
      Decisions decisions) {
    outcome.request().ifPresent(request -> {
      DryRun.Draft draft = new DryRun.Draft(request.method(), request.url().text(), request.fields(),
          InetAddress.getLoopbackAddress(), new byte[0]);
      String text = new Explanation(draft, outcome, match, List.of(), steps,
          rule -> new RulePositions().of(rule).orElse(rule.source()), SecretMask.of(draft)).text();
      request.fields().first("X-Request-Id").ifPresent(id -> decisions.add(id,
          new Decisions.Decided(request.path().canonical(), outcome.allowed(), text.lines().toList())));
    });
  }

  private static Optional<Path> file(Arguments arguments, String option) throws UsageException {
    try {
      return arguments.value(option).map(Path::of);
    } catch (InvalidPathException e) {
      throw new UsageException("`" + option + "` is not a file name: " + e.getReason());
    }
  }

  private static Addresses addresses(Arguments arguments) throws UsageException, IOException {
    Addresses defaults = Addresses.DEFAULT;
    int proxy = port(arguments, DemoCommand.PORT, defaults.proxy(), 0);
    int management = port(arguments, DemoCommand.MANAGEMENT_PORT, defaults.management(), 1);
    int world = port(arguments, DemoCommand.WORLD_PORT, defaults.upstream(), 1);
    if (proxy == 0) {
      return Addresses.free();
    }
    Addresses chosen = Addresses.of(proxy, management, world);
    if (chosen.relations() > HIGHEST_PORT || new HashSet<>(chosen.all()).size() < chosen.all().size()) {
      throw new UsageException(
          "the ports " + chosen.all() + " do not go together: each is needed once, and none is above " + HIGHEST_PORT);
    }
    return chosen;
  }

  private static int port(Arguments arguments, String option, int otherwise, int least) throws UsageException {
    Optional<String> text = arguments.value(option);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int port = Integer.parseInt(text.get());
      if (port >= least && port <= HIGHEST_PORT) {
        return port;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw new UsageException("`" + option + "` is a port, a number from " + least + " to " + HIGHEST_PORT);
  }

  /** Shows the guide once requests can come, and ends the world with the services. */
  private static final class Events extends Serve.Events {
    private final Console console;
    private final World world;
    private final String note;

    Events(Console console, World world, String note) {
      this.note = note;
      super(console);
      this.console = console;
      this.world = world;
    }

    @Override
    public void started(StatusSource status) {
      world.insight().errorsFrom(() -> status.report().ruleSets().stream().filter(set -> !set.last().applied())
          .flatMap(set -> set.last().problems().stream()).toList());
      welcome(console, world.guide(), note);
    }

    @Override
    public void ended() {
      world.close();
    }
  }

  /** The variables of the world win over the environment, which overrides no settings here. */
  private static EnvironmentOverrides overrides(World world) {
    Map<String, String> variables = new HashMap<>(System.getenv());
    variables.putAll(world.variables());
    return new EnvironmentOverrides(variables, List.of());
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no file `" + missing.getFile() + "`";
      case CharacterCodingException _ -> "the configuration or the rules are no UTF-8 text";
      default -> e.getMessage();
    };
  }

  private static void welcome(Console console, Guide guide, String note) {
    StringBuilder out = new StringBuilder("\nPortcullis guards a service. Open it in a browser:\n\n  ")
        .append(guide.start())
        .append("\n\nOr ask it from another terminal:\n");
    guide.lines()
        .forEach(line -> out.append("\n  # ").append(line.about()).append("\n  ").append(line.command()).append('\n'));
    out.append("\nIts configuration is in ").append(guide.config())
        .append(", which is read at the start.\nIts rules are in ")
        .append(guide.rules()).append(": change them while it runs, and look again.\n");
    if (!note.isEmpty()) {
      out.append(note).append(".\n");
    }
    console.say(out.append("Ctrl-C ends it.\n").toString());
  }
}

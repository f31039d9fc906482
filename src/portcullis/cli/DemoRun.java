package portcullis.cli;

import java.io.IOException;
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
import portcullis.demo.Guide;
import portcullis.demo.World;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.ServeOptions;
import portcullis.serve.runtime.Server;
import portcullis.serve.runtime.Settings;

/** Runs the proxy with the demonstration's configuration, and the services of its small world around it. */
final class DemoRun {
  private static final int HIGHEST_PORT = 65535;
  private static final String CONFIG = "config/demo.yaml";
  private static final String RULES = "rules/demo.yaml";

  private final Console console;

  DemoRun(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws UsageException {
    Path home = home();
    Path config = file(arguments, DemoCommand.CONFIG, home.resolve(CONFIG));
    Path rules = file(arguments, DemoCommand.RULES, home.resolve(RULES));
    try (World world = World.start(addresses(arguments), rules)) {
      // for a signal that comes before anything can be drained
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(world::removeFiles));
      return serve(new SourceFile(config.toString(), Files.readString(config)), world);
    } catch (IOException e) {
      console.complain(reason(e) + " (see `portcullis help demo` for other files and ports)");
      return 1;
    }
  }

  private int serve(SourceFile configuration, World world) {
    Problems problems = new Problems();
    Optional<Settings> settings = Settings.read(configuration, overrides(world), Enforcement.NONE, problems);
    if (settings.isEmpty()) {
      console.show(problems);
      return 1;
    }
    ServeOptions options = new ServeOptions(ServeOptions.MainService.PROXY, Enforcement.NONE,
        List.of(Flags.INSECURE.getFirst().name()), Optional.empty());
    return new Server(options, new Events(console, world)).run(settings.get(), problems);
  }

  /** Where the set-up is: the working folder if it has both files, as the project's has, else the image. */
  private static Path home() {
    Path here = Path.of("");
    boolean both = Files.isRegularFile(here.resolve(CONFIG)) && Files.isRegularFile(here.resolve(RULES));
    return both ? here : Path.of(System.getProperty("java.home"), "share");
  }

  private static Path file(Arguments arguments, String option, Path otherwise) throws UsageException {
    try {
      return arguments.value(option).map(Path::of).orElse(otherwise);
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

    Events(Console console, World world) {
      super(console);
      this.console = console;
      this.world = world;
    }

    @Override
    public void started() {
      welcome(console, world.guide());
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

  private static void welcome(Console console, Guide guide) {
    StringBuilder out = new StringBuilder("\nPortcullis guards a service. Open it in a browser:\n\n  ")
        .append(guide.start())
        .append("\n\nOr ask it from another terminal:\n");
    guide.lines()
        .forEach(line -> out.append("\n  # ").append(line.about()).append("\n  ").append(line.command()).append('\n'));
    console.say(out.append("\nIts rules are in ").append(guide.rules())
        .append(": change them while it runs, and look again. Ctrl-C ends it.\n").toString());
  }
}

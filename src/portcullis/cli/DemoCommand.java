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
import portcullis.cli.Arguments.Option;
import portcullis.cli.Arguments.WrongUse;
import portcullis.demo.Addresses;
import portcullis.demo.Guide;
import portcullis.demo.World;
import portcullis.lang.source.SourceFile;

/** Runs the proxy on the set-up that comes with the program, and a small world around it. */
final class DemoCommand {
  static final List<Option> OPTIONS = List.of(
      new Option("--port", "-p", "N", "of the proxy, 4455 unless said; with 0 all ports are free ones"),
      new Option("--management-port", "", "N", "of the proxy's management service, 4457 unless said"),
      new Option("--world-port", "", "N", "the first of three for the world around it, 4460 unless said"),
      new Option("--config", "-c", "FILE", "the configuration; config/demo.yaml here, else the one that came along"),
      new Option("--rules", "", "FILE", "the rules; rules/demo.yaml here, else those that came along"));

  private static final int HIGHEST_PORT = 65535;
  private static final String CONFIG = "config/demo.yaml";
  private static final String RULES = "rules/demo.yaml";

  private final Console console;

  DemoCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws WrongUse {
    Path home = home();
    Path config = file(arguments, "--config", home.resolve(CONFIG));
    Path rules = file(arguments, "--rules", home.resolve(RULES));
    try (World world = World.start(addresses(arguments), rules)) {
      // for a signal that comes before anything can be drained
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(world::removeFiles));
      SourceFile configuration = new SourceFile(config.toString(), Files.readString(config));
      return new Serve(console, companion(world)).run(configuration, surroundings(world),
          Arguments.parse(List.of("--insecure"), Flags.INSECURE), true);
    } catch (IOException e) {
      console.complain(reason(e) + " (`portcullis help demo` tells how to choose files and ports)");
      return 1;
    }
  }

  /** Where the set-up is: the working folder if it has both files, as the project's has, else the image. */
  private static Path home() {
    Path here = Path.of("");
    boolean both = Files.isRegularFile(here.resolve(CONFIG)) && Files.isRegularFile(here.resolve(RULES));
    return both ? here : Path.of(System.getProperty("java.home"), "share");
  }

  private static Path file(Arguments arguments, String option, Path otherwise) throws WrongUse {
    try {
      return arguments.value(option).map(Path::of).orElse(otherwise);
    } catch (InvalidPathException e) {
      throw new WrongUse("`" + option + "` is no file name: " + e.getReason());
    }
  }

  private static Addresses addresses(Arguments arguments) throws WrongUse, IOException {
    Addresses standard = Addresses.STANDARD;
    int proxy = port(arguments, "--port", standard.proxy(), 0);
    int management = port(arguments, "--management-port", standard.management(), 1);
    int world = port(arguments, "--world-port", standard.upstream(), 1);
    if (proxy == 0) {
      return Addresses.free();
    }
    Addresses chosen = Addresses.of(proxy, management, world);
    if (chosen.relations() > HIGHEST_PORT || new HashSet<>(chosen.all()).size() < chosen.all().size()) {
      throw new WrongUse(
          "the ports " + chosen.all() + " do not go together: each is needed once, and none is above " + HIGHEST_PORT);
    }
    return chosen;
  }

  private static int port(Arguments arguments, String option, int otherwise, int least) throws WrongUse {
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
      // said below
    }
    throw new WrongUse("`" + option + "` is a port, a number from " + least + " to " + HIGHEST_PORT);
  }

  private Serve.Companion companion(World world) {
    return new Serve.Companion() {
      @Override
      public void begun() {
        welcome(world.guide());
      }

      @Override
      public void over() {
        world.close();
      }
    };
  }

  /** What the world says of itself counts more than the environment, which sets nothing here. */
  private static Surroundings surroundings(World world) {
    Map<String, String> variables = new HashMap<>(System.getenv());
    variables.putAll(world.variables());
    return new Surroundings(variables, List.of());
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no file `" + missing.getFile() + "`";
      case CharacterCodingException _ -> "the configuration or the rules are no UTF-8 text";
      default -> e.getMessage();
    };
  }

  private void welcome(Guide guide) {
    StringBuilder out = new StringBuilder("\nPortcullis guards a service. Open it in a browser:\n\n  ")
        .append(guide.start())
        .append("\n\nOr ask it from another terminal:\n");
    guide.lines()
        .forEach(line -> out.append("\n  # ").append(line.about()).append("\n  ").append(line.command()).append('\n'));
    console.say(out.append("\nIts rules are in ").append(guide.rules())
        .append(": change them while it runs, and look again. Ctrl-C ends it.\n").toString());
  }
}

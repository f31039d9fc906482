package portcullis.cli;

import java.util.List;
import portcullis.cli.Arguments.Option;

/**
 * Runs {@code demo}, as far as the image has it: the demonstration is a jar of its own, which hosts may leave out.
 * {@link DemoRun} alone uses its classes and is loaded only where they are there.
 */
final class DemoCommand {
  static final String PORT = "--port";
  static final String MANAGEMENT_PORT = "--management-port";
  static final String WORLD_PORT = "--world-port";
  static final String CONFIG = "--config";
  static final String RULES = "--rules";
  static final List<Option> OPTIONS = List.of(
      new Option(PORT, "-p", "N", "port of the proxy, default 4455; 0 takes free ports for everything"),
      new Option(MANAGEMENT_PORT, "", "N", "port of the proxy's management service, default 4457"),
      new Option(WORLD_PORT, "", "N", "first of three ports for the services around the proxy, default 4460"),
      new Option(CONFIG, "-c", "FILE",
          "the configuration, default config/demo.yaml here or in portcullis-demo, where it is copied to"),
      new Option(RULES, "", "FILE",
          "the rules, default rules/demo.yaml here or in portcullis-demo, where they are copied to"));

  private static final String ENTRY = "/portcullis/demo/World.class";

  private final Console console;

  DemoCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    if (DemoCommand.class.getResource(ENTRY) == null) {
      console.complain("the demonstration is not part of this image: lib/app/portcullis-demo.jar is missing");
      return 1;
    }
    return new DemoRun(console).run(arguments);
  }
}

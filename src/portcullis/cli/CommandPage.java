package portcullis.cli;

import java.util.List;
import java.util.stream.Collectors;
import portcullis.reference.Page;

/** The reference page of the command line: each command with its options. */
final class CommandPage {
  private static final String HEAD = """
      # Command line

      `portcullis COMMAND --help` describes a command, `portcullis help` lists all. Options may \
      stand anywhere behind the command, as
      `--option VALUE` or `--option=VALUE`, each once where nothing else is said of it; a flag may \
      be switched off by `=false`. Results are \
      written to stdout, messages to stderr; \
      that a configuration or a rule set is valid is a message.
      `NO_COLOR` switches colours off.

      ## Exit status

      | status | meaning |
      | --- | --- |
      | 0 | success; `serve` ended by SIGTERM or SIGINT after running requests were finished |
      | 1 | errors in the configuration or the rules, failed test cases, findings, an unhealthy service |
      | 2 | invalid command line; of commands with a result of their own (`test`, `analyze`, `replay`, `audit verify`, \
      `promote`) also that there is none: the configuration or a file cannot be used, or the service cannot be reached |
      | 78 | the executable is damaged or cannot be unpacked here |
      | 143, 130 | ended by SIGTERM or SIGINT before it served requests |

      With `-o json` the result of a status of 2 is an object with `problems`, as that of `validate`.

      ## Completion

      `source <(portcullis completion bash)` completes commands, options and types of mechanisms in \
      bash; `zsh` and `fish` likewise.
      """;

  private CommandPage() {}

  static Page of(List<Command> commands) {
    String text = HEAD + commands.stream().map(CommandPage::section).collect(Collectors.joining());
    return new Page("commands.md", "Command line", text);
  }

  private static String section(Command command) {
    String usage = "portcullis " + command.name() + (command.options().isEmpty() ? "" : " [options]")
        + (command.operands().isEmpty() ? "" : " " + command.operands());
    String options = command.options().isEmpty() ? ""
        : "\n| option | what it does |\n| --- | --- |\n"
            + command.options().stream().map(CommandPage::option).collect(Collectors.joining());
    return "\n## " + command.name() + "\n\n" + command.doc() + "\n\n```\n" + usage + "\n```\n" + options;
  }

  private static String option(Arguments.Option option) {
    String names = option.letter().isEmpty() ? option.name() : option.letter() + ", " + option.name();
    return "| `" + (names + " " + option.value()).strip().replace("|", "\\|") + "` | "
        + option.doc().replace("|", "\\|") + " |\n";
  }
}

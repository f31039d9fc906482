package portcullis.cli;

import java.util.List;

/**
 * A command of the program.
 *
 * @param name its words, as {@code serve proxy}
 * @param operands what is named behind the options, as {@code <path>}
 */
record Command(String name, String operands, String doc, List<Arguments.Option> options, Action action) {
  /** Operands that are types of mechanisms. */
  static final String MECHANISM = "[[KIND] TYPE]";

  /** What it does; the result is the exit status. */
  interface Action {
    int run(Arguments arguments) throws Arguments.UsageException;
  }

  String help() {
    StringBuilder out = new StringBuilder(doc).append("\n\nUsage:\n  portcullis ").append(name)
        .append(options.isEmpty() ? "" : " [options]").append(operands.isEmpty() ? "" : " " + operands).append("\n");
    return options.isEmpty() ? out.toString().stripTrailing() : out.append("\n").append(optionsHelp()).toString();
  }

  /** Returns a line for each option. */
  String optionsHelp() {
    StringBuilder out = new StringBuilder("Options:\n");
    for (Arguments.Option option : options) {
      String left = (option.letter().isEmpty() ? "    " : option.letter() + ", ") + option.name()
          + (option.value().isEmpty() ? "" : " " + option.value());
      out.append(String.format("  %-56s %s%n", left, option.doc()));
    }
    return out.toString().stripTrailing();
  }
}

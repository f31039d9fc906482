package portcullis.cli;

import java.util.List;
import portcullis.config.Enforcement;
import portcullis.config.JsonSchema;
import portcullis.lang.source.Nearest;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.runtime.Settings;

/** Writes what configurations and rule sets look like as JSON Schema, for editors. */
final class SchemaCommand {
  static final List<String> OF = List.of("config", "rules");

  private final Console console;

  SchemaCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.WrongUse {
    String of = arguments.rest().isEmpty() ? OF.getFirst() : arguments.rest().getFirst();
    if (arguments.rest().size() > 1 || !OF.contains(of)) {
      String wrong = OF.contains(of) ? arguments.rest().get(1) : of;
      throw new Arguments.WrongUse("there is no schema of `" + wrong + "`, " + Nearest.hint(wrong, OF));
    }
    console.say(text(of).stripTrailing());
    return 0;
  }

  /** The schema of {@code config} or {@code rules}. */
  static String text(String of) {
    return of.equals("rules") ? JsonSchema.of("Portcullis rule set", RuleReader.shape())
        : JsonSchema.of("Portcullis configuration", Settings.decoder(Enforcement.ALL).shape());
  }
}

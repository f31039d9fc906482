package portcullis.cli;

import java.util.List;
import portcullis.config.Enforcement;
import portcullis.config.JsonSchema;
import portcullis.lang.source.Nearest;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.runtime.Settings;
import portcullis.verify.Intents;

/** Writes what configurations, rule sets and intents look like as JSON Schema, for editors. */
final class SchemaCommand {
  static final List<String> OF = List.of("config", "rules", "intents");

  private final Console console;

  SchemaCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    String of = arguments.rest().isEmpty() ? OF.getFirst() : arguments.rest().getFirst();
    if (arguments.rest().size() > 1 || !OF.contains(of)) {
      String wrong = OF.contains(of) ? arguments.rest().get(1) : of;
      throw new Arguments.UsageException("there is no schema of `" + wrong + "`, " + Nearest.hint(wrong, OF));
    }
    console.say(text(of).stripTrailing());
    return 0;
  }

  /** Returns the schema of {@code config}, {@code rules} or {@code intents}. */
  static String text(String of) {
    return switch (of) {
      case "rules" -> JsonSchema.of("Portcullis rule set", RuleReader.shape());
      case "intents" -> JsonSchema.of("Portcullis intents", Intents.shape());
      default -> JsonSchema.of("Portcullis configuration", Settings.decoder(Enforcement.ALL).shape());
    };
  }
}

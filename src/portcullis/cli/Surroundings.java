package portcullis.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Environment;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.config.Substituted;
import portcullis.config.Substitution;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * The environment as far as it is configuration.
 *
 * @param prefixes of the variables that set something, the strongest first
 */
record Surroundings(Map<String, String> variables, List<String> prefixes) {
  private static final List<String> PREFIXES = List.of("PORTCULLISCFG_", "HEIMDALLCFG_");

  /** That of this process, with the prefix that the command line names. */
  static Surroundings of(Arguments arguments) {
    return new Surroundings(System.getenv(), arguments.value(Flags.PREFIX).map(List::of).orElse(PREFIXES));
  }

  /** The file's text with its variables filled in; empty exactly if a problem was added. */
  Optional<Substituted> filled(SourceFile file, Problems problems) {
    return Substitution.apply(file, variables, problems);
  }

  /** The file's tree with what variables set. */
  Optional<Node> overlaid(Optional<Node> file, Shape shape, Problems problems) {
    return Environment.overlay(file, variables, prefixes, shape, problems);
  }
}

package portcullis.serve.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Environment;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.config.SubstitutedSource;
import portcullis.config.Substitution;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * Environment variables that a configuration refers to, and those that override its settings.
 *
 * @param prefixes of the variables that override settings, the strongest first
 */
public record EnvironmentOverrides(Map<String, String> variables, List<String> prefixes) {
  private static final List<String> PREFIXES = List.of("PORTCULLISCFG_", "HEIMDALLCFG_");

  /** Returns the overrides in this process's environment, by the default prefixes unless one is given. */
  public static EnvironmentOverrides ofProcess(Optional<String> prefix) {
    return new EnvironmentOverrides(System.getenv(), prefix.map(List::of).orElse(PREFIXES));
  }

  /** Returns the text of the file with its variables substituted; empty exactly if a problem was added. */
  Optional<SubstitutedSource> substituted(SourceFile file, Problems problems) {
    return Substitution.apply(file, variables, problems);
  }

  /** Returns the settings of the file with those that variables override. */
  Optional<Node> overlaid(Optional<Node> file, Shape shape, Problems problems) {
    return Environment.overlay(file, variables, prefixes, shape, problems);
  }
}

package portcullis.serve.runtime;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Which rules are checked besides a configuration that has errors, so that all are reported at once.
 *
 * @param proxy whether every rule needs an upstream
 * @param rules instead of those of the configuration
 */
public record RuleCheck(boolean proxy, Optional<Path> rules) {
  Settings of(Settings settings) {
    return rules.map(settings::withRules).orElse(settings);
  }
}

package portcullis.cli;

import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;

/**
 * What a run of the services is told by its command line.
 *
 * @param proxy whether requests that may pass are forwarded
 * @param envoy whether what does not forward speaks with Envoy
 * @param insecure the flags by which enforcement was given up
 * @param configuration where it may be read anew; empty where it cannot change
 */
record Orders(boolean proxy, boolean envoy, Enforcement enforcement, List<String> insecure,
    Optional<ConfigurationFile> configuration) {
  static Orders of(Arguments arguments, boolean proxy, Optional<ConfigurationFile> configuration) {
    return new Orders(proxy, arguments.on(Flags.ENVOY.name()), Flags.enforcement(arguments), Flags.insecure(arguments),
        configuration);
  }
}

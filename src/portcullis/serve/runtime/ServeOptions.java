package portcullis.serve.runtime;

import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;

/**
 * The options of a run of the services besides its configuration.
 *
 * @param disabledChecks the command line options that disabled security checks, for logs
 * @param configuration the file that is read again on reload; empty where the configuration cannot change
 */
public record ServeOptions(MainService service, Enforcement enforcement, List<String> disabledChecks,
    Optional<ConfigurationFile> configuration) {
  /** The service that the main listener offers. */
  public enum MainService {
    /** Forwards allowed requests to their upstreams. */
    PROXY,
    /** Answers a proxy in front by HTTP. */
    DECISION,
    /** Answers Envoy by gRPC. */
    ENVOY
  }

  boolean isProxy() {
    return service == MainService.PROXY;
  }
}

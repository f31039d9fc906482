package portcullis.serve.runtime;

import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.serve.service.DecisionListener;

/**
 * The options of a run of the services besides its configuration.
 *
 * @param disabledChecks the command line options that disabled security checks, for logs
 * @param configuration the file that is read again on reload; empty where the configuration cannot change
 * @param decisions is notified of the decisions of the proxy
 */
public record ServeOptions(MainService service, Enforcement enforcement, List<String> disabledChecks,
    Optional<ConfigurationFile> configuration, Optional<DecisionListener> decisions) {
  /** Options without a listener. */
  public ServeOptions(MainService service, Enforcement enforcement, List<String> disabledChecks,
      Optional<ConfigurationFile> configuration) {
    this(service, enforcement, disabledChecks, configuration, Optional.empty());
  }

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

package portcullis.serve.service;

import java.util.Optional;
import portcullis.serve.debug.ExplanationStore;

/**
 * The optional endpoints of the management service.
 *
 * @param locks by which locks are changed
 * @param explanations which are read by their ids
 */
public record ManagementEndpoints(Optional<LockEndpoint> locks, Optional<ConsoleEndpoint> console,
    Optional<ExplanationStore> explanations) {
  public static final ManagementEndpoints NONE = new ManagementEndpoints(Optional.empty(), Optional.empty(),
      Optional.empty());
}

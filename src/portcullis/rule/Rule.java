package portcullis.rule;

import java.util.Optional;
import portcullis.pipeline.Pipeline;
import portcullis.route.EncodedSlashes;

/**
 * What is to happen with the requests of some routes; immutable.
 *
 * @param source where its rule set comes from
 * @param backend where requests that pass go; empty where the rule names none
 */
public record Rule(String id, String source, Pipeline pipeline, Optional<Backend> backend, EncodedSlashes slashes) {
  private static final String CONFIG = "config";
  private static final String DEFAULT = "default";

  /** The rule for requests that no other is for. */
  public static Rule standard(Pipeline pipeline) {
    return new Rule(DEFAULT, CONFIG, pipeline, Optional.empty(), EncodedSlashes.OFF);
  }

  public boolean isDefault() {
    return source.equals(CONFIG) && id.equals(DEFAULT);
  }
}

package portcullis.policy.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.EncodedSlashes;
import portcullis.policy.route.HostPattern;

/**
 * A rule: how requests of some routes are decided and where they are forwarded; immutable.
 *
 * @param source where its rule set comes from
 * @param backend where requests that pass go; empty where the rule names none
 * @param readings which other readings of a request it guards against
 * @param hosts the hosts that it is for; none for all
 * @param origin where it is written
 * @param revalidate the interval at which long-lived exchanges that it allowed are decided again; empty for never
 */
public record Rule(String id, String source, Pipeline pipeline, Optional<Backend> backend, EncodedSlashes slashes,
    ReadingPolicy readings, List<HostPattern> hosts, RuleOrigin origin,
    Optional<Duration> revalidate) {
  private static final String CONFIG = "config";
  private static final String DEFAULT = "default";

  /** Returns the rule for requests that no other is for, and where it is written. */
  public static Rule defaultRule(Pipeline pipeline, ReadingPolicy readings, RuleOrigin origin) {
    return new Rule(DEFAULT, CONFIG, pipeline, Optional.empty(), EncodedSlashes.OFF, readings, List.of(), origin,
        Optional.empty());
  }

  /** Returns a copy with another pipeline. */
  public Rule with(Pipeline other) {
    return new Rule(id, source, other, backend, slashes, readings, hosts, origin, revalidate);
  }

  /** Returns whether the other is this rule: one source has an id once. */
  public boolean is(Rule other) {
    return id.equals(other.id) && source.equals(other.source);
  }

  /** Returns how narrowly it names a host: the more the narrower, 0 where it does not name it. */
  public int narrowness(String host) {
    int most = 0;
    for (HostPattern pattern : hosts) {
      most = Math.max(most, pattern.narrowness(host));
    }
    return most;
  }

  public boolean isDefault() {
    return source.equals(CONFIG) && id.equals(DEFAULT);
  }
}

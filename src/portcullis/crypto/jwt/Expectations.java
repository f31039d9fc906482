package portcullis.crypto.jwt;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import portcullis.crypto.keys.Algorithm;

/**
 * What claims have to say to be accepted; immutable.
 *
 * @param issuers one of these, see {@link IssuerPattern}; any, where there is none
 * @param audience one of these at least; any, where there is none
 * @param allowedAlgorithms for signatures; claims from elsewhere have none
 * @param leeway by how much clocks may differ; zero stands for 10 s
 */
public record Expectations(List<String> issuers, List<String> audience, ScopesMatcher scopes,
    Set<Algorithm> allowedAlgorithms,
    Duration leeway) {
  /** The defaults. */
  public static final Set<Algorithm> DEFAULT_ALGORITHMS = Set.of(Algorithm.ES256, Algorithm.ES384, Algorithm.ES512,
      Algorithm.PS256, Algorithm.PS384, Algorithm.PS512);
  private static final Duration DEFAULT_LEEWAY = Duration.ofSeconds(10);

  public Expectations {
    issuers = List.copyOf(issuers);
    audience = List.copyOf(audience);
    allowedAlgorithms = Set.copyOf(allowedAlgorithms);
    leeway = leeway.isZero() ? DEFAULT_LEEWAY : leeway;
  }
}

package portcullis.policy.authenticator;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.ClientIdentity;
import portcullis.crypto.keys.RevocationLists;
import portcullis.crypto.keys.TrustStore;

/**
 * The certificates of clients that were verified in the last minute, so that the signatures of a connection are not
 * checked for each request. Bounded; the least recently used ones are evicted. Thread safe.
 */
final class VerifiedClients {
  private static final int MOST = 1024;
  private static final Duration LIFE = Duration.ofMinutes(1);

  private final Map<List<X509Certificate>, Verified> chains = new LinkedHashMap<>(16, 0.75f, true);

  /** What a chain was verified with. */
  record Evidence(TrustStore trust, List<RevocationLists> revocations) {}

  private record Verified(ClientIdentity identity, Evidence evidence, Instant since, Instant until) {}

  synchronized Optional<ClientIdentity> find(List<X509Certificate> chain, Evidence evidence, Instant now) {
    return Optional.ofNullable(chains.get(chain))
        .filter(known -> known.evidence.equals(evidence) && !now.isBefore(known.since) && now.isBefore(known.until))
        .map(Verified::identity);
  }

  synchronized void keep(List<X509Certificate> chain, Evidence evidence, ClientIdentity identity, Instant now) {
    Instant until = now.plus(LIFE);
    for (X509Certificate certificate : chain) {
      Instant end = certificate.getNotAfter().toInstant();
      until = end.isBefore(until) ? end : until;
    }
    chains.put(List.copyOf(chain), new Verified(identity, evidence, now, until));
    if (chains.size() > MOST) {
      chains.remove(chains.keySet().iterator().next());
    }
  }

  synchronized void clear() {
    chains.clear();
  }
}

package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problems;
import portcullis.policy.cache.CacheKey;

/**
 * How a remote party is called, wherever it is; immutable.
 *
 * @param tls where it is not as for most
 */
public record CallOptions(Optional<RetryPolicy> retry, Credentials credentials, HttpCache cache,
    Optional<ClientTlsSettings> tls) {
  public static final CallOptions PLAIN = new CallOptions(Optional.empty(), Credentials.NONE, HttpCache.UNSET,
      Optional.empty());

  /**
   * Whether answers are kept as their header fields allow (RFC 9111); empty where the settings say nothing.
   *
   * @param time how long an answer that says nothing of it is kept
   */
  public record HttpCache(Optional<Boolean> enabled, Optional<Duration> time) {
    public static final HttpCache UNSET = new HttpCache(Optional.empty(), Optional.empty());

    boolean isOn() {
      return enabled.orElse(false);
    }
  }

  CallOptions keeping(HttpCache standard) {
    HttpCache both = new HttpCache(cache.enabled.or(standard::enabled), cache.time.or(standard::time));
    return new CallOptions(retry, credentials, both, tls);
  }

  /**
   * Whether calls can be made so, where TLS may be insisted on, with the files that they need; adds problems where not.
   */
  public boolean secure(boolean tlsOnly, Problems problems) {
    boolean files = tls.isEmpty() || tls.get().read(new KeyRings(InstantSource.system()), problems).isPresent();
    return credentials.secure(tlsOnly, problems) && files;
  }

  /** The same for one that this caller will call: keys are published and watched from now on. */
  public boolean secure(EndpointClient caller, boolean tlsOnly, Problems problems) {
    boolean good = secure(tlsOnly, problems);
    if (good) {
      credentials.useKeys(caller);
      tls.ifPresent(caller::hold);
    }
    return good;
  }

  /** Everything about it that makes a difference to the answer, for cache keys; tells nobody what it is. */
  String identity(EndpointClient caller) {
    return CacheKey.of("manner", credentials.identity(caller), tls.map(caller::identity).orElse("")).hash();
  }
}

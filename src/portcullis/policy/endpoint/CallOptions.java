package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problems;
import portcullis.policy.cache.CacheKey;

/**
 * Options of calls to a remote service; immutable.
 *
 * @param tls empty for the default settings
 */
public record CallOptions(Optional<RetryPolicy> retry, Credentials credentials, HttpCache cache,
    Optional<ClientTlsSettings> tls) {
  public static final CallOptions DEFAULT = new CallOptions(Optional.empty(), Credentials.NONE, HttpCache.UNSET,
      Optional.empty());

  /**
   * Settings of HTTP caching (RFC 9111).
   *
   * @param time for how long responses without freshness information are stored
   */
  public record HttpCache(Optional<Boolean> enabled, Optional<Duration> time) {
    public static final HttpCache UNSET = new HttpCache(Optional.empty(), Optional.empty());

    boolean isOn() {
      return enabled.orElse(false);
    }
  }

  CallOptions withDefaultCache(HttpCache defaults) {
    HttpCache both = new HttpCache(cache.enabled.or(defaults::enabled), cache.time.or(defaults::time));
    return new CallOptions(retry, credentials, both, tls);
  }

  /** Returns whether calls with these options are possible, given whether TLS is enforced; adds problems if not. */
  public boolean secure(boolean tlsOnly, Problems problems) {
    boolean files = tls.isEmpty() || tls.get().read(new KeyRings(InstantSource.system()), problems).isPresent();
    return credentials.secure(tlsOnly, problems) && files;
  }

  /** Like {@link #secure(boolean, Problems)}, and makes the client publish and watch the keys. */
  public boolean secure(EndpointClient caller, boolean tlsOnly, Problems problems) {
    boolean good = secure(tlsOnly, problems);
    if (good) {
      credentials.useKeys(caller);
      tls.ifPresent(caller::hold);
    }
    return good;
  }

  /** Returns whether the {@link #identity} never changes, as no key of a file is part of it. */
  boolean isConstant() {
    return tls.isEmpty() && credentials.isConstant();
  }

  /** Returns a hash of everything that the response may depend on, for cache keys. */
  String identity(EndpointClient caller) {
    if (tls.isEmpty() && credentials instanceof Credentials.None) {
      return "none";
    }
    return CacheKey.of("call options", credentials.identity(caller), tls.map(caller::identity).orElse("")).hash();
  }
}

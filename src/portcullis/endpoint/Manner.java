package portcullis.endpoint;

import java.time.Duration;
import java.util.Optional;

/** How a remote party is called, wherever it is; immutable. */
public record Manner(Optional<Retry> retry, Credentials credentials, HttpCache cache) {
  public static final Manner PLAIN = new Manner(Optional.empty(), Credentials.NONE, HttpCache.UNSET);

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

  Manner keeping(HttpCache standard) {
    HttpCache both = new HttpCache(cache.enabled.or(standard::enabled), cache.time.or(standard::time));
    return new Manner(retry, credentials, both);
  }
}

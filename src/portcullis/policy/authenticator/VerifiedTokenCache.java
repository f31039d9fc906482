package portcullis.policy.authenticator;

import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.VerifiedToken;
import portcullis.policy.cache.CacheKey;

/**
 * Verified tokens by their hashes, so that the signature of a token is checked once; its claims are checked for each
 * request. The caller has to check that the key is still valid and its algorithm allowed. Bounded by the total length
 * of the tokens; the least recently used ones are evicted. Thread safe.
 */
final class VerifiedTokenCache {
  /** Some 6,000 tokens of the usual length, which take about 25 MB with what was read of them. */
  private static final long MOST_CHARACTERS = 2 << 20;

  private final Map<CacheKey, Remembered> tokens = new LinkedHashMap<>(16, 0.75f, true);
  private long characters;

  /**
   * A verified token.
   *
   * @param until when the token or the certificate of its key expires
   */
  record Remembered(CompactToken token, VerifiedToken verified, Instant until, int length) {
    /** @param length in characters */
    static Remembered of(CompactToken token, VerifiedToken verified, int length) {
      Instant certified = JwkTrust.end(verified.key());
      Instant expires = NumericDates.instant(verified.claims(), "exp").orElse(Instant.MAX);
      return new Remembered(token, verified, certified.isBefore(expires) ? certified : expires, length);
    }
  }

  static CacheKey id(String token) {
    return CacheKey.of("verified token", token);
  }

  synchronized Optional<Remembered> find(CacheKey id, Instant now) {
    Remembered found = tokens.get(id);
    if (found != null && !now.isBefore(found.until)) {
      drop(id);
      return Optional.empty();
    }
    return Optional.ofNullable(found);
  }

  synchronized void keep(CacheKey id, Remembered token) {
    drop(id);
    tokens.put(id, token);
    characters += token.length;
    Iterator<Remembered> oldest = tokens.values().iterator();
    while (characters > MOST_CHARACTERS) {
      characters -= oldest.next().length;
      oldest.remove();
    }
  }

  synchronized void clear() {
    tokens.clear();
    characters = 0;
  }

  private void drop(CacheKey id) {
    Remembered gone = tokens.remove(id);
    characters -= gone == null ? 0 : gone.length;
  }
}

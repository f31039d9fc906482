package portcullis.policy.authenticator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.keys.JwkSet;
import portcullis.policy.cache.CacheKey;

/**
 * Tokens whose signatures were found wrong, by their hashes, so that a wrong token that comes again costs no signature
 * check. A refusal holds for the key set that it was found with: once other keys are fetched, the token is checked
 * again. Bounded in number, those not used for longest make room. Thread safe.
 */
final class RejectedTokenCache {
  static final int MAX_TOKENS = 10_000;

  private final Map<CacheKey, Refusal> refusals = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<CacheKey, Refusal> eldest) {
      return size() > MAX_TOKENS;
    }
  };

  private record Refusal(JwkSet keys, TokenException reason) {}

  /** Why the token was refused, where that was found with these keys. */
  synchronized Optional<TokenException> find(CacheKey token, JwkSet keys) {
    return Optional.ofNullable(refusals.get(token)).filter(refusal -> refusal.keys.equals(keys)).map(Refusal::reason);
  }

  synchronized void clear() {
    refusals.clear();
  }

  synchronized void keep(CacheKey token, JwkSet keys, TokenException reason) {
    refusals.put(token, new Refusal(keys, reason));
  }
}

package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;

class RejectedTokenCacheTest {
  private static final Issuer ISSUER = Issuer.of("k");

  private final RejectedTokenCache tokens = new RejectedTokenCache();

  private static JwkSet keys() throws Exception {
    return JwkSet.read(Value.dict("keys", Value.of(ISSUER.jwk())));
  }

  private static TokenException refusal() {
    String forged = ISSUER.rotated().token("{}");
    return assertThrows(TokenException.class,
        () -> Verification.verify(CompactToken.parse(forged), keys(), Set.of(Algorithm.ES256)));
  }

  private static CacheKey id(int number) {
    return VerifiedTokenCache.id("token " + number);
  }

  @Test
  void refusalHoldsForItsKeySetOnly() throws Exception {
    TokenException refusal = refusal();
    assertEquals(TokenException.Kind.BAD_SIGNATURE, refusal.kind());
    JwkSet keys = keys();
    tokens.keep(id(1), keys, refusal);
    assertEquals(Optional.of(refusal), tokens.find(id(1), keys));
    assertEquals(Optional.empty(), tokens.find(id(2), keys));
    assertEquals(Optional.of(refusal), tokens.find(id(1), keys()), "the same keys, fetched again");
    assertEquals(Optional.empty(), tokens.find(id(1), new JwkSet(List.of(), List.of())), "other keys");
  }

  @Test
  void forgetsTheLeastRecentlyUsed() throws Exception {
    TokenException refusal = refusal();
    JwkSet keys = keys();
    for (int i = 0; i < RejectedTokenCache.MAX_TOKENS; i++) {
      tokens.keep(id(i), keys, refusal);
    }
    assertEquals(Optional.of(refusal), tokens.find(id(0), keys));
    tokens.keep(id(-1), keys, refusal);
    assertEquals(List.of(true, false, true), List.of(tokens.find(id(0), keys).isPresent(),
        tokens.find(id(1), keys).isPresent(), tokens.find(id(-1), keys).isPresent()));
  }
}

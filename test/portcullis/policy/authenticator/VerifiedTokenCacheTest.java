package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.jwt.VerifiedToken;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jwk;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.policy.cache.CacheKey;

class VerifiedTokenCacheTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final CacheKey ID = VerifiedTokenCache.id("a");
  private static final Issuer ISSUER = Issuer.of("k");

  private final VerifiedTokenCache tokens = new VerifiedTokenCache();

  private static VerifiedTokenCache.Remembered remembered(Issuer issuer, String claims, int length)
      throws TokenException {
    CompactToken token = CompactToken.parse(issuer.token(claims));
    Jwk key = new Jwk(Optional.of("k"), Optional.of(Algorithm.ES256), issuer.key().publicKey(), issuer.key().chain());
    VerifiedToken verified = Verification.verify(token, key, Set.of(Algorithm.ES256));
    return VerifiedTokenCache.Remembered.of(token, verified, length);
  }

  private static String expiring(Duration time) {
    return "{\"exp\":" + NOW.plus(time).getEpochSecond() + "}";
  }

  private boolean isKnown(CacheKey id, Duration after) {
    return tokens.find(id, NOW.plus(after)).isPresent();
  }

  @Test
  void forgetsTokenThatExpired() throws TokenException {
    tokens.keep(ID, remembered(ISSUER, expiring(Duration.ofMinutes(1)), 10));
    assertTrue(isKnown(ID, Duration.ofSeconds(59)));
    assertFalse(isKnown(ID, Duration.ofMinutes(1)));
    assertFalse(isKnown(ID, Duration.ZERO), "it is gone, not only hidden");
  }

  @Test
  void forgetsTokenWhoseCertificateEnded() throws TokenException {
    TestCertificate brief = CertificateDraft.of("brief").valid(NOW.minusSeconds(60), NOW.plusSeconds(30)).make();
    tokens.keep(ID, remembered(Issuer.of("k", brief), expiring(Duration.ofMinutes(1)), 10));
    assertTrue(isKnown(ID, Duration.ofSeconds(29)));
    assertFalse(isKnown(ID, Duration.ofSeconds(30)));
    TestCertificate longer = CertificateDraft.of("longer").valid(NOW.minusSeconds(60), NOW.plusSeconds(3600)).make();
    tokens.keep(ID, remembered(Issuer.of("k", longer), expiring(Duration.ofMinutes(1)), 10));
    assertTrue(isKnown(ID, Duration.ofSeconds(59)));
    assertFalse(isKnown(ID, Duration.ofMinutes(1)));
  }

  @Test
  void keepsTokenWithoutEnd() throws TokenException {
    tokens.keep(ID, remembered(ISSUER, "{}", 10));
    assertTrue(isKnown(ID, Duration.ofDays(100_000)));
  }

  @Test
  void makesRoomByForgettingTheLeastRecentlyUsed() throws TokenException {
    int quarter = 512 << 10;
    List<CacheKey> ids = List.of("a", "b", "c", "d", "e").stream().map(VerifiedTokenCache::id).toList();
    for (CacheKey id : ids.subList(0, 4)) {
      tokens.keep(id, remembered(ISSUER, "{}", quarter));
    }
    assertTrue(ids.subList(0, 4).stream().allMatch(id -> isKnown(id, Duration.ZERO)), "2 million characters have room");
    isKnown(ids.getFirst(), Duration.ZERO);
    tokens.keep(ids.get(4), remembered(ISSUER, "{}", 1));
    assertEquals(List.of(true, false, true, true, true), ids.stream().map(id -> isKnown(id, Duration.ZERO)).toList());
  }

  @Test
  void countsTokenThatIsReplacedOnce() throws TokenException {
    CacheKey other = VerifiedTokenCache.id("b");
    tokens.keep(other, remembered(ISSUER, "{}", 1));
    for (int i = 0; i < 10; i++) {
      tokens.keep(ID, remembered(ISSUER, "{}", 6 << 18));
    }
    assertTrue(isKnown(ID, Duration.ZERO) && isKnown(other, Duration.ZERO));
    for (int i = 0; i < 10; i++) {
      CacheKey expired = VerifiedTokenCache.id("c" + i);
      tokens.keep(expired, remembered(ISSUER, expiring(Duration.ofSeconds(1)), 1 << 18));
      assertFalse(isKnown(expired, Duration.ofSeconds(1)));
    }
    assertTrue(isKnown(ID, Duration.ZERO) && isKnown(other, Duration.ZERO), "what has expired takes no room");
  }
}

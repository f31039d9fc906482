package portcullis.policy.authenticator;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenFault;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.jwt.VerifiedToken;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;
import portcullis.crypto.keys.KeyFault;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * Verifies tokens with the keys that their issuers publish. Keeps what outlives rules: the keys, and the tokens that
 * were verified or refused. Thread safe.
 */
record TokenVerifier(RemoteKeys keys, VerifiedTokenCache tokens, RefusedTokenCache refused, JwkTrust trust) {
  TokenVerifier(JwkTrust trust) {
    this(new RemoteKeys(), new VerifiedTokenCache(), new RefusedTokenCache(), trust);
  }

  /** A token that somebody presents, nothing of it verified unless it is remembered. */
  record Presented(CacheKey id, CompactToken token, int length, Optional<VerifiedTokenCache.Remembered> remembered) {
    /** Who it says has issued it. */
    Optional<String> issuer() {
      return token.unverifiedClaims().get("iss").filter(Value.Str.class::isInstance)
          .map(text -> ((Value.Str) text).value());
    }
  }

  Presented read(String text, Instant now) throws TokenFault {
    CacheKey id = VerifiedTokenCache.id(text);
    Optional<VerifiedTokenCache.Remembered> known = tokens.find(id, now);
    CompactToken token = known.isPresent() ? known.get().token() : CompactToken.parse(text);
    return new Presented(id, token, text.length(), known);
  }

  /**
   * The token verified: by a key that counts now, with one of these algorithms.
   *
   * @throws TokenFault where it is not acceptable
   * @throws Failure where the keys cannot be had, or the one that fits is not trusted
   */
  VerifiedToken verify(Presented presented, KeyEndpoint endpoint, KeyLifetimes times, Set<Algorithm> allowed,
      MechanismContext tools)
      throws TokenFault, Failure {
    IssuerKeys issuer = keys.at(endpoint, tools);
    IssuerKeys.Found found = issuer.find(times, endpoint);
    Optional<VerifiedToken> known = presented.remembered.map(VerifiedTokenCache.Remembered::verified)
        .filter(token -> allowed.contains(token.key().algorithm().orElseThrow())
            && found.keys().keys().contains(token.key()));
    if (known.isPresent()) {
      return known.get();
    }
    IssuerKeys.Found own = presented.token.keyId().map(id -> issuer.findFor(id, found, times, endpoint)).orElse(found);
    VerifiedToken verified = verified(presented, own, new Asked(issuer, endpoint, times), allowed,
        tools.clock().instant());
    if (!times.areOff()) {
      issuer.used(verified.key());
      tokens.keep(presented.id, VerifiedTokenCache.Remembered.of(presented.token, verified, presented.length));
    }
    return verified;
  }

  /** Whom to ask for more keys. */
  private record Asked(IssuerKeys issuer, KeyEndpoint endpoint, KeyLifetimes times) {
    Optional<IssuerKeys.Found> more(IssuerKeys.Found than) throws Failure {
      return issuer.findMore(than, times, endpoint);
    }
  }

  private VerifiedToken verified(Presented presented, IssuerKeys.Found first, Asked asked, Set<Algorithm> allowed,
      Instant now)
      throws TokenFault, Failure {
    CompactToken token = presented.token;
    IssuerKeys.Found found = first;
    while (true) {
      try {
        VerifiedToken verified = verified(presented, found.keys(), allowed, asked.times);
        trust.check(verified.key(), now);
        return verified;
      } catch (TokenFault e) {
        Optional<IssuerKeys.Found> more = e.kind() == TokenFault.Kind.UNKNOWN_KEY ? asked.more(found)
            : Optional.empty();
        found = more.orElseThrow(() -> e);
      } catch (KeyFault e) {
        found = asked.more(found).orElseThrow(() -> new Failure.Authentication(
            "JWK for keyID=" + token.keyId().orElse("") + " is invalid: " + e.getMessage()));
      }
    }
  }

  /** With these keys; a signature that is wrong is checked once only, unless nothing is to be remembered. */
  private VerifiedToken verified(Presented presented, JwkSet keys, Set<Algorithm> allowed, KeyLifetimes times)
      throws TokenFault {
    CompactToken token = presented.token;
    if (allowed.contains(token.algorithm())) {
      Optional<TokenFault> known = refused.find(presented.id, keys);
      if (known.isPresent()) {
        throw known.get();
      }
    }
    try {
      return Verification.verify(token, keys, allowed);
    } catch (TokenFault e) {
      boolean byItsSignature = e.kind() == TokenFault.Kind.BAD_SIGNATURE
          || e.kind() == TokenFault.Kind.UNKNOWN_KEY && token.keyId().isEmpty();
      if (byItsSignature && !times.areOff()) {
        refused.keep(presented.id, keys, e);
      }
      throw e;
    }
  }
}

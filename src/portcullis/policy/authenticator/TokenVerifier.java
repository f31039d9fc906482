package portcullis.policy.authenticator;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.jwt.VerifiedToken;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * Verifies tokens with the keys that their issuers publish. Contains what is shared by all rules: the keys, and
 * the verified and refused tokens. Thread safe.
 */
record TokenVerifier(RemoteKeys keys, VerifiedTokenCache tokens, RejectedTokenCache refused, JwkTrust trust) {
  TokenVerifier(JwkTrust trust) {
    this(new RemoteKeys(), new VerifiedTokenCache(), new RejectedTokenCache(), trust);
  }

  /** A token of a request; nothing of it is verified unless it was remembered. */
  record ReceivedToken(CacheKey id, CompactToken token, int length,
      Optional<VerifiedTokenCache.Remembered> remembered) {
    /** Returns the issuer that the token names. */
    Optional<String> issuer() {
      return token.unverifiedClaims().get("iss").filter(Value.Str.class::isInstance)
          .map(text -> ((Value.Str) text).value());
    }
  }

  /** Discards the keys and tokens that earlier requests left behind. */
  void forget() {
    keys.clear();
    tokens.clear();
    refused.clear();
  }

  ReceivedToken read(String text, Instant now) throws TokenException {
    CacheKey id = VerifiedTokenCache.id(text);
    Optional<VerifiedTokenCache.Remembered> known = tokens.find(id, now);
    CompactToken token = known.isPresent() ? known.get().token() : CompactToken.parse(text);
    return new ReceivedToken(id, token, text.length(), known);
  }

  /**
   * Verifies a token with a key that is valid now and one of these algorithms.
   *
   * @throws TokenException if the token is not accepted
   * @throws Failure if the keys cannot be fetched, or the matching one is not trusted
   */
  VerifiedToken verify(ReceivedToken received, KeyEndpoint endpoint, KeyLifetimes times, Set<Algorithm> allowed,
      MechanismContext context)
      throws TokenException, Failure {
    IssuerKeys issuer = keys.at(endpoint, context);
    IssuerKeys.Found found = issuer.find(times, endpoint);
    Optional<VerifiedToken> known = received.remembered.map(VerifiedTokenCache.Remembered::verified)
        .filter(token -> allowed.contains(token.key().algorithm().orElseThrow())
            && found.keys().keys().contains(token.key()));
    if (known.isPresent()) {
      return known.get();
    }
    IssuerKeys.Found own = received.token.keyId().map(id -> issuer.findFor(id, found, times, endpoint)).orElse(found);
    VerifiedToken verified = verified(received, own, new KeySource(issuer, endpoint, times), allowed,
        context.clock().instant());
    if (!times.areOff()) {
      issuer.used(verified.key());
      tokens.keep(received.id, VerifiedTokenCache.Remembered.of(received.token, verified, received.length));
    }
    return verified;
  }

  /** A source of further keys. */
  private record KeySource(IssuerKeys issuer, KeyEndpoint endpoint, KeyLifetimes times) {
    Optional<IssuerKeys.Found> more(IssuerKeys.Found than) throws Failure {
      return issuer.findMore(than, times, endpoint);
    }
  }

  private VerifiedToken verified(ReceivedToken received, IssuerKeys.Found first, KeySource source,
      Set<Algorithm> allowed,
      Instant now)
      throws TokenException, Failure {
    CompactToken token = received.token;
    IssuerKeys.Found found = first;
    while (true) {
      try {
        VerifiedToken verified = verified(received, found.keys(), allowed, source.times);
        trust.check(verified.key(), now);
        return verified;
      } catch (TokenException e) {
        Optional<IssuerKeys.Found> more = e.kind() == TokenException.Kind.UNKNOWN_KEY ? source.more(found)
            : Optional.empty();
        found = more.orElseThrow(() -> e);
      } catch (KeyMaterialException e) {
        found = source.more(found).orElseThrow(() -> new Failure.Authentication(
            "JWK for keyID=" + token.keyId().orElse("") + " is invalid: " + e.getMessage()));
      }
    }
  }

  /** Verifies with these keys; an invalid signature is checked only once, unless nothing may be remembered. */
  private VerifiedToken verified(ReceivedToken received, JwkSet keys, Set<Algorithm> allowed, KeyLifetimes times)
      throws TokenException {
    CompactToken token = received.token;
    if (allowed.contains(token.algorithm())) {
      Optional<TokenException> known = refused.find(received.id, keys);
      if (known.isPresent()) {
        throw known.get();
      }
    }
    try {
      return Verification.verify(token, keys, allowed);
    } catch (TokenException e) {
      boolean byItsSignature = e.kind() == TokenException.Kind.BAD_SIGNATURE
          || e.kind() == TokenException.Kind.UNKNOWN_KEY && token.keyId().isEmpty();
      if (byItsSignature && !times.areOff()) {
        refused.keep(received.id, keys, e);
      }
      throw e;
    }
  }
}

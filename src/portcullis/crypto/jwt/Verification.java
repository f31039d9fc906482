package portcullis.crypto.jwt;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;

/**
 * Verifies signatures. The key decides the algorithm, never the token (RFC 8725, 3.1): a key names the one it is for,
 * a token that names another is refused, and so is a key that names none. A secret key thus verifies HMACs only, and
 * a public key never does.
 */
public final class Verification {
  private Verification() {}

  /**
   * Verifies with the key of the token's id, which must be unique; without an id, with the first key that fits.
   *
   * @param allowed the algorithms that are acceptable
   */
  public static VerifiedToken verify(CompactToken token, JwkSet keys, Set<Algorithm> allowed) throws TokenException {
    Optional<String> id = token.keyId();
    return id.isPresent() ? verify(token, only(keys.withId(id.get()), id.get()), allowed)
        : verifyWithAny(token, keys, allowed);
  }

  private static Jwk only(List<Jwk> keys, String id) throws TokenException {
    if (keys.size() != 1) {
      throw TokenException.unknownKey(
          "no (unique) key found for the keyID='" + TokenException.shown(id) + "' referenced in the JWT");
    }
    return keys.getFirst();
  }

  private static VerifiedToken verifyWithAny(CompactToken token, JwkSet keys, Set<Algorithm> allowed)
      throws TokenException {
    requireAllowed(token, allowed);
    Jwk key = keys.keys().stream().filter(jwk -> isFor(jwk, token) && token.isSignedBy(jwk.key())).findFirst()
        .orElseThrow(() -> TokenException.unknownKey(
            "None of the keys received from the JWKS endpoint could be used to verify the JWT"));
    return new VerifiedToken(token.unverifiedClaims(), key);
  }

  /** Verifies with that key, whatever id the token names. */
  public static VerifiedToken verify(CompactToken token, Jwk key, Set<Algorithm> allowed) throws TokenException {
    if (!isFor(key, token)) {
      throw TokenException.refused("algorithm in the JWT header does not match the algorithm referenced in the key");
    }
    requireAllowed(token, allowed);
    if (!token.isSignedBy(key.key())) {
      throw TokenException.badSignature();
    }
    return new VerifiedToken(token.unverifiedClaims(), key);
  }

  private static boolean isFor(Jwk key, CompactToken token) {
    return key.algorithm().filter(algorithm -> algorithm == token.algorithm()).isPresent();
  }

  private static void requireAllowed(CompactToken token, Set<Algorithm> allowed) throws TokenException {
    if (!allowed.contains(token.algorithm())) {
      throw TokenException.refused(token.algorithm().text() + " algorithm is not allowed");
    }
  }
}

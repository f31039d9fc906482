package portcullis.crypto.jwt;

import portcullis.crypto.keys.Jwk;
import portcullis.lang.value.Value;

/** A token whose signature is valid; immutable. Only {@link Verification} makes one. */
public final class VerifiedToken {
  private final Value.Dict claims;
  private final Jwk key;

  VerifiedToken(Value.Dict claims, Jwk key) {
    this.claims = claims;
    this.key = key;
  }

  /** Returns the claims of the issuer, which {@link ClaimsValidator} checks. */
  public Value.Dict claims() {
    return claims;
  }

  /** Returns the key that verified it. */
  public Jwk key() {
    return key;
  }
}

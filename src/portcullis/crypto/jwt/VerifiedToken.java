package portcullis.crypto.jwt;

import portcullis.crypto.keys.Jwk;
import portcullis.lang.value.Value;

/** A token whose signature was found right; immutable. Only {@link Verification} makes one. */
public final class VerifiedToken {
  private final Value.Dict claims;
  private final Jwk key;

  VerifiedToken(Value.Dict claims, Jwk key) {
    this.claims = claims;
    this.key = key;
  }

  /** What the issuer claims. Whether it is enough is said by {@link ClaimsValidator}. */
  public Value.Dict claims() {
    return claims;
  }

  /** The key that verified it. */
  public Jwk key() {
    return key;
  }
}

package portcullis.demo;

import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.KeyEntry;
import portcullis.lang.value.Value;

/**
 * A bearer token as an upstream sees it; immutable.
 *
 * @param genuine whether the proxy signed it; the claims of other tokens are not trusted
 */
record OpenedToken(Value.Dict header, Value.Dict claims, boolean genuine) {
  private static final String SCHEME = "Bearer ";

  /** Returns the bearer token of a request, if it has a valid format. */
  static Optional<OpenedToken> of(Visit visit, KeyEntry proxyKey) {
    String field = visit.fields().first("Authorization").orElse("");
    if (!field.startsWith(SCHEME)) {
      return Optional.empty();
    }
    try {
      CompactToken token = CompactToken.parse(field.substring(SCHEME.length()));
      return Optional.of(new OpenedToken(token.header(), token.unverifiedClaims(), isSigned(token, proxyKey)));
    } catch (TokenException _) {
      return Optional.empty();
    }
  }

  private static boolean isSigned(CompactToken token, KeyEntry key) {
    Jwk jwk = new Jwk(Optional.of(key.id()), Optional.of(key.algorithm()), key.publicKey(), key.chain());
    try {
      Verification.verify(token, jwk, Set.of(Algorithm.ES256));
      return true;
    } catch (TokenException _) {
      return false;
    }
  }

  /** Returns a claim that is a string. */
  Optional<String> text(String claim) {
    return claims.get(claim)
        .flatMap(value -> value instanceof Value.Str(String text) ? Optional.of(text) : Optional.empty());
  }
}

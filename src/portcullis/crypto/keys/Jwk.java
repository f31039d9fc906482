package portcullis.crypto.keys;

import java.security.Key;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Value;

/**
 * A published key for verification (RFC 7517); immutable.
 *
 * @param algorithm empty where the JWK names none; such a key verifies nothing
 * @param key a public key, or a secret one of type {@code oct}
 * @param chain its certificates, the first one that of the key; not checked further; mostly empty
 */
public record Jwk(Optional<String> keyId, Optional<Algorithm> algorithm, Key key, List<X509Certificate> chain) {
  public Jwk {
    chain = List.copyOf(chain);
  }

  /** Reads the public members of a JWK. @throws KeyMaterialException saying why it cannot be used */
  public static Jwk read(Value.Dict jwk) throws KeyMaterialException {
    return JwkReader.read(jwk);
  }

  /** Returns a description without the key itself, which may be secret. */
  @Override
  public String toString() {
    return keyId.orElse("") + " (" + algorithm.map(Algorithm::text).orElse("no algorithm") + ")";
  }
}

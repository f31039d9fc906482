package portcullis.crypto.jwt;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Signs tokens in the name of one issuer with one key; immutable, thread safe. */
public final class TokenSigner {
  private final KeyEntry key;
  private final Algorithm algorithm;
  private final String issuer;
  private final String header;

  private TokenSigner(KeyEntry key, Algorithm algorithm, String issuer) {
    this.key = key;
    this.algorithm = algorithm;
    this.issuer = issuer;
    header = encoded(new Value.Dict(Map.of(
        "alg", Value.of(algorithm.text()), "kid", Value.of(key.id()), "typ", Value.of("JWT"))));
  }

  /** Returns a signer that uses the algorithm of the key. */
  public static TokenSigner of(KeyEntry key, String issuer) throws KeyMaterialException {
    return of(key, key.algorithm(), issuer);
  }

  /** @throws KeyMaterialException where the key does not fit the algorithm, or its certificate is not for signatures */
  public static TokenSigner of(KeyEntry key, Algorithm algorithm, String issuer) throws KeyMaterialException {
    key.requireForSigning();
    if (!algorithm.fits(key.privateKey())) {
      throw new KeyMaterialException(
          "key `" + key.id() + "` cannot sign " + algorithm.text() + ", it is for " + key.algorithm().text());
    }
    return new TokenSigner(key, algorithm, issuer);
  }

  /**
   * Returns a compact token that is valid from now on.
   *
   * @param claims further claims; those that the signer sets itself (exp, iat, nbf, iss, sub, jti) are overwritten
   * @param ttl at least a second
   */
  public String sign(Value.Dict claims, String subject, Instant now, Duration ttl) {
    Map<String, Value> all = new LinkedHashMap<>(claims.members());
    all.put("exp", Value.of(now.plus(ttl).getEpochSecond()));
    all.put("iat", Value.of(now.getEpochSecond()));
    all.put("nbf", Value.of(now.getEpochSecond()));
    all.put("iss", Value.of(issuer));
    all.put("sub", Value.of(subject));
    all.put("jti", Value.of(HiddenInputs.uuid().toString()));
    String signed = header + "." + encoded(new Value.Dict(all));
    return signed + "." + Base64Url.text(algorithm.sign(key.privateKey(), signed.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String encoded(Value.Dict object) {
    return Base64Url.text(JsonText.plain(object).getBytes(StandardCharsets.UTF_8));
  }

}

package portcullis.crypto.jwt;

import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.KeyPair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jwk;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Keys, and tokens made by hand, right and wrong ones. */
final class TestTokens {
  static final KeyPair RSA = TestKeys.rsa();
  static final KeyPair EC = TestKeys.ec(256);
  static final KeyPair ED = TestKeys.ed25519();
  static final SecretKey SECRET = new SecretKeySpec(new byte[64], "HMAC");

  private TestTokens() {}

  static Key signing(Algorithm algorithm) {
    return switch (algorithm) {
      case HS256, HS384, HS512 -> SECRET;
      case ES256, ES384, ES512 -> EC.getPrivate();
      case EDDSA -> ED.getPrivate();
      case PS256, PS384, PS512, RS256, RS384, RS512 -> RSA.getPrivate();
    };
  }

  static Key verifying(Algorithm algorithm) {
    return switch (algorithm) {
      case HS256, HS384, HS512 -> SECRET;
      case ES256, ES384, ES512 -> EC.getPublic();
      case EDDSA -> ED.getPublic();
      case PS256, PS384, PS512, RS256, RS384, RS512 -> RSA.getPublic();
    };
  }

  /** The key as it is published. */
  static Jwk jwk(String id, Algorithm algorithm) {
    return new Jwk(Optional.of(id), Optional.of(algorithm), verifying(algorithm), List.of());
  }

  /** A token with that header, whatever it says, signed by that algorithm. */
  static String token(String header, String claims, Algorithm algorithm) {
    String signed = encoded(header) + "." + encoded(claims);
    return signed + "."
        + Base64Url.text(algorithm.sign(signing(algorithm), signed.getBytes(StandardCharsets.US_ASCII)));
  }

  /** A right one. */
  static String token(String id, Algorithm algorithm) {
    return token("{\"alg\":\"" + algorithm.text() + "\",\"kid\":\"" + id + "\"}", "{\"iss\":\"a\"}", algorithm);
  }

  static String encoded(String text) {
    return Base64Url.text(text.getBytes(StandardCharsets.UTF_8));
  }

  static String decoded(String part) {
    return new String(Base64Url.bytes(part).orElseThrow(), StandardCharsets.UTF_8);
  }

  static Value.Dict dict(String json) {
    try {
      return (Value.Dict) Json.read(json);
    } catch (ValueException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  static Value.Dict with(Value.Dict dict, String name, Value value) {
    Map<String, Value> members = new LinkedHashMap<>(dict.members());
    members.put(name, value);
    return new Value.Dict(members);
  }
}

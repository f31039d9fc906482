package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECPoint;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import portcullis.lang.value.Value;

/**
 * Reads one JWK of a kind that can verify: RSA, EC, OKP with Ed25519, oct (RFC 7518, 6 and RFC 8037, 2). Private
 * members are not looked at.
 */
final class JwkReader {
  private static final int LONGEST_CHAIN = 10;
  private static final int LONGEST_RSA_EXPONENT_BITS = 32;

  private final Value.Dict jwk;

  private JwkReader(Value.Dict jwk) {
    this.jwk = jwk;
  }

  /** @throws KeyMaterialException saying why it cannot be used */
  static Jwk read(Value.Dict jwk) throws KeyMaterialException {
    return new JwkReader(jwk).read();
  }

  private Jwk read() throws KeyMaterialException {
    requireForVerification();
    Optional<String> id = text("kid").filter(kid -> !kid.isEmpty());
    Optional<Algorithm> algorithm = text("alg").flatMap(Algorithm::named);
    try {
      Key key = key(required("kty"));
      return new Jwk(id, algorithm, key, chain(key));
    } catch (GeneralSecurityException _) {
      throw new KeyMaterialException("it is not a usable key");
    }
  }

  private void requireForVerification() throws KeyMaterialException {
    Optional<String> use = text("use");
    if (use.isPresent() && !use.get().equals("sig")) {
      throw new KeyMaterialException("its use is not `sig`");
    }
    if (jwk.get("key_ops").isPresent() && !texts("key_ops").contains("verify")) {
      throw new KeyMaterialException("its key_ops do not have `verify`");
    }
  }

  private Key key(String kind) throws GeneralSecurityException, KeyMaterialException {
    return switch (kind) {
      case "RSA" -> rsa(new BigInteger(1, bytes("n")), new BigInteger(1, bytes("e")));
      case "EC" ->
        ec(Curve.named(required("crv")).orElseThrow(() -> new KeyMaterialException("its curve is not known")));
      case "OKP" -> ed25519();
      case "oct" -> secret(bytes("k"));
      default -> throw new KeyMaterialException("its kind is not known");
    };
  }

  private static Key rsa(BigInteger modulus, BigInteger exponent)
      throws GeneralSecurityException, KeyMaterialException {
    if (modulus.bitLength() < Algorithm.SHORTEST_RSA_BITS || modulus.bitLength() > Algorithm.LONGEST_RSA_BITS) {
      throw new KeyMaterialException("an RSA key of " + modulus.bitLength() + " bits is not accepted");
    }
    if (exponent.bitLength() < 2 || exponent.bitLength() > LONGEST_RSA_EXPONENT_BITS || !exponent.testBit(0)) {
      throw new KeyMaterialException("its exponent is not accepted");
    }
    return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
  }

  private Key ec(Curve curve) throws GeneralSecurityException, KeyMaterialException {
    byte[] x = bytes("x");
    byte[] y = bytes("y");
    ECPoint point = new ECPoint(new BigInteger(1, x), new BigInteger(1, y));
    if (x.length != curve.size() || y.length != curve.size() || !curve.holds(point)) {
      throw new KeyMaterialException("its point is not on its curve");
    }
    return PublicKeys.ec(curve, point);
  }

  private Key ed25519() throws GeneralSecurityException, KeyMaterialException {
    byte[] encoded = bytes("x");
    if (!required("crv").equals("Ed25519") || encoded.length != Ed25519.LENGTH) {
      throw new KeyMaterialException("its curve is unknown, or its point is not on the curve");
    }
    return Ed25519.key(encoded);
  }

  private static Key secret(byte[] bytes) {
    return new SecretKeySpec(bytes, "HMAC");
  }

  /** x5c is in base64 with padding, unlike all else (RFC 7517, 4.7). */
  private List<X509Certificate> chain(Key key) throws KeyMaterialException {
    List<X509Certificate> chain = new ArrayList<>();
    for (String text : texts("x5c")) {
      if (chain.size() == LONGEST_CHAIN) {
        throw new KeyMaterialException("its x5c is longer than " + LONGEST_CHAIN);
      }
      try {
        chain.add(Certificates.read(Base64.getDecoder().decode(text)));
      } catch (IllegalArgumentException _) {
        throw new KeyMaterialException("its x5c is not base64");
      }
    }
    if (!chain.isEmpty() && !Arrays.equals(chain.getFirst().getPublicKey().getEncoded(), key.getEncoded())) {
      throw new KeyMaterialException("its x5c is of another key");
    }
    return chain;
  }

  /** Padding should not be there, but some issuers write it. */
  private byte[] bytes(String name) throws KeyMaterialException {
    return Base64Url.bytes(required(name).replaceFirst("={1,2}$", "")).filter(bytes -> bytes.length > 0)
        .orElseThrow(() -> new KeyMaterialException("its " + name + " is not base64url"));
  }

  private String required(String name) throws KeyMaterialException {
    return text(name).orElseThrow(() -> new KeyMaterialException("it has no " + name));
  }

  private Optional<String> text(String name) throws KeyMaterialException {
    Optional<Value> value = jwk.get(name).filter(given -> !(given instanceof Value.Null));
    if (value.isPresent() && !(value.get() instanceof Value.Str)) {
      throw new KeyMaterialException("its " + name + " is not a string");
    }
    return value.map(text -> ((Value.Str) text).value());
  }

  private List<String> texts(String name) throws KeyMaterialException {
    List<String> texts = new ArrayList<>();
    Value value = jwk.get(name).orElse(Value.Array.EMPTY);
    if (!(value instanceof Value.Array array)) {
      throw new KeyMaterialException("its " + name + " is not a list");
    }
    for (Value item : array.items()) {
      texts.add(item instanceof Value.Str text ? text.value() : "");
    }
    return texts;
  }
}

package portcullis.crypto.keys;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * The public halves of our own keys as a JWK Set (RFC 7517); immutable.
 *
 * @param json the document; that of no keys has an empty list
 * @param etag a strong entity tag with its quotes (RFC 9110, 8.8.3); the same for the same keys in the same order
 */
public record PublishedKeys(Value.Dict document, String json, String etag) {
  /** Returns the keys to publish, one of several stores once; two keys with the same id are an error. */
  public static PublishedKeys of(Collection<KeyEntry> entries) throws KeyMaterialException {
    Map<String, Value> byId = new LinkedHashMap<>();
    for (KeyEntry entry : entries) {
      Value.Dict jwk = jwk(entry);
      if (byId.put(entry.id(), jwk) instanceof Value.Dict other && !samePublicKey(other, jwk)) {
        throw new KeyMaterialException("the key id `" + entry.id() + "` is that of two different keys");
      }
    }
    Value.Dict document = Value.dict("keys", new Value.Array(byId.values().stream().toList()));
    String json = JsonText.plain(document);
    return new PublishedKeys(document, json, "\"" + digest(json) + "\"");
  }

  private static boolean samePublicKey(Value.Dict one, Value.Dict other) {
    return Arrays.stream(new String[] {"kty", "crv", "n", "e", "x", "y"})
        .allMatch(name -> one.get(name).equals(other.get(name)));
  }

  private static String digest(String json) {
    return Base64Url.text(Arrays.copyOf(Jca.sha256().digest(json.getBytes(StandardCharsets.UTF_8)), 16));
  }

  /** Returns the public key as JWK: kid, kty and its members, alg, use, and x5c where there is a certificate. */
  public static Value.Dict jwk(KeyEntry entry) {
    Map<String, Value> members = new LinkedHashMap<>();
    members.put("kid", Value.of(entry.id()));
    members.put("use", Value.of("sig"));
    members.put("alg", Value.of(entry.algorithm().text()));
    addKey(members, entry.publicKey());
    if (!entry.chain().isEmpty()) {
      members.put("x5c", new Value.Array(entry.chain().stream().map(PublishedKeys::base64).toList()));
    }
    return new Value.Dict(members);
  }

  private static Value base64(X509Certificate certificate) {
    return Value.of(Base64.getEncoder().encodeToString(Jca.required(certificate::getEncoded)));
  }

  private static void addKey(Map<String, Value> members, PublicKey key) {
    switch (key) {
      case RSAPublicKey rsa -> {
        members.put("kty", Value.of("RSA"));
        members.put("n", number(rsa.getModulus(), (rsa.getModulus().bitLength() + 7) / 8));
        members.put("e", number(rsa.getPublicExponent(), (rsa.getPublicExponent().bitLength() + 7) / 8));
      }
      case ECPublicKey ec -> {
        Curve curve = Curve.of(ec).orElseThrow();
        members.put("kty", Value.of("EC"));
        members.put("crv", Value.of(curve.text()));
        members.put("x", number(ec.getW().getAffineX(), curve.size()));
        members.put("y", number(ec.getW().getAffineY(), curve.size()));
      }
      case EdECPublicKey ed -> {
        members.put("kty", Value.of("OKP"));
        members.put("crv", Value.of("Ed25519"));
        members.put("x", point(ed));
      }
      default -> throw new IllegalArgumentException("a key of another kind than RSA, EC, Ed25519");
    }
  }

  private static Value number(BigInteger number, int size) {
    byte[] signed = number.toByteArray();
    byte[] out = new byte[size];
    int length = Math.min(size, signed.length);
    System.arraycopy(signed, signed.length - length, out, size - length, length);
    return Value.of(Base64Url.text(out));
  }

  /** The last 32 bytes of the encoded key are the point as RFC 8032, 5.1.2 has it. */
  private static Value point(EdECPublicKey key) {
    byte[] encoded = key.getEncoded();
    return Value.of(Base64Url.text(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length)));
  }
}

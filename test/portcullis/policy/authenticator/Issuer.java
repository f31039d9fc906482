package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** One key of an issuer, P-256 unless told otherwise, and what is signed with it. */
record Issuer(KeyEntry key) {
  static Issuer of(String keyId) {
    return of(keyId, TestKeys.ec(256), Algorithm.ES256);
  }

  static Issuer of(String keyId, KeyPair keys, Algorithm algorithm) {
    return new Issuer(new KeyEntry(keyId, keys.getPrivate(), keys.getPublic(), List.of(), algorithm));
  }

  /** One whose key has a certificate. */
  static Issuer of(String keyId, TestCertificate certificate, TestCertificate... issuers) {
    List<X509Certificate> chain = new ArrayList<>(List.of(certificate.certificate()));
    Arrays.stream(issuers).forEach(issuer -> chain.add(issuer.certificate()));
    return new Issuer(
        new KeyEntry(keyId, certificate.keys().getPrivate(), certificate.keys().getPublic(), chain, Algorithm.ES256));
  }

  /** Another key under the same id. */
  Issuer rotated() {
    return of(key.id());
  }

  /** A key set of these keys, in their order. */
  static String jwks(Issuer... issuers) {
    return jwks(Arrays.stream(issuers).map(issuer -> (Value) PublishedKeys.jwk(issuer.key)).toArray(Value[]::new));
  }

  static String jwks(Value... keys) {
    return JsonText.plain(Value.dict("keys", Value.of(keys)));
  }

  /** The key as it is published. */
  Value.Dict jwk() {
    return PublishedKeys.jwk(key);
  }

  /** With that value of the member, or without the member. */
  static Value.Dict with(Value.Dict jwk, String name, Optional<Value> value) {
    Map<String, Value> members = new LinkedHashMap<>(jwk.members());
    members.remove(name);
    value.ifPresent(v -> members.put(name, v));
    return new Value.Dict(members);
  }

  /** A token with these claims, a JSON object. */
  String token(String claims) {
    return token("{\"alg\":\"" + key.algorithm().text() + "\",\"kid\":\"" + key.id() + "\"}", claims);
  }

  String algorithm() {
    return key.algorithm().text();
  }

  /** @param header a JSON object */
  String token(String header, String claims) {
    String signed = encoded(header) + "." + encoded(claims);
    return signed + "."
        + Base64Url.text(key.algorithm().sign(key.privateKey(), signed.getBytes(StandardCharsets.US_ASCII)));
  }

  /** A token that names another key than signed it. */
  String tokenOfKey(String keyId, String claims) {
    return token("{\"alg\":\"" + key.algorithm().text() + "\",\"kid\":\"" + keyId + "\"}", claims);
  }

  /** A token that names no key. */
  String tokenOfNoKey(String claims) {
    return token("{\"alg\":\"" + key.algorithm().text() + "\"}", claims);
  }

  static String encoded(String text) {
    return Base64Url.text(text.getBytes(StandardCharsets.UTF_8));
  }
}

package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRing;

/** The request, keys and signatures of RFC 9421, B.1 and B.2, as far as they are of requests and public keys. */
class SignatureVectorsTest {
  private static final String RSA = """
      MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs\
      8ct+Lh1GH45x28Rw3Ry5
      3mm+oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokq\
      ltd11nqqzi+bJ9cvSKAD
      YdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdD\
      Op9LCNCN48V2pnDOkFV6
      +U9nV5oyc6XI2wIDAQAB""";
  private static final String ED25519 = """
      -----BEGIN PRIVATE KEY-----
      X-Key-ID: test-key-ed25519

      MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
      -----END PRIVATE KEY-----
      """;
  private static final String B_2_2 = """
      LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkSowOB\
      4+ECxCmT8rtAmj/0PIXx
      i0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZ\
      UJcsIk4N6wiKYd4je2U/
      lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==""";
  private static final String B_2_3 = """
      bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrC\
      Ub38K0fUxN0O0iC59DzY
      x8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipw\
      vKvfrs65ldmlu9bpG6A9
      BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==""";
  private static final String B_2_6 = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv"
      + "5lIp5WPpBKRCw==";

  private static HttpCall request() {
    HttpCall call = new HttpCall("POST", URI.create("https://example.com/foo?param=Value&Pet=dog"),
        "{\"hello\": \"world\"}".getBytes(US_ASCII), Optional.empty());
    call.add("Date", "Tue, 20 Apr 2021 02:07:55 GMT");
    call.add("Content-Type", "application/json");
    call.add("Content-Digest",
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:");
    return call;
  }

  private static byte[] base(String parameters, String... components) throws CallFailure {
    List<SignatureComponent> parsed = Arrays.stream(components).map(c -> SignatureComponent.parse(c).orElseThrow())
        .toList();
    String list = String.join(" ", parsed.stream().map(SignatureComponent::identifier).toList());
    return new SignatureBase(request()).of(parsed, "(" + list + ");created=1618884473;" + parameters);
  }

  private static PublicKey rsa() throws GeneralSecurityException {
    return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(bytes(RSA)));
  }

  private static byte[] bytes(String base64) {
    return Base64.getMimeDecoder().decode(base64);
  }

  @Test
  void theSignatureOfSelectedComponentsHolds() throws Exception {
    byte[] base = base("keyid=\"test-key-rsa-pss\";tag=\"header-example\"", "@authority", "content-digest",
        "@query-param;name=\"Pet\"");
    assertTrue(Algorithm.PS512.verify(rsa(), base, bytes(B_2_2)));
  }

  @Test
  void theSignatureOfEverythingHolds() throws Exception {
    byte[] base = base("keyid=\"test-key-rsa-pss\"", "date", "@method", "@path", "@query", "@authority", "content-type",
        "content-digest",
        "content-length");
    assertTrue(Algorithm.PS512.verify(rsa(), base, bytes(B_2_3)));
  }

  @Test
  void ed25519MakesTheSameSignature() throws Exception {
    byte[] base = base("keyid=\"test-key-ed25519\"", "date", "@method", "@path", "@authority", "content-type",
        "content-length");
    assertEquals("""
        "date": Tue, 20 Apr 2021 02:07:55 GMT
        "@method": POST
        "@path": /foo
        "@authority": example.com
        "content-type": application/json
        "content-length": 18
        "@signature-params": ("date" "@method" "@path" "@authority" "content-type" \
        "content-length");created=1618884473;keyid="test-key-ed25519\"""",
        new String(base, US_ASCII));
    KeyEntry key = KeyRing.parse(ED25519, "", Instant.now()).first();
    assertEquals(B_2_6, Base64.getEncoder().encodeToString(key.algorithm().sign(key.privateKey(), base)));
  }
}

package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static portcullis.crypto.jwt.TestTokens.dict;
import static portcullis.crypto.jwt.TestTokens.encoded;
import static portcullis.crypto.jwt.TestTokens.jwk;
import static portcullis.crypto.jwt.TestTokens.token;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;
import portcullis.fixture.TestKeys;

class VerificationTest {
  private static final Set<Algorithm> ALL = EnumSet.allOf(Algorithm.class);
  private static final Set<Algorithm> DEFAULT = Expectations.DEFAULT_ALGORITHMS;
  private static final String OTHER_ALGORITHM = "algorithm in the JWT header does not match the algorithm referenced "
      + "in the key";
  private static final String BAD_SIGNATURE = "failed to verify JWT signature";
  private static final String NONE_FITS = "None of the keys received from the JWKS endpoint could be used to verify "
      + "the JWT";

  private static JwkSet set(Jwk... keys) {
    return new JwkSet(List.of(keys), List.of());
  }

  private static VerifiedToken verified(String token, JwkSet keys, Set<Algorithm> allowed) throws TokenException {
    return Verification.verify(CompactToken.parse(token), keys, allowed);
  }

  private static String refusal(TokenException.Kind kind, String token, JwkSet keys, Set<Algorithm> allowed) {
    TokenException error = assertThrows(TokenException.class, () -> verified(token, keys, allowed));
    assertEquals(kind, error.kind());
    return error.getMessage();
  }

  private static String refused(String token, JwkSet keys, Set<Algorithm> allowed) {
    TokenException error = assertThrows(TokenException.class, () -> verified(token, keys, allowed));
    assertEquals(
        error.getMessage().equals(BAD_SIGNATURE) ? TokenException.Kind.BAD_SIGNATURE : TokenException.Kind.REFUSED,
        error.kind());
    return error.getMessage();
  }

  private static String unknownKey(String token, JwkSet keys) {
    return refusal(TokenException.Kind.UNKNOWN_KEY, token, keys, DEFAULT);
  }

  @ParameterizedTest
  @EnumSource(names = {"ES384", "ES512"}, mode = EnumSource.Mode.EXCLUDE)
  void verifiesEveryAlgorithmWhereItIsAllowedOnly(Algorithm algorithm) throws TokenException {
    JwkSet keys = set(jwk("k", algorithm));
    String token = token("k", algorithm);
    assertEquals(dict("{\"iss\":\"a\"}"), verified(token, keys, Set.of(algorithm)).claims());
    Set<Algorithm> others = EnumSet.complementOf(EnumSet.of(algorithm));
    assertEquals(algorithm.text() + " algorithm is not allowed", refused(token, keys, others));
  }

  @Test
  void keyDecidesTheAlgorithm() {
    for (Algorithm published : ALL) {
      for (Algorithm used : ALL) {
        if (used != published && used.fits(TestTokens.signing(used))) {
          assertEquals(OTHER_ALGORITHM, refused(token("k", used), set(jwk("k", published)), ALL));
        }
      }
    }
  }

  @Test
  void keyWithoutAlgorithmVerifiesNothing() {
    Jwk silent = new Jwk(Optional.of("k"), Optional.empty(), TestTokens.EC.getPublic(), List.of());
    assertEquals(OTHER_ALGORITHM, refused(token("k", Algorithm.ES256), set(silent), ALL));
  }

  /** The attack of 2015: an HMAC whose secret is the public key, in any of its forms. */
  @Test
  void rejectsPublicKeysAsHmacSecrets() {
    byte[] der = TestTokens.RSA.getPublic().getEncoded();
    String pem = TestKeys.pem("PUBLIC KEY", der);
    Jwk lying = new Jwk(Optional.of("k"), Optional.of(Algorithm.HS256), TestTokens.RSA.getPublic(), List.of());
    for (byte[] secret : List.of(der, pem.getBytes(StandardCharsets.US_ASCII),
        pem.strip().getBytes(StandardCharsets.US_ASCII))) {
      String signed = encoded("{\"alg\":\"HS256\",\"kid\":\"k\"}") + "." + encoded("{\"iss\":\"a\"}");
      byte[] mac = Algorithm.HS256.sign(new SecretKeySpec(secret, "HMAC"), signed.getBytes(StandardCharsets.US_ASCII));
      String token = signed + "." + Base64Url.text(mac);
      assertEquals(OTHER_ALGORITHM, refused(token, set(jwk("k", Algorithm.PS256)), ALL));
      assertEquals(BAD_SIGNATURE, refused(token, set(lying), ALL));
    }
  }

  @Test
  void rejectsForgedSignatures() throws TokenException {
    JwkSet keys = set(jwk("e", Algorithm.ES256), jwk("p", Algorithm.PS256));
    for (String id : List.of("e", "p")) {
      String right = token(id, id.equals("e") ? Algorithm.ES256 : Algorithm.PS256);
      verified(right, keys, DEFAULT);
      String signed = right.substring(0, right.lastIndexOf('.') + 1);
      byte[] signature = Base64Url.bytes(right.substring(signed.length())).orElseThrow();
      for (byte[] forged : List.of(new byte[0], new byte[1], new byte[signature.length], new byte[10_000],
          Arrays.copyOf(signature, signature.length - 1), Arrays.copyOf(signature, signature.length + 1))) {
        assertEquals(BAD_SIGNATURE, refused(signed + Base64Url.text(forged), keys, DEFAULT));
      }
      String exchanged = right.replace(encoded("{\"iss\":\"a\"}"), encoded("{\"iss\":\"b\"}"));
      assertEquals(BAD_SIGNATURE, refused(exchanged, keys, DEFAULT));
    }
  }

  @Test
  void rejectsSignaturesOfTheOtherRsaPadding() {
    String token = token("{\"alg\":\"PS256\",\"kid\":\"k\"}", "{}", Algorithm.RS256);
    assertEquals(BAD_SIGNATURE, refused(token, set(jwk("k", Algorithm.PS256)), ALL));
  }

  @Test
  void ignoresKeysInTheToken() throws TokenException {
    JwkSet keys = set(jwk("k", Algorithm.ES256));
    for (String own : List.of("\"jku\":\"http://evil.test/jwks\"", "\"x5u\":\"http://evil.test/c\"",
        "\"x5c\":[\"AQID\"]",
        "\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}")) {
      String header = "{\"alg\":\"ES256\",\"kid\":\"k\"," + own + "}";
      verified(token(header, "{}", Algorithm.ES256), keys, DEFAULT);
      assertEquals(BAD_SIGNATURE, refused(token(header.replace("ES256", "PS256"), "{}", Algorithm.RS256),
          set(jwk("k", Algorithm.PS256)), DEFAULT));
    }
  }

  @Test
  void keyIdsAreComparedAndNotInterpreted() throws TokenException {
    JwkSet keys = set(jwk("k", Algorithm.ES256), jwk("K", Algorithm.PS256));
    verified(token("k", Algorithm.ES256), keys, DEFAULT);
    for (String id : List.of("x", "../k", "k' OR '1'='1", "http://evil.test/k", " k", "k\\u0000")) {
      String shown = id.replace("\\u0000", "?");
      assertEquals("no (unique) key found for the keyID='" + shown + "' referenced in the JWT",
          unknownKey(token(id, Algorithm.ES256), keys));
    }
    assertEquals(161, unknownKey(token("k".repeat(5000), Algorithm.ES256), keys).length());
  }

  @Test
  void anIdOfTwoKeysNamesNone() throws TokenException {
    JwkSet keys = set(jwk("k", Algorithm.ES256), jwk("k", Algorithm.ES256), jwk("p", Algorithm.PS256));
    assertEquals("no (unique) key found for the keyID='k' referenced in the JWT",
        unknownKey(token("k", Algorithm.ES256), keys));
    verified(token("{\"alg\":\"ES256\"}", "{}", Algorithm.ES256), keys, DEFAULT);
  }

  @Test
  void withoutIdTheFirstKeyThatFitsVerifies() throws TokenException {
    Jwk nameless = new Jwk(Optional.empty(), Optional.of(Algorithm.ES256), TestTokens.EC.getPublic(), List.of());
    Jwk other = new Jwk(Optional.of("o"), Optional.of(Algorithm.ES256), TestKeys.ec(256).getPublic(), List.of());
    String token = token("{\"alg\":\"ES256\"}", "{}", Algorithm.ES256);
    assertEquals(nameless, verified(token, set(jwk("p", Algorithm.PS256), other, nameless), DEFAULT).key());
    assertEquals(NONE_FITS, unknownKey(token, set(jwk("p", Algorithm.PS256), other)));
    assertEquals(NONE_FITS, unknownKey(token, set()));
    assertEquals("EdDSA algorithm is not allowed",
        refused(token("{\"alg\":\"EdDSA\"}", "{}", Algorithm.EDDSA), set(), DEFAULT));
    assertEquals("no (unique) key found for the keyID='k' referenced in the JWT",
        unknownKey(token("k", Algorithm.ES256), set(nameless)));
  }

  @Test
  void withoutIdAKeyVerifiesItsOwnAlgorithmOnly() throws TokenException {
    String token = token("{\"alg\":\"RS256\"}", "{}", Algorithm.RS256);
    verified(token, set(jwk("p", Algorithm.PS256), jwk("r", Algorithm.RS256)), ALL);
    Jwk silent = new Jwk(Optional.of("s"), Optional.empty(), TestTokens.RSA.getPublic(), List.of());
    for (Jwk key : List.of(jwk("p", Algorithm.PS256), jwk("r", Algorithm.RS512), silent)) {
      assertEquals(NONE_FITS, refusal(TokenException.Kind.UNKNOWN_KEY, token, set(key), ALL));
    }
  }

  /** An expired token that is not signed well is not signed well: nobody gets to its claims. */
  @Test
  void verifiesTheSignatureBeforeTheClaims() {
    String expired = token("{\"alg\":\"ES256\",\"kid\":\"k\"}", "{\"iss\":\"nobody\",\"exp\":1}", Algorithm.ES256);
    String forged = expired.substring(0, expired.lastIndexOf('.')) + "." + Base64Url.text(new byte[64]);
    assertEquals(BAD_SIGNATURE, refused(forged, set(jwk("k", Algorithm.ES256)), DEFAULT));
  }
}

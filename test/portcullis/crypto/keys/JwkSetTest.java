package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

class JwkSetTest {
  private static final KeyPair EC = TestKeys.ec(256);
  private static final KeyPair ED = TestKeys.ed25519();
  private static final TestCertificate GATE = CertificateDraft.of("gate").keys(EC).make();

  private static Value.Dict jwk(KeyPair keys) throws KeyMaterialException {
    return PublishedKeys
        .jwk(new KeyEntry("k", keys.getPrivate(), keys.getPublic(), List.of(), Algorithm.of(keys.getPublic())));
  }

  private static Value.Dict with(Value.Dict jwk, String name, Value value) {
    Map<String, Value> members = new LinkedHashMap<>(jwk.members());
    members.put(name, value);
    return new Value.Dict(members);
  }

  private static Value.Dict without(Value.Dict jwk, String name) {
    Map<String, Value> members = new LinkedHashMap<>(jwk.members());
    members.remove(name);
    return new Value.Dict(members);
  }

  private static JwkSet set(Value... keys) throws KeyMaterialException {
    return JwkSet.read(Value.dict("keys", Value.of(keys)));
  }

  private static String ignored(Value.Dict jwk) throws KeyMaterialException {
    JwkSet set = set(jwk);
    assertEquals(List.of(), set.keys());
    return set.ignored().getFirst();
  }

  @Test
  void readsPublicKeysOfEveryKind() throws KeyMaterialException {
    for (KeyPair keys : List.of(TestKeys.rsa(), EC, TestKeys.ec(384), TestKeys.ec(521), TestKeys.ec(521),
        TestKeys.ed25519(),
        TestKeys.ed25519(), TestKeys.ed25519())) {
      Jwk jwk = set(jwk(keys)).keys().getFirst();
      assertEquals(keys.getPublic(), jwk.key());
      assertEquals(Optional.of("k"), jwk.keyId());
      assertEquals(Optional.of(Algorithm.of(keys.getPublic())), jwk.algorithm());
    }
    Value.Dict oct = new Value.Dict(Map.of("kty", Value.of("oct"), "k", Value.of("AQID"), "alg", Value.of("HS256")));
    Jwk secret = set(oct).keys().getFirst();
    assertEquals(" (HS256)", secret.toString());
    assertEquals(3, secret.key().getEncoded().length);
  }

  @Test
  void oneOddKeyDoesNotSpoilTheSet() throws KeyMaterialException {
    JwkSet set = set(with(jwk(EC), "kty", Value.of("PQC")), jwk(EC), Value.of("text"), Value.NULL,
        with(jwk(EC), "x", Value.of("AAAA")));
    assertEquals(1, set.keys().size());
    assertEquals(
        List.of("keys[0]: its kind is not known", "keys[2]: it is not an object", "keys[3]: it is not an object",
            "keys[4]: its point is not on its curve"),
        set.ignored());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      kty     | null        | keys[0]: it has no kty
      kty     | {}          | keys[0]: its kty is not a string
      kty     | "oct"       | keys[0]: it has no k
      crv     | "secp256k1" | keys[0]: its curve is not known
      crv     | "P-384"     | keys[0]: its point is not on its curve
      x       | ""          | keys[0]: its x is not base64url
      x       | "a b"       | keys[0]: its x is not base64url
      x       | 7           | keys[0]: its x is not a string
      y       | "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE" | keys[0]: its point is not on its curve
      kid     | 7           | keys[0]: its kid is not a string
      alg     | ["ES256"]   | keys[0]: its alg is not a string
      use     | "enc"       | keys[0]: its use is not `sig`
      key_ops | ["sign"]    | keys[0]: its key_ops do not have `verify`
      key_ops | "verify"    | keys[0]: its key_ops is not a list
      x5c     | "text"      | keys[0]: its x5c is not a list
      x5c     | ["AQID"]    | keys[0]: it is not a usable certificate
      x5c     | ["A-_D"]    | keys[0]: its x5c is not base64
      x5c     | [7]         | keys[0]: it is not a usable certificate
      """)
  void ignoresKeysThatAreWrong(String name, String json, String expected) throws Exception {
    assertEquals(expected, ignored(with(jwk(EC), name, Json.read(json))));
  }

  @ParameterizedTest
  @CsvSource({"crv, X25519", "crv, Ed448", "x, AAAA", "x, AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
  void ignoresOctetKeysOfOtherCurvesAndLengths(String name, String text) throws Exception {
    assertEquals("keys[0]: its curve is unknown, or its point is not on the curve",
        ignored(with(jwk(ED), name, Value.of(text))));
  }

  /** The JDK finds out only when it is asked to verify; that is a signature like any bad one. */
  @Test
  void pointsThatAreNoneOfEd25519VerifyNothing() throws KeyMaterialException {
    byte[] content = {1};
    for (int i = 0; i < 256; i++) {
      byte[] point = new byte[32];
      point[0] = (byte) i;
      point[31] = (byte) (i * 7);
      Value.Dict jwk = with(jwk(ED), "x", Value.of(Base64Url.text(point)));
      for (Jwk read : set(jwk).keys()) {
        assertFalse(Algorithm.EDDSA.verify(read.key(), content, Algorithm.EDDSA.sign(ED.getPrivate(), content)));
      }
    }
  }

  @Test
  void ignoresRsaKeysOfOddNumbers() throws KeyMaterialException {
    Value.Dict rsa = jwk(TestKeys.rsa());
    assertEquals("keys[0]: an RSA key of 24 bits is not accepted", ignored(with(rsa, "n", Value.of("_wAB"))));
    for (int bits : new int[] {2047, 8193}) {
      assertEquals("keys[0]: an RSA key of " + bits + " bits is not accepted", ignored(with(rsa, "n", number(bits))));
    }
    for (Value usual : List.of(number(2048), number(8192))) {
      assertEquals(1, set(with(rsa, "n", usual)).keys().size());
    }
    for (Value usual : List.of(number(2), number(17), number(32))) {
      assertEquals(1, set(with(rsa, "e", usual)).keys().size());
    }
    assertEquals("keys[0]: its exponent is not accepted", ignored(with(rsa, "e", number(33))));
    for (String exponent : List.of("AQ", "BA", "AQABAQABAQAB")) {
      assertEquals("keys[0]: its exponent is not accepted", ignored(with(rsa, "e", Value.of(exponent))));
    }
    assertEquals(1, set(with(rsa, "e", Value.of("AQAB="))).keys().size());
  }

  /** The least odd number of so many bits. */
  private static Value number(int bits) {
    return Value.of(Base64.getUrlEncoder().withoutPadding()
        .encodeToString(BigInteger.ONE.shiftLeft(bits - 1).setBit(0).toByteArray()));
  }

  @Test
  void anUnknownOrMissingAlgorithmLeavesTheKeyWithoutOne() throws KeyMaterialException {
    assertEquals(Optional.empty(), set(without(jwk(EC), "alg")).keys().getFirst().algorithm());
    assertEquals(Optional.empty(), set(with(jwk(EC), "alg", Value.of("none"))).keys().getFirst().algorithm());
    assertEquals(Optional.empty(), set(with(jwk(EC), "alg", Value.of("ECDH-ES"))).keys().getFirst().algorithm());
  }

  @Test
  void theCertificateIsThatOfTheKey() throws KeyMaterialException {
    Value chain = Value.of(Value.of(Base64.getEncoder().encodeToString(GATE.der())));
    assertEquals(List.of(GATE.certificate()), set(with(jwk(EC), "x5c", chain)).keys().getFirst().chain());
    assertEquals("keys[0]: its x5c is of another key", ignored(with(jwk(TestKeys.ec(256)), "x5c", chain)));
    Value[] eleven = new Value[11];
    Arrays.fill(eleven, ((Value.Array) chain).items().getFirst());
    assertEquals("keys[0]: its x5c is longer than 10", ignored(with(jwk(EC), "x5c", Value.of(eleven))));
  }

  @Test
  void laterChangesOfItsListsHaveNoEffect() {
    List<String> ignored = new ArrayList<>(List.of("keys[0]: odd"));
    List<Jwk> keys = new ArrayList<>();
    JwkSet set = new JwkSet(keys, ignored);
    ignored.clear();
    keys.add(null);
    assertEquals(List.of("keys[0]: odd"), set.ignored());
    assertEquals(List.of(), set.keys());
  }

  @Test
  void findsKeysByTheirExactId() throws KeyMaterialException {
    JwkSet set = set(jwk(EC), with(jwk(EC), "kid", Value.of("K")), without(jwk(EC), "kid"),
        with(jwk(EC), "kid", Value.of("")));
    assertEquals(4, set.keys().size());
    assertEquals(List.of(1, 1, 0, 0), List.of(set.withId("k").size(), set.withId("K").size(), set.withId("").size(),
        set.withId("../k").size()));
    assertEquals(2, set(jwk(EC), jwk(EC)).withId("k").size());
  }

  @Test
  void refusesWhatIsNoSet() throws Exception {
    for (String json : List.of("[]", "{}", "null", "7", "{\"keys\":{}}", "{\"keys\":null}")) {
      assertEquals("no JWK set: expected an object with a list `keys`",
          assertThrows(KeyMaterialException.class, () -> JwkSet.read(Json.read(json))).getMessage());
    }
    assertTrue(JwkSet.read(Json.read("{\"keys\":[]}")).keys().isEmpty());
    Value[] many = new Value[1001];
    Arrays.fill(many, Value.NULL);
    assertThrows(KeyMaterialException.class, () -> set(many));
  }

  @Test
  void aSetHasAThousandKeysAtMost() throws Exception {
    Value[] most = new Value[1000];
    Arrays.fill(most, Value.NULL);
    assertEquals(1000, set(most).ignored().size());
    Value[] more = Arrays.copyOf(most, 1001);
    more[1000] = Value.NULL;
    assertEquals("no usable JWK set: more than 1000 keys",
        assertThrows(KeyMaterialException.class, () -> set(more)).getMessage());
  }

  @Test
  void aChainHasTenCertificatesAtMost() throws KeyMaterialException {
    Value[] ten = new Value[10];
    Arrays.fill(ten, Value.of(Base64.getEncoder().encodeToString(GATE.der())));
    assertEquals(10, set(with(jwk(EC), "x5c", Value.of(ten))).keys().getFirst().chain().size());
  }

  @Test
  void nullIsLikeAbsent() throws KeyMaterialException {
    Jwk jwk = set(with(with(with(jwk(EC), "use", Value.NULL), "alg", Value.NULL), "kid", Value.NULL)).keys()
        .getFirst();
    assertEquals(" (no algorithm)", jwk.toString());
    assertEquals(List.of(), jwk.chain());
  }

  @Test
  void operationsIncludeToVerify() throws Exception {
    assertEquals(1, set(with(jwk(EC), "key_ops", Json.read("[\"sign\",\"verify\"]"))).keys().size());
    assertEquals(1, set(with(jwk(EC), "use", Value.of("sig"))).keys().size());
    assertEquals("keys[0]: its key_ops do not have `verify`", ignored(with(jwk(EC), "key_ops", Json.read("[7]"))));
  }

  /** RFC 7518, 6.2.1.2: the length is that of the curve, also where the number is shorter. */
  @ParameterizedTest
  @CsvSource({"x", "y"})
  void coordinatesHaveNoZeroInFront(String name) throws KeyMaterialException {
    byte[] exact = Base64Url.bytes(((Value.Str) jwk(EC).get(name).orElseThrow()).value()).orElseThrow();
    byte[] longer = new byte[exact.length + 1];
    System.arraycopy(exact, 0, longer, 1, exact.length);
    assertEquals("keys[0]: its point is not on its curve",
        ignored(with(jwk(EC), name, Value.of(Base64Url.text(longer)))));
  }
}

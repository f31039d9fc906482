package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Value;

class PublishedKeysTest {
  private static final Instant NOW = Instant.now();

  private static KeyEntry entry(KeyPair keys) throws KeyMaterialException {
    return KeyRing.parse(TestKeys.pem(keys), "", NOW).first();
  }

  @Test
  void noKeysAreAnEmptyList() throws KeyMaterialException {
    assertEquals("{\"keys\":[]}", PublishedKeys.of(List.of()).json());
  }

  @Test
  void publishesTheMembersThatTheReferencePublishes() throws Exception {
    KeyPair keys = TestKeys.ec(256);
    ECPoint point = ((ECPublicKey) keys.getPublic()).getW();
    String id = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(keys.getPublic().getEncoded()));
    assertEquals("{\"keys\":[{\"alg\":\"ES256\",\"crv\":\"P-256\",\"kid\":\"" + id
        + "\",\"kty\":\"EC\",\"use\":\"sig\",\"x\":\"" + coordinate(point.getAffineX())
        + "\",\"y\":\"" + coordinate(point.getAffineY()) + "\"}]}",
        PublishedKeys.of(List.of(entry(keys))).json());
  }

  /** 32 bytes, the first one the highest (RFC 7518, 6.2.1.2). */
  private static String coordinate(BigInteger number) {
    byte[] bytes = HexFormat.of().parseHex(String.format("%064x", number));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Test
  void publishesNothingPrivate() throws KeyMaterialException {
    for (KeyPair keys : List.of(TestKeys.rsa(), TestKeys.ec(521), TestKeys.ed25519())) {
      Value.Dict jwk = PublishedKeys.jwk(entry(keys));
      for (String name : List.of("d", "p", "q", "dp", "dq", "qi", "k", "oth")) {
        assertTrue(jwk.get(name).isEmpty(), name);
      }
    }
  }

  @Test
  void publishesTheCertificates() throws KeyMaterialException {
    TestCertificate root = CertificateDraft.authority("root");
    TestCertificate leaf = CertificateDraft.of("leaf").issuedBy(root).make();
    KeyEntry entry = KeyRing.parse(leaf.keyStore(root), "", NOW).first();
    assertEquals(Value.Array.ofStrings(List.of(Base64.getEncoder().encodeToString(leaf.der()),
        Base64.getEncoder().encodeToString(root.der()))), PublishedKeys.jwk(entry).get("x5c").orElseThrow());
    assertEquals(entry.chain(), JwkSet.read(PublishedKeys.of(List.of(entry)).document()).keys().getFirst().chain());
  }

  @Test
  void publishesEachKeyOnceAndNoIdTwice() throws KeyMaterialException {
    KeyEntry one = entry(TestKeys.ec(256));
    KeyEntry two = entry(TestKeys.ec(256));
    PublishedKeys published = PublishedKeys.of(List.of(one, two, one));
    assertEquals(2, JwkSet.read(published.document()).keys().size());
    KeyEntry clash = new KeyEntry(one.id(), two.privateKey(), two.publicKey(), List.of(), two.algorithm());
    assertEquals("the key id `" + one.id() + "` is that of two different keys",
        assertThrows(KeyMaterialException.class, () -> PublishedKeys.of(List.of(one, clash))).getMessage());
  }

  private static void clashes(KeyEntry one, PublicKey other) {
    KeyEntry clash = new KeyEntry(one.id(), one.privateKey(), other, List.of(), one.algorithm());
    assertEquals("the key id `" + one.id() + "` is that of two different keys",
        assertThrows(KeyMaterialException.class, () -> PublishedKeys.of(List.of(one, clash))).getMessage());
  }

  @Test
  void keysOfOneIdAreComparedInEveryMember() throws Exception {
    KeyPair rsa = TestKeys.rsa();
    RSAPublicKey key = (RSAPublicKey) rsa.getPublic();
    KeyFactory factory = KeyFactory.getInstance("RSA");
    BigInteger two = BigInteger.TWO;
    clashes(entry(rsa),
        factory.generatePublic(new RSAPublicKeySpec(key.getModulus().subtract(two), key.getPublicExponent())));
    clashes(entry(rsa), factory.generatePublic(new RSAPublicKeySpec(key.getModulus(), BigInteger.valueOf(257))));
    KeyPair ec = TestKeys.ec(256);
    ECPublicKey point = (ECPublicKey) ec.getPublic();
    BigInteger prime = ((ECFieldFp) point.getParams().getCurve().getField()).getP();
    ECPoint mirrored = new ECPoint(point.getW().getAffineX(), prime.subtract(point.getW().getAffineY()));
    clashes(entry(ec),
        KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(mirrored, point.getParams())));
    clashes(entry(TestKeys.ed25519()), TestKeys.ed25519().getPublic());
  }

  @Test
  void theTagChangesWithTheKeys() throws KeyMaterialException {
    KeyEntry one = entry(TestKeys.ec(256));
    String tag = PublishedKeys.of(List.of(one)).etag();
    assertTrue(tag.matches("\"[!#-~]{22}\""), tag);
    assertEquals(tag, PublishedKeys.of(List.of(one, one)).etag());
    assertNotEquals(tag, PublishedKeys.of(List.of()).etag());
    assertFalse(tag.startsWith("W/"));
  }

  @Test
  void keysOfOtherKindsAreNotPublished() throws Exception {
    KeyPair agreement = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    KeyEntry entry = new KeyEntry("k", agreement.getPrivate(), agreement.getPublic(), List.of(), Algorithm.EDDSA);
    assertEquals("a key of another kind than RSA, EC, Ed25519",
        assertThrows(IllegalArgumentException.class, () -> PublishedKeys.jwk(entry)).getMessage());
  }

  /** As RFC 7518, 6.3.1.1 has numbers: no octet more than they need. */
  @Test
  void numbersOfRsaKeysHaveNoLeadingZero() throws Exception {
    RSAPublicKey key = (RSAPublicKey) KeyFactory.getInstance("RSA")
        .generatePublic(new RSAPublicKeySpec(BigInteger.ONE.shiftLeft(2047).setBit(0), BigInteger.valueOf(65537)));
    Value.Dict jwk = PublishedKeys
        .jwk(new KeyEntry("k", TestKeys.rsa().getPrivate(), key, List.of(), Algorithm.PS256));
    byte[] modulus = new byte[256];
    modulus[0] = (byte) 0x80;
    modulus[255] = 1;
    assertEquals(Value.of(Base64Url.text(modulus)), jwk.get("n").orElseThrow());
    assertEquals(Value.of("AQAB"), jwk.get("e").orElseThrow());
  }
}

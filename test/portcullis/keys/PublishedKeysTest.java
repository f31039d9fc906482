package portcullis.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyPair;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.value.Value;

class PublishedKeysTest {
  private static final Instant NOW = Instant.now();

  private static KeyEntry entry(KeyPair keys) throws KeyFault {
    return KeyRing.parse(TestKeys.pem(keys), "", NOW).first();
  }

  @Test
  void noKeysAreAnEmptyList() throws KeyFault {
    assertEquals("{\"keys\":[]}", PublishedKeys.of(List.of()).json());
  }

  /** The key of the conformance case finalizer-jwt-jwks-endpoint, as it is expected there. */
  @Test
  void publishesTheMembersThatTheReferencePublishes() throws KeyFault {
    String pem = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIBSFQg9/UxSTAJ8wM8VIJ41YM51GcHze2SwTEp+SNQE/oAoGCCqGSM49
        AwEHoUQDQgAEB/HfnnZtndnxGdacOh5t9vd+Zns+ZWo1+8l8Gmw2NVHqNnJJVRdj
        sFjMH2beKmAjYvzV+QLZo6neFyd3v7DP8A==
        -----END EC PRIVATE KEY-----
        """;
    assertEquals("{\"keys\":[{\"alg\":\"ES256\",\"crv\":\"P-256\",\"kid\":\"508475d6b522c4b9a16578fc93daabe7f12caaee\","
        + "\"kty\":\"EC\",\"use\":\"sig\",\"x\":\"B_HfnnZtndnxGdacOh5t9vd-Zns-ZWo1-8l8Gmw2NVE\","
        + "\"y\":\"6jZySVUXY7BYzB9m3ipgI2L81fkC2aOp3hcnd7-wz_A\"}]}",
        PublishedKeys.of(KeyRing.parse(pem, "", NOW).entries()).json());
  }

  @Test
  void publishesNothingPrivate() throws KeyFault {
    for (KeyPair keys : List.of(TestKeys.rsa(), TestKeys.ec(521), TestKeys.ed25519())) {
      Value.Dict jwk = PublishedKeys.jwk(entry(keys));
      for (String name : List.of("d", "p", "q", "dp", "dq", "qi", "k", "oth")) {
        assertTrue(jwk.get(name).isEmpty(), name);
      }
    }
  }

  @Test
  void publishesTheCertificates() throws KeyFault {
    TestCertificate root = CertificateDraft.authority("root");
    TestCertificate leaf = CertificateDraft.of("leaf").issuedBy(root).make();
    KeyEntry entry = KeyRing.parse(leaf.keyStore(root), "", NOW).first();
    assertEquals(Value.Array.ofTexts(List.of(Base64.getEncoder().encodeToString(leaf.der()),
        Base64.getEncoder().encodeToString(root.der()))), PublishedKeys.jwk(entry).get("x5c").orElseThrow());
    assertEquals(entry.chain(), JwkSet.read(PublishedKeys.of(List.of(entry)).document()).keys().getFirst().chain());
  }

  @Test
  void publishesEachKeyOnceAndNoIdTwice() throws KeyFault {
    KeyEntry one = entry(TestKeys.ec(256));
    KeyEntry two = entry(TestKeys.ec(256));
    PublishedKeys published = PublishedKeys.of(List.of(one, two, one));
    assertEquals(2, JwkSet.read(published.document()).keys().size());
    KeyEntry clash = new KeyEntry(one.id(), two.privateKey(), two.publicKey(), List.of(), two.algorithm());
    assertEquals("the key id `" + one.id() + "` stands for two different keys",
        assertThrows(KeyFault.class, () -> PublishedKeys.of(List.of(one, clash))).getMessage());
  }

  @Test
  void theTagChangesWithTheKeys() throws KeyFault {
    KeyEntry one = entry(TestKeys.ec(256));
    String tag = PublishedKeys.of(List.of(one)).etag();
    assertTrue(tag.matches("\"[!#-~]+\""), tag);
    assertEquals(tag, PublishedKeys.of(List.of(one, one)).etag());
    assertNotEquals(tag, PublishedKeys.of(List.of()).etag());
    assertFalse(tag.startsWith("W/"));
  }
}

package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECPoint;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.DerWriter;
import portcullis.fixture.Expected;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

/** What is read of keys and certificates at the edges of their formats. */
class KeyTablesTest {
  @Test
  void curvesAndSuites() {
    Expected.assertSection("keys.txt", "curves", Stream.of(Curve.values())
        .map(curve -> curve + " " + curve.text() + " " + curve.size() + " " + Curve.named(curve.text()) + " "
            + curve.holds(curve.parameters().getGenerator()))
        .collect(Collectors.joining("\n")) + "\n"
        + Stream.of("1.2.840.10045.3.1.7", "1.3.132.0.34", "1.3.132.0.35",
            "1.3.132.0.10").map(oid -> oid + " " + Curve.ofOid(oid)).collect(Collectors.joining("\n")));
    Expected.assertSection("keys.txt", "cipher suites",
        String.join("\n", CipherSuite.names(TlsVersion.TLS1_2, List.of(CipherSuite.values()))) + "\ndefault "
            + CipherSuite.DEFAULTS + "\n1.3 "
            + List.of(CipherSuite.names(TlsVersion.TLS1_3, CipherSuite.DEFAULTS)));
  }

  @ParameterizedTest
  @EnumSource
  void pointsAndScalarsAreWithinTheirCurve(Curve curve) {
    ECPoint generator = curve.parameters().getGenerator();
    BigInteger x = generator.getAffineX();
    BigInteger y = generator.getAffineY();
    BigInteger prime = curve.negated(generator).getAffineY().add(y);
    assertTrue(curve.holds(curve.negated(generator)));
    assertTrue(List.of(y, prime.subtract(y)).contains(curve.pointAt(x).getAffineY()));
    for (ECPoint beyond : List.of(new ECPoint(x.add(prime), y), new ECPoint(x, y.add(prime)),
        new ECPoint(x.negate(), y), new ECPoint(x, y.negate()), new ECPoint(x, y.add(BigInteger.ONE)),
        new ECPoint(y, x), new ECPoint(BigInteger.ZERO, BigInteger.ZERO))) {
      assertFalse(curve.holds(beyond));
    }
    BigInteger order = curve.parameters().getOrder();
    assertTrue(curve.isScalar(BigInteger.ONE) && curve.isScalar(order.subtract(BigInteger.ONE)));
    assertFalse(curve.isScalar(BigInteger.ZERO) || curve.isScalar(order) || curve.isScalar(BigInteger.ONE.negate()));
    byte[] signature = new byte[2 * curve.size()];
    assertFalse(curve.isPlausible(signature));
    signature[signature.length - 1] = 1;
    assertFalse(curve.isPlausible(signature), "r is 0");
    signature[curve.size() - 1] = 1;
    assertTrue(curve.isPlausible(signature));
    signature[signature.length - 1] = 0;
    assertFalse(curve.isPlausible(signature), "s is 0");
    assertFalse(curve.isPlausible(Arrays.copyOf(signature, signature.length + 1)));
  }

  /** What a provider cannot read or verify is no valid signature. */
  @ParameterizedTest
  @EnumSource
  void signaturesThatTheProviderRefusesAreInvalid(Algorithm algorithm) throws Exception {
    PublicKey broken = new RSAPublicKey() {
      @Override
      public BigInteger getPublicExponent() {
        return BigInteger.TWO;
      }

      @Override
      public BigInteger getModulus() {
        return BigInteger.ONE.shiftLeft(2047);
      }

      @Override
      public String getAlgorithm() {
        return "RSA";
      }

      @Override
      public String getFormat() {
        return null;
      }

      @Override
      public byte[] getEncoded() {
        return null;
      }
    };
    assertFalse(algorithm.verify(broken, new byte[1], new byte[256]));
    for (PublicKey key : List.of(TestKeys.rsa().getPublic(), TestKeys.ec(256).getPublic(), TestKeys.ec(384).getPublic(),
        TestKeys.ec(521).getPublic(), TestKeys.ed25519().getPublic())) {
      for (int length : new int[] {0, 64, 96, 132, 256}) {
        byte[] full = new byte[length];
        Arrays.fill(full, (byte) 0xFF);
        assertFalse(algorithm.verify(key, new byte[1], full));
      }
    }
    for (int length : new int[] {31, 32, 47, 48, 63, 64}) {
      assertEquals(algorithm.isSymmetric() && length * 8 >= Integer.parseInt(algorithm.text().substring(2)),
          algorithm.fits(new SecretKeySpec(new byte[length], "HMAC")), algorithm + " " + length);
    }
    assertThrows(IllegalArgumentException.class,
        () -> algorithm.sign(new SecretKeySpec(new byte[1], "HMAC"), new byte[1]));
  }

  @Test
  void keysOfOtherKindsHaveNoAlgorithm() throws Exception {
    PublicKey agreement = KeyPairGenerator.getInstance("X25519").generateKeyPair().getPublic();
    assertEquals("its kind is not one of RSA, EC, Ed25519",
        assertThrows(KeyMaterialException.class, () -> Algorithm.of(agreement)).getMessage());
    PublicKey other = KeyPairGenerator.getInstance("Ed448").generateKeyPair().getPublic();
    assertEquals("its kind is not one of RSA, EC, Ed25519",
        assertThrows(KeyMaterialException.class, () -> Algorithm.of(other)).getMessage());
    assertFalse(Algorithm.EDDSA.fits(other));
  }

  @Test
  void certificatesEndWhereTheyEnd() {
    byte[] der = CertificateDraft.of("CN=a").make().der();
    assertEquals("something follows the certificate", assertThrows(KeyMaterialException.class,
        () -> Certificates.read(Arrays.copyOf(der, der.length + 1))).getMessage());
    assertEquals("it is not a usable certificate", assertThrows(KeyMaterialException.class,
        () -> Certificates.read(Arrays.copyOf(der, der.length - 1))).getMessage());
  }

  @Test
  void certificatesAreCurrentFromTheFirstToTheLastSecond() throws KeyMaterialException {
    Instant from = Instant.parse("2030-01-01T00:00:00Z");
    Instant to = Instant.parse("2031-01-01T00:00:00Z");
    TestCertificate own = CertificateDraft.of("a").valid(from, to).make();
    String pem = own.keyStore();
    assertEquals(1, KeyRing.parse(pem, "", from).first().chain().size());
    assertEquals(to, KeyRing.parse(pem, "", to).first().expiry().orElseThrow());
    String before = assertThrows(KeyMaterialException.class, () -> KeyRing.parse(pem, "", from.minusSeconds(1)))
        .getMessage();
    assertTrue(before.endsWith(" is not valid before 2030-01-01T00:00:00Z"), before);
    String after = assertThrows(KeyMaterialException.class, () -> KeyRing.parse(pem, "", to.plusSeconds(1)))
        .getMessage();
    assertTrue(after.endsWith(" expired at 2031-01-01T00:00:00Z"), after);
  }

  @Test
  void pemFiles() {
    String body = "-----BEGIN X-----\nAQID\n-----END X-----\n";
    Expected.assertSection("keys.txt", "PEM files", Stream.of("", "text only", body, "text\n" + body + "more\n" + body,
        "-----BEGIN x-----\n", "-----BEGIN -----\n", "----- BEGIN X-----\n", "-----BEGIN X-----\n",
        "-----BEGIN X-----\n-----END X-----\n", "-----BEGIN X-----\nAQID\n-----END Y-----\n",
        "-----BEGIN X-----\nAQI\n-----END X-----\n", "-----BEGIN X-----\nAQ=D\n-----END X-----\n",
        "-----BEGIN X-----\nA*ID\n-----END X-----\n", "-----BEGIN X-----\nA: b\nC : d:e\n\nAQID\n-----END X-----\n",
        "-----BEGIN X-----\n:b\nAQID\n-----END X-----\n", "-----BEGIN X-----\nAQ\nID\n-----END X-----\n",
        "-----BEGIN X-----\nA: b\n", "  -----BEGIN X-----  \n AQ== \n -----END X----- ",
        "-----BEGIN X-----\nAQID\n-----BEGIN X-----\n", body.repeat(2000), body.repeat(2001),
        body.replace("X", "X".repeat(41)), body.replace("X", "X".repeat(42)))
        .map(
            text -> (text.length() > 150 ? text.length() + " characters" : text).replace("\n", "/") + " | " + pem(text))
        .collect(Collectors.joining("\n")));
  }

  private static String pem(String text) {
    try {
      List<PemBlock> blocks = PemReader.blocks(text);
      return blocks.size() > 2 ? blocks.size() + " entries"
          : blocks.stream()
              .map(block -> block.place() + " " + Arrays.toString(block.der()) + " " + new TreeMap<>(block.headers()))
              .collect(Collectors.joining("; "));
    } catch (KeyMaterialException e) {
      return e.getMessage();
    }
  }

  @Test
  void keyStores() {
    String key = TestKeys.pem(TestKeys.ec(256));
    String parameters = TestKeys.pem("EC PARAMETERS", DerWriter.oid("1.2.840.10045.3.1.7"));
    String certificate = CertificateDraft.of("other").make().pem();
    String named = key.replaceFirst("\n", "\nX-Key-ID: k\n\n");
    Expected.assertSection("keys.txt", "key stores", Stream.of("", certificate, parameters, key + parameters,
        key + certificate, TestKeys.pem("PUBLIC KEY", TestKeys.ec(256).getPublic().getEncoded()), named + named,
        named + key, TestKeys.pem("PRIVATE KEY", new byte[] {1, 2, 3}),
        TestKeys.pem("EC PRIVATE KEY", new byte[] {48, 0}),
        TestKeys.pem("CERTIFICATE", new byte[] {1})).map(KeyTablesTest::store).collect(Collectors.joining("\n")));
  }

  private static String store(String pem) {
    try {
      return KeyRing.parse(pem, "", Instant.now()).entries().size() + " keys";
    } catch (KeyMaterialException e) {
      // as long as the provider writes it
      return e.getMessage().replaceFirst("entry 2 \\(line \\d+", "entry 2 (line N");
    }
  }
}

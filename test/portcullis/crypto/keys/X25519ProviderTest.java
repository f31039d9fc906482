package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.KeyAgreement;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Native X25519 computes what the JDK computes, and refuses what it refuses. */
class X25519ProviderTest {
  private static final Path VECTORS = Path.of("test/data/wycheproof/agreement/X25519.txt");
  private static final String NATIVE = "PortcullisX25519";
  private static final HexFormat HEX = HexFormat.of();

  @BeforeAll
  static void load() {
    assumeTrue(CryptoProvider.await().obstacle().isEmpty(), "the native library is for Linux on x86-64");
  }

  private static Provider own() {
    return Security.getProvider(NATIVE);
  }

  @Test
  void isFoundByBothOfItsNames() throws GeneralSecurityException {
    for (String name : List.of("XDH", "X25519")) {
      assertEquals(NATIVE, KeyAgreement.getInstance(name, own()).getProvider().getName());
      assertEquals(NATIVE, KeyPairGenerator.getInstance(name, own()).getProvider().getName());
    }
  }

  private static PrivateKey privateKey(String hex) throws GeneralSecurityException {
    return KeyFactory.getInstance("XDH")
        .generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, HEX.parseHex(hex)));
  }

  /** As a peer sends it: the highest bit does not count (RFC 7748, section 5). */
  private static PublicKey publicKey(String hex) throws GeneralSecurityException {
    byte[] bytes = HEX.parseHex(hex);
    for (int i = 0; i < bytes.length / 2; i++) {
      byte swapped = bytes[i];
      bytes[i] = bytes[bytes.length - 1 - i];
      bytes[bytes.length - 1 - i] = swapped;
    }
    return KeyFactory.getInstance("XDH")
        .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, bytes).clearBit(255)));
  }

  private static byte[] secret(Provider provider, PrivateKey one, PublicKey other) throws GeneralSecurityException {
    KeyAgreement agreement = KeyAgreement.getInstance("XDH", provider);
    agreement.init(one);
    agreement.doPhase(other, true);
    return agreement.generateSecret();
  }

  @Test
  void vectorsOfWycheproofPass() throws Exception {
    List<String> lines = Files.readAllLines(VECTORS);
    assertEquals(518, lines.size());
    for (String line : lines) {
      String[] words = line.split(" ");
      PrivateKey one = privateKey(words[2]);
      PublicKey other = publicKey(words[3]);
      for (Provider provider : List.of(own(), CryptoProvider.jdkCurves())) {
        if (words[1].equals("zero")) {
          assertThrows(InvalidKeyException.class, () -> secret(provider, one, other), line);
        } else {
          assertEquals(words[4], HEX.formatHex(secret(provider, one, other)), line);
        }
      }
    }
  }

  @Test
  void agreesWithTheJdkOnRandomKeys() throws Exception {
    KeyPairGenerator ours = KeyPairGenerator.getInstance("XDH");
    assertEquals(NATIVE, ours.getProvider().getName());
    ours.initialize(NamedParameterSpec.X25519);
    KeyPairGenerator jdk = KeyPairGenerator.getInstance("X25519", CryptoProvider.jdkCurves());
    byte[] before = {};
    for (int i = 0; i < 300; i++) {
      KeyPair one = ours.generateKeyPair();
      KeyPair other = jdk.generateKeyPair();
      byte[] secret = secret(own(), one.getPrivate(), other.getPublic());
      assertArrayEquals(secret, secret(own(), other.getPrivate(), one.getPublic()));
      assertArrayEquals(secret, secret(CryptoProvider.jdkCurves(), other.getPrivate(), one.getPublic()));
      assertEquals(publicKey(HEX.formatHex(lastBytes(one.getPublic().getEncoded()))), KeyFactory.getInstance("XDH")
          .generatePublic(new X509EncodedKeySpec(one.getPublic().getEncoded())));
      assertNotEquals(HEX.formatHex(before), HEX.formatHex(secret));
      before = secret;
    }
  }

  private static byte[] lastBytes(byte[] encoded) {
    return Arrays.copyOfRange(encoded, encoded.length - NativeX25519.SIZE, encoded.length);
  }

  @Test
  void leavesOtherCurvesToTheJdk() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("XDH");
    generator.initialize(NamedParameterSpec.X448);
    KeyPair one = generator.generateKeyPair();
    KeyPair other = generator.generateKeyPair();
    assertEquals("SunEC", generator.getProvider().getName());
    KeyAgreement agreement = KeyAgreement.getInstance("XDH");
    agreement.init(one.getPrivate());
    agreement.doPhase(other.getPublic(), true);
    assertEquals(56, agreement.generateSecret().length);
    assertEquals("SunEC", agreement.getProvider().getName());
    KeyAgreement own = KeyAgreement.getInstance("X25519", own());
    assertThrows(InvalidKeyException.class, () -> own.init(one.getPrivate()));
    own.init(KeyPairGenerator.getInstance("X25519").generateKeyPair().getPrivate());
    assertThrows(InvalidKeyException.class, () -> own.doPhase(other.getPublic(), true));
  }

  @Test
  void yieldsTheSecretOnceInEveryForm() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    KeyAgreement agreement = KeyAgreement.getInstance("X25519");
    assertEquals(NATIVE, agreement.getProvider().getName());
    agreement.init(pair.getPrivate());
    assertThrows(IllegalStateException.class, agreement::generateSecret);
    agreement.doPhase(pair.getPublic(), true);
    byte[] to = new byte[40];
    assertThrows(ShortBufferException.class, () -> agreement.generateSecret(to, 9));
    assertEquals(32, agreement.generateSecret(to, 8));
    agreement.doPhase(pair.getPublic(), true);
    assertArrayEquals(Arrays.copyOfRange(to, 8, 40), agreement.generateSecret("TlsPremasterSecret").getEncoded());
    assertThrows(IllegalStateException.class, agreement::generateSecret);
  }

  @Test
  void anAgreementThatFailsLeavesTheKeyAsItWas() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("X25519", own()).generateKeyPair();
    PublicKey ofSmallOrder = publicKey("00".repeat(32));
    assertThrows(InvalidKeyException.class, () -> secret(own(), pair.getPrivate(), ofSmallOrder));
    assertArrayEquals(secret(CryptoProvider.jdkCurves(), pair.getPrivate(), pair.getPublic()),
        secret(own(), pair.getPrivate(), pair.getPublic()));
  }

  private static PublicKey generated(SecureRandom random, boolean bySize) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519", own());
    if (bySize) {
      generator.initialize(255, random);
    } else {
      generator.initialize(NamedParameterSpec.X25519, random);
    }
    return generator.generateKeyPair().getPublic();
  }

  @Test
  void keysComeFromTheGivenRandomSourceOrTheDefault() throws Exception {
    SecureRandom ones = new SecureRandom() {
      private static final long serialVersionUID = 1;

      @Override
      public void nextBytes(byte[] bytes) {
        Arrays.fill(bytes, (byte) 1);
      }
    };
    for (boolean bySize : List.of(true, false)) {
      assertEquals("a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209",
          HEX.formatHex(lastBytes(generated(ones, bySize).getEncoded())));
      assertNotEquals(generated(null, bySize), generated(null, bySize));
    }
    KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519", own());
    assertThrows(InvalidParameterException.class, () -> generator.initialize(256));
    assertThrows(InvalidAlgorithmParameterException.class, () -> generator.initialize(NamedParameterSpec.X448));
  }

  @Test
  void agreementsTakeNoParameters() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("X25519", own()).generateKeyPair();
    KeyAgreement agreement = KeyAgreement.getInstance("X25519", own());
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> agreement.init(pair.getPrivate(), NamedParameterSpec.X25519, null));
    assertThrows(IllegalStateException.class, () -> agreement.doPhase(pair.getPublic(), true));
    agreement.init(pair.getPrivate(), (AlgorithmParameterSpec) null, null);
    agreement.doPhase(pair.getPublic(), true);
    assertEquals(32, agreement.generateSecret().length);
  }

  @Test
  void theProviderOffersItsNames() {
    assertEquals(List.of("KeyAgreement.X25519", "KeyAgreement.XDH", "KeyPairGenerator.X25519", "KeyPairGenerator.XDH"),
        own().getServices().stream().map(one -> one.getType() + "." + one.getAlgorithm()).sorted().toList());
  }

  @Test
  void publicKeysAreStoredAndPrivateOnesAreNot() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("X25519", own()).generateKeyPair();
    assertEquals("XDH X.509", pair.getPublic().getAlgorithm() + " " + pair.getPublic().getFormat());
    assertEquals("XDH null null", pair.getPrivate().getAlgorithm() + " " + pair.getPrivate().getFormat() + " "
        + Arrays.toString(pair.getPrivate().getEncoded()));
  }

  @Test
  void aNewPrivateKeyEndsTheAgreementBeforeIt() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519", own());
    KeyPair one = generator.generateKeyPair();
    KeyPair other = generator.generateKeyPair();
    KeyAgreement agreement = KeyAgreement.getInstance("X25519", own());
    agreement.init(one.getPrivate());
    agreement.doPhase(other.getPublic(), true);
    agreement.init(other.getPrivate());
    assertThrows(IllegalStateException.class, agreement::generateSecret);
    agreement.doPhase(one.getPublic(), true);
    assertArrayEquals(secret(own(), one.getPrivate(), other.getPublic()), agreement.generateSecret());
  }

  @Test
  void onlyTheOnePhaseWithAPublicKeyIsAccepted() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("X25519", own()).generateKeyPair();
    KeyAgreement agreement = KeyAgreement.getInstance("X25519", own());
    assertThrows(InvalidKeyException.class, () -> agreement.init(pair.getPublic()));
    assertThrows(InvalidAlgorithmParameterException.class,
        () -> agreement.init(pair.getPrivate(), NamedParameterSpec.X25519));
    agreement.init(pair.getPrivate(), (AlgorithmParameterSpec) null);
    assertThrows(InvalidKeyException.class, () -> agreement.doPhase(pair.getPublic(), false));
    assertThrows(InvalidKeyException.class, () -> agreement.doPhase(pair.getPrivate(), true));
    assertThrows(IllegalStateException.class, agreement::generateSecret);
  }
}

package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.DerWriter;
import portcullis.fixture.TestKeys;

class PrivateKeyReaderTest {
  private static final String P_256 = "06082a8648ce3d030107";
  private static final String SECP256K1 = "06052b8104000a";

  /** A key of 32 bytes as RFC 5915 has it, with its curve by name. */
  private static String pem(BigInteger secret, String curve) {
    String scalar = "0420" + "%064x".formatted(secret);
    String content = "020101" + scalar + "a0%02x".formatted(curve.length() / 2) + curve;
    return TestKeys.pem("EC PRIVATE KEY",
        HexFormat.of().parseHex("30%02x".formatted(content.length() / 2) + content));
  }

  private static String refusal(BigInteger secret, String curve) {
    return assertThrows(KeyMaterialException.class, () -> KeyRing.parse(pem(secret, curve), "", Instant.EPOCH))
        .getMessage();
  }

  @Test
  void readsScalarsOfTheWholeRange() throws KeyMaterialException {
    BigInteger order = Curve.P_256.parameters().getOrder();
    for (BigInteger secret : new BigInteger[] {BigInteger.ONE, BigInteger.TWO, order.subtract(BigInteger.ONE)}) {
      KeyEntry entry = KeyRing.parse(pem(secret, P_256), "", Instant.EPOCH).first();
      assertEquals(secret, ((ECPrivateKey) entry.privateKey()).getS());
      assertTrue(PublicKeys.match(entry.privateKey(), entry.publicKey()));
    }
  }

  @Test
  void refusesScalarsOutOfRange() {
    BigInteger order = Curve.P_256.parameters().getOrder();
    for (BigInteger secret : new BigInteger[] {BigInteger.ZERO, order, order.add(BigInteger.ONE)}) {
      assertTrue(refusal(secret, P_256).endsWith("it is out of its curve's range"));
    }
  }

  @Test
  void refusesOtherCurves() {
    assertTrue(
        refusal(BigInteger.TWO, SECP256K1).endsWith("its curve is not one of P-256, P-384, P-521, given by name"));
  }

  @ParameterizedTest
  @CsvSource({"256", "384", "521"})
  void keysOfTwoPairsDoNotMatch(int bits) throws KeyMaterialException {
    KeyPair one = TestKeys.ec(bits);
    KeyPair other = TestKeys.ec(bits);
    assertTrue(PublicKeys.match(one.getPrivate(), one.getPublic()));
    assertFalse(PublicKeys.match(one.getPrivate(), other.getPublic()));
    assertFalse(PublicKeys.match(TestKeys.ed25519().getPrivate(), TestKeys.ed25519().getPublic()));
  }

  private static String refusal(String label, byte[] der, String password) {
    return assertThrows(KeyMaterialException.class,
        () -> KeyRing.parse(TestKeys.pem(label, der), password, Instant.EPOCH)).getMessage()
        .replaceFirst("^entry 1 \\(line 1, `" + label + "`\\): ", "");
  }

  @Test
  void refusesEd25519KeysOfAnotherLength() {
    byte[] kind = DerWriter.sequence(DerWriter.oid("1.3.101.112"));
    for (int length : new int[] {31, 33}) {
      byte[] der = DerWriter.sequence(DerWriter.integer(0), kind,
          DerWriter.octets(DerWriter.octets(new byte[length])));
      assertEquals("an Ed25519 key has 32 bytes", refusal("PRIVATE KEY", der, ""));
    }
  }

  @Test
  void refusesRsaKeysOneOfWhosePrimesIsOne() {
    RSAPrivateCrtKey key = (RSAPrivateCrtKey) TestKeys.rsa().getPrivate();
    for (boolean first : List.of(true, false)) {
      byte[] der = DerWriter.sequence(DerWriter.integer(0), DerWriter.integer(key.getModulus()),
          DerWriter.integer(key.getPublicExponent()), DerWriter.integer(key.getPrivateExponent()),
          DerWriter.integer(first ? BigInteger.ONE : key.getModulus()),
          DerWriter.integer(first ? key.getModulus() : BigInteger.ONE),
          DerWriter.integer(key.getPrimeExponentP()), DerWriter.integer(key.getPrimeExponentQ()),
          DerWriter.integer(key.getCrtCoefficient()));
      assertEquals("it is damaged: what it signs its public key does not verify",
          refusal("RSA PRIVATE KEY", der, ""));
    }
  }

  @Test
  void refusesRsaKeysWhoseExponentsDoNotFit() {
    RSAPrivateCrtKey key = (RSAPrivateCrtKey) TestKeys.rsa().getPrivate();
    byte[] der = DerWriter.sequence(DerWriter.integer(0), DerWriter.integer(key.getModulus()),
        DerWriter.integer(key.getPublicExponent()), DerWriter.integer(key.getPrivateExponent().add(BigInteger.TWO)),
        DerWriter.integer(key.getPrimeP()), DerWriter.integer(key.getPrimeQ()),
        DerWriter.integer(key.getPrimeExponentP()), DerWriter.integer(key.getPrimeExponentQ()),
        DerWriter.integer(key.getCrtCoefficient()));
    assertEquals("it is damaged: what it signs its public key does not verify",
        refusal("RSA PRIVATE KEY", der, ""));
  }

  private static byte[] encrypted(String scheme, String function, byte[] salt, long rounds, byte[]... rest) {
    byte[] derivation = DerWriter.sequence(Stream.concat(Stream.of(DerWriter.octets(salt), DerWriter.integer(rounds)),
        Stream.of(rest)).toArray(byte[][]::new));
    byte[] cipher = DerWriter.sequence(DerWriter.oid("2.16.840.1.101.3.4.1.42"), DerWriter.octets(new byte[16]));
    byte[] parameters = DerWriter.sequence(DerWriter.sequence(DerWriter.oid(function), derivation), cipher);
    return DerWriter.sequence(DerWriter.sequence(DerWriter.oid(scheme), parameters),
        DerWriter.octets(new byte[16]));
  }

  @Test
  void refusesOtherEncryptionsAndCostlyDerivations() {
    String unsupported = "its encryption is not supported, allowed is PBES2 with PBKDF2 and AES-CBC"
        + " (`openssl pkcs8 -topk8 -v2 aes-256-cbc`)";
    String pbes2 = "1.2.840.113549.1.5.13";
    String pbkdf2 = "1.2.840.113549.1.5.12";
    String label = "ENCRYPTED PRIVATE KEY";
    byte[] salt = new byte[8];
    assertEquals(unsupported, refusal(label, encrypted("1.2.840.113549.1.5.10", pbkdf2, salt, 1), "p"));
    assertEquals(unsupported, refusal(label, encrypted(pbes2, "1.3.6.1.4.1.11591.4.11", salt, 1), "p"));
    assertEquals(unsupported, refusal(label, encrypted(pbes2, pbkdf2, new byte[0], 1), "p"));
    for (long rounds : new long[] {-1, 0, 10_000_001}) {
      assertEquals("its key derivation has " + rounds + " rounds, allowed are 1 to 10000000",
          refusal(label, encrypted(pbes2, pbkdf2, salt, rounds), "p"));
    }
    assertEquals("it is encrypted, and there is no password", refusal(label, encrypted(pbes2, pbkdf2, salt, 1), ""));
  }

  /** With the length of the key said beside the cipher, as some tools write it (RFC 8018, A.2). */
  @ParameterizedTest
  @CsvSource({"1.2.840.113549.2.7,PBKDF2WithHmacSHA1", "1.2.840.113549.2.8,PBKDF2WithHmacSHA224",
    "1.2.840.113549.2.9,PBKDF2WithHmacSHA256", "1.2.840.113549.2.10,PBKDF2WithHmacSHA384",
    "1.2.840.113549.2.11,PBKDF2WithHmacSHA512"})
  void readsKeysThatNameTheLengthOfTheirKey(String hash, String derivation) throws Exception {
    KeyPair keys = TestKeys.ec(256);
    byte[] salt = "saltsalt".getBytes(StandardCharsets.US_ASCII);
    byte[] secret = SecretKeyFactory.getInstance(derivation)
        .generateSecret(new PBEKeySpec("word".toCharArray(), salt, 3, 256)).getEncoded();
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(secret, "AES"), new IvParameterSpec(new byte[16]));
    byte[] parameters = DerWriter.sequence(DerWriter.octets(salt), DerWriter.integer(3), DerWriter.integer(32),
        DerWriter.sequence(DerWriter.oid(hash), DerWriter.value(5)));
    byte[] scheme = DerWriter.sequence(
        DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.5.12"), parameters),
        DerWriter.sequence(DerWriter.oid("2.16.840.1.101.3.4.1.42"), DerWriter.octets(new byte[16])));
    byte[] der = DerWriter.sequence(DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.5.13"), scheme),
        DerWriter.octets(cipher.doFinal(keys.getPrivate().getEncoded())));
    KeyEntry entry = KeyRing.parse(TestKeys.pem("ENCRYPTED PRIVATE KEY", der), "word", Instant.EPOCH).first();
    assertEquals(keys.getPublic(), entry.publicKey());
  }

  @Test
  void theVectorOfTheCipherHasOneBlock() {
    byte[] derivation = DerWriter.sequence(DerWriter.octets(new byte[8]), DerWriter.integer(1));
    for (int length : new int[] {0, 15, 17}) {
      byte[] cipher = DerWriter.sequence(DerWriter.oid("2.16.840.1.101.3.4.1.42"), DerWriter.octets(new byte[length]));
      byte[] parameters = DerWriter.sequence(
          DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.5.12"), derivation), cipher);
      byte[] der = DerWriter.sequence(DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.5.13"), parameters),
          DerWriter.octets(new byte[16]));
      assertTrue(refusal("ENCRYPTED PRIVATE KEY", der, "p").startsWith("its encryption is not supported"));
    }
  }
}

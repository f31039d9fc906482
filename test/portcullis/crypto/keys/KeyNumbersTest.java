package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.DerWriter;
import portcullis.fixture.TestKeys;

/** Each number of a private key has to fit the others. */
class KeyNumbersTest {
  private static final RSAPrivateCrtKey RSA = (RSAPrivateCrtKey) TestKeys.rsa().getPrivate();
  private static final String P_256 = "1.2.840.10045.3.1.7";
  private static final String P_384 = "1.3.132.0.34";
  private static final String NO_CURVE = "its curve is not one of P-256, P-384, P-521, given by name";

  /** In the order of RFC 8017, A.1.2, behind the version. */
  private static BigInteger[] numbers() {
    return new BigInteger[] {RSA.getModulus(), RSA.getPublicExponent(), RSA.getPrivateExponent(), RSA.getPrimeP(),
      RSA.getPrimeQ(), RSA.getPrimeExponentP(), RSA.getPrimeExponentQ(), RSA.getCrtCoefficient()};
  }

  private static KeyEntry read(String label, byte[] der) throws KeyMaterialException {
    return KeyRing.parse(TestKeys.pem(label, der), "", Instant.EPOCH).first();
  }

  private static KeyEntry rsa(BigInteger... numbers) throws KeyMaterialException {
    byte[] content = DerWriter.value(0, Arrays.stream(numbers).map(DerWriter::integer).toArray(byte[][]::new));
    byte[] inner = new Der(content).content(0);
    return read("RSA PRIVATE KEY", DerWriter.sequence(DerWriter.integer(0), inner));
  }

  private static String refusal(BigInteger... numbers) {
    return assertThrows(KeyMaterialException.class, () -> rsa(numbers)).getMessage()
        .replaceFirst("^entry 1 \\(line 1, `RSA PRIVATE KEY`\\): ", "");
  }

  /** A private exponent may fit one prime and not the other. */
  @ParameterizedTest
  @CsvSource({"1, 2", "1, negative", "2, p", "2, q", "5, 2", "6, 2", "7, 1"})
  void eachExponentUndoesThePublicOne(int which, String added) throws KeyMaterialException {
    assertEquals(TestKeys.rsa().getPublic(), rsa(numbers()).publicKey());
    BigInteger[] numbers = numbers();
    BigInteger one = BigInteger.ONE;
    numbers[which] = numbers[which].add(switch (added) {
      case "p" -> RSA.getPrimeP().subtract(one);
      case "q" -> RSA.getPrimeQ().subtract(one);
      case "negative" -> RSA.getPrimeP().subtract(one).multiply(RSA.getPrimeQ().subtract(one)).negate();
      default -> new BigInteger(added);
    });
    assertEquals("it is damaged: what it signs its public key does not verify", refusal(numbers));
  }

  @Test
  void primesArePositive() {
    BigInteger[] zero = numbers();
    zero[0] = BigInteger.ZERO;
    zero[3] = BigInteger.ZERO;
    assertEquals("it is damaged: its primes are not those of its modulus", refusal(zero));
    BigInteger[] numbers = numbers();
    numbers[3] = numbers[3].negate();
    assertEquals("it is damaged: its primes are not those of its modulus", refusal(numbers));
    numbers[4] = numbers[4].negate();
    assertEquals("it is damaged: its primes are not those of its modulus", refusal(numbers));
  }

  /** @param inside the curve within the key, empty for none */
  private static byte[] sec1(BigInteger secret, String inside) {
    byte[] bytes = secret.toByteArray();
    byte[] scalar = new byte[32];
    int length = Math.min(32, bytes.length);
    System.arraycopy(bytes, bytes.length - length, scalar, 32 - length, length);
    byte[] start = DerWriter.integer(1);
    return inside.isEmpty() ? DerWriter.sequence(start, DerWriter.octets(scalar))
        : DerWriter.sequence(start, DerWriter.octets(scalar), DerWriter.value(0xA0, DerWriter.oid(inside)));
  }

  @Test
  void theCurveBesideAKeyCountsBeforeThatWithinIt() throws KeyMaterialException {
    KeyPair keys = TestKeys.ec(256);
    BigInteger secret = ((ECPrivateKey) keys.getPrivate()).getS();
    byte[] kind = DerWriter.sequence(DerWriter.oid("1.2.840.10045.2.1"), DerWriter.oid(P_256));
    for (String inside : List.of("", P_256, P_384)) {
      byte[] der = DerWriter.sequence(DerWriter.integer(0), kind, DerWriter.octets(sec1(secret, inside)));
      assertEquals(keys.getPublic(), read("PRIVATE KEY", der).publicKey());
    }
    assertEquals(keys.getPublic(), read("EC PRIVATE KEY", sec1(secret, P_256)).publicKey());
  }

  @Test
  void aKeyHasACurve() {
    for (byte[] field : List.of(new byte[0], DerWriter.value(0xA0), DerWriter.value(0xA0, DerWriter.integer(1)),
        DerWriter.value(0xA1, DerWriter.oid(P_256)))) {
      byte[] der = DerWriter.sequence(DerWriter.integer(1), DerWriter.octets(new byte[32]), field);
      String message = assertThrows(KeyMaterialException.class, () -> read("EC PRIVATE KEY", der)).getMessage();
      assertTrue(message.endsWith(NO_CURVE), message);
    }
  }

  /** Some seconds of work, which begins only with a password. */
  @ParameterizedTest
  @CsvSource({"1", "10000000"})
  void derivationsHaveTenMillionRoundsAtMost(long rounds) {
    byte[] derivation = DerWriter.sequence(DerWriter.octets(new byte[8]), DerWriter.integer(rounds));
    byte[] cipher = DerWriter.sequence(DerWriter.oid("2.16.840.1.101.3.4.1.2"), DerWriter.octets(new byte[16]));
    byte[] parameters = DerWriter.sequence(
        DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.5.12"), derivation), cipher);
    byte[] der = DerWriter.sequence(DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.5.13"), parameters),
        DerWriter.octets(new byte[16]));
    assertEquals("entry 1 (line 1, `ENCRYPTED PRIVATE KEY`): it is encrypted, and there is no password",
        assertThrows(KeyMaterialException.class, () -> read("ENCRYPTED PRIVATE KEY", der)).getMessage());
  }
}

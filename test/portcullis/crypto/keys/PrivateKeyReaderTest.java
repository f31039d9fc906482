package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    assertTrue(refusal(BigInteger.TWO, SECP256K1).endsWith("its curve is none of P-256, P-384, P-521, given by name"));
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
}

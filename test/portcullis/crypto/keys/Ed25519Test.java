package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.EdECPublicKey;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Value;

/** Which points of the curve are keys; the points are computed by its law of addition (RFC 8032, 5.1). */
class Ed25519Test {
  private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final BigInteger D = BigInteger.valueOf(-121_665).multiply(inverse(BigInteger.valueOf(121_666)));
  private static final BigInteger ORDER = BigInteger.TWO.pow(252)
      .add(new BigInteger("27742317777372353535851937790883648493"));
  private static final Point NEUTRAL = new Point(BigInteger.ZERO, BigInteger.ONE);

  private record Point(BigInteger x, BigInteger y) {
    Point plus(Point other) {
      BigInteger all = D.multiply(x).multiply(other.x).multiply(y).multiply(other.y);
      return new Point(
          x.multiply(other.y).add(y.multiply(other.x)).multiply(inverse(BigInteger.ONE.add(all))).mod(P),
          y.multiply(other.y).add(x.multiply(other.x)).multiply(inverse(BigInteger.ONE.subtract(all))).mod(P));
    }

    Point times(BigInteger factor) {
      Point out = NEUTRAL;
      for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
        out = out.plus(out);
        out = factor.testBit(bit) ? out.plus(this) : out;
      }
      return out;
    }

    byte[] encoded(BigInteger added) {
      BigInteger all = y.add(added);
      byte[] out = new byte[32];
      for (int i = 0; i < out.length; i++) {
        out[i] = all.shiftRight(8 * i).byteValue();
      }
      out[31] |= (byte) (x.testBit(0) ? 0x80 : 0);
      return out;
    }
  }

  private static BigInteger inverse(BigInteger number) {
    return number.modInverse(P);
  }

  /** Returns the point with this y and an even or odd x; empty if there is none. */
  private static Optional<Point> point(long number) {
    BigInteger y = BigInteger.valueOf(number);
    BigInteger square = y.multiply(y).subtract(BigInteger.ONE)
        .multiply(inverse(D.multiply(y).multiply(y).add(BigInteger.ONE))).mod(P);
    BigInteger root = square.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
    for (BigInteger x : Set.of(root, root.multiply(BigInteger.TWO.modPow(P.shiftRight(2), P)).mod(P))) {
      if (x.multiply(x).mod(P).equals(square)) {
        return Optional.of(new Point(x, y));
      }
    }
    return Optional.empty();
  }

  /** What remains of any point after as many additions as the large subgroup has points. */
  private static Set<Point> ofSmallOrder() {
    Set<Point> out = new LinkedHashSet<>();
    for (long y = 2; out.size() < 8; y++) {
      point(y).map(point -> point.times(ORDER)).ifPresent(out::add);
    }
    return out;
  }

  private static String outcome(byte[] encoded) {
    try {
      Value.Dict jwk = Value.Dict.ofStrings(
          Map.of("kty", "OKP", "crv", "Ed25519", "alg", "EdDSA", "x", Base64Url.text(encoded)));
      return Jwk.read(jwk).key() instanceof EdECPublicKey ? "accepted" : "odd";
    } catch (KeyMaterialException e) {
      return e.getMessage();
    }
  }

  @Test
  void pointsOfSmallOrderAreNotKeys() {
    assertEquals(8, ofSmallOrder().size());
    for (Point point : ofSmallOrder()) {
      assertEquals(NEUTRAL, point.times(BigInteger.valueOf(8)));
      byte[] encoded = point.encoded(BigInteger.ZERO);
      assertEquals("its point is not accepted, as anybody can sign for it", outcome(encoded),
          HexFormat.of().formatHex(encoded));
    }
  }

  /** Both signs of x = 0, and each y that fits its bits twice. */
  @Test
  void otherSpellingsOfPointsAreNotKeys() {
    for (int y = 0; y < 19; y++) {
      for (int sign : new int[] {0, 0x80}) {
        byte[] high = new Point(BigInteger.ZERO, BigInteger.valueOf(y)).encoded(P);
        high[31] |= (byte) sign;
        assertTrue(outcome(high).startsWith("it"), HexFormat.of().formatHex(high));
      }
    }
    byte[] negativeZero = NEUTRAL.encoded(BigInteger.ZERO);
    negativeZero[31] |= (byte) 0x80;
    assertTrue(outcome(negativeZero).startsWith("it"));
  }

  @Test
  void allOtherPointsAreKeys() {
    int count = 0;
    for (long y = 2; y < 40; y++) {
      Optional<Point> point = point(y);
      if (point.isPresent()) {
        count++;
        assertEquals("accepted", outcome(point.get().encoded(BigInteger.ZERO)));
        assertEquals("accepted", outcome(point.get().times(BigInteger.valueOf(8)).encoded(BigInteger.ZERO)));
      }
    }
    assertTrue(count > 10);
    assertEquals("accepted", outcome(new Point(BigInteger.ZERO, ((EdECPublicKey) TestKeys.ed25519().getPublic())
        .getPoint().getY()).encoded(BigInteger.ZERO)));
  }

  @Test
  void keyFilesHaveNoPointOfSmallOrder(@TempDir Path folder) throws Exception {
    byte[] der = TestKeys.ed25519().getPublic().getEncoded();
    System.arraycopy(NEUTRAL.encoded(BigInteger.ZERO), 0, der, der.length - 32, 32);
    Path file = Files.writeString(folder.resolve("key.pem"), "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getEncoder().encodeToString(der) + "\n-----END PUBLIC KEY-----\n");
    KeyMaterialException error = assertThrows(KeyMaterialException.class, () -> VerificationKeys.ed25519(file));
    assertTrue(error.getMessage().endsWith("its point is not accepted, as anybody can sign for it"),
        error.getMessage());
  }
}

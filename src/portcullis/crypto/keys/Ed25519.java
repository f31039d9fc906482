package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;

/** Accepts public keys of Ed25519. */
final class Ed25519 {
  static final int LENGTH = 32;

  private static final BigInteger PRIME = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
  /** The curve is {@code -x² + y² = 1 + d x² y²} with {@code d = -121665 / 121666} (RFC 8032, 5.1). */
  private static final BigInteger D_ABOVE = BigInteger.valueOf(121_665);
  private static final BigInteger D_BELOW = BigInteger.valueOf(121_666);

  private Ed25519() {}

  /** Returns the key of 32 bytes: y, the last byte first; the highest bit says whether x is odd (RFC 8032, 5.1.2). */
  static PublicKey key(byte[] encoded) throws GeneralSecurityException, KeyMaterialException {
    byte[] y = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      y[i] = encoded[LENGTH - 1 - i];
    }
    boolean xIsOdd = y[0] < 0;
    y[0] &= 0x7F;
    return key(new EdECPublicKeySpec(NamedParameterSpec.ED25519, new EdECPoint(xIsOdd, new BigInteger(1, y))));
  }

  /**
   * Returns the key.
   *
   * @throws KeyMaterialException if its point is not written in the one way that is specified, or if it has a small
   * order: signatures for such a key can be made without a private one
   */
  static PublicKey key(KeySpec spec) throws GeneralSecurityException, KeyMaterialException {
    PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(spec);
    BigInteger y = ((EdECPublicKey) key).getPoint().getY();
    if (y.compareTo(PRIME) >= 0 || hasSmallOrder(y)) {
      throw new KeyMaterialException("its point is not accepted, as anybody can sign for it");
    }
    return key;
  }

  /**
   * Returns whether 8 times the point is the neutral element. The neutral element itself has y = 1, the point of order
   * 2 has -1, those of order 4 have 0, and those of order 8 have 2 y² - 1 = -d y⁴: twice such a point has y = 0.
   */
  private static boolean hasSmallOrder(BigInteger y) {
    BigInteger square = y.multiply(y).mod(PRIME);
    BigInteger eighth = D_BELOW.multiply(square.shiftLeft(1).subtract(BigInteger.ONE))
        .subtract(D_ABOVE.multiply(square).multiply(square)).mod(PRIME);
    return square.signum() == 0 || square.equals(BigInteger.ONE) || eighth.signum() == 0;
  }
}

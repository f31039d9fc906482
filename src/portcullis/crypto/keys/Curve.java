package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.interfaces.ECKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The elliptic curves of RFC 7518, 6.2.1.1. */
enum Curve {
  P_256("P-256", "secp256r1", "1.2.840.10045.3.1.7"),
  P_384("P-384", "secp384r1", "1.3.132.0.34"),
  P_521("P-521", "secp521r1", "1.3.132.0.35");

  private final String text;
  private final String oid;
  private final String javaName;

  /** The numbers of all curves, known once one is used: many a start names curves and uses none. */
  private static final class Domains {
    static final List<ECParameterSpec> PARAMETERS = Arrays.stream(values()).map(Domains::parameters).toList();
    static final List<BigInteger> PRIMES = PARAMETERS.stream()
        .map(parameters -> ((ECFieldFp) parameters.getCurve().getField()).getP()).toList();

    private static ECParameterSpec parameters(Curve curve) {
      return Jca.required(() -> {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(curve.javaName));
        return parameters.getParameterSpec(ECParameterSpec.class);
      });
    }
  }

  Curve(String text, String javaName, String oid) {
    this.text = text;
    this.javaName = javaName;
    this.oid = oid;
  }

  static Optional<Curve> named(String text) {
    return Arrays.stream(values()).filter(curve -> curve.text.equals(text)).findFirst();
  }

  static Optional<Curve> ofOid(String oid) {
    return Arrays.stream(values()).filter(curve -> curve.oid.equals(oid)).findFirst();
  }

  /** Returns the curve by its parameters, whatever its name; empty if it is not one of these. */
  static Optional<Curve> of(ECKey key) {
    ECParameterSpec its = key.getParams();
    return Arrays.stream(values()).filter(curve -> curve.parameters().getCurve().equals(its.getCurve())
        && curve.parameters().getGenerator().equals(its.getGenerator())
        && curve.parameters().getOrder().equals(its.getOrder())
        && its.getCofactor() == 1).findFirst();
  }

  /** Returns the name in JWKs: {@code P-256}. */
  String text() {
    return text;
  }

  ECParameterSpec parameters() {
    return Domains.PARAMETERS.get(ordinal());
  }

  private BigInteger prime() {
    return Domains.PRIMES.get(ordinal());
  }

  /** Returns how many bytes a coordinate has, and each half of a signature. */
  int size() {
    return (prime().bitLength() + 7) / 8;
  }

  boolean holds(ECPoint point) {
    BigInteger x = point.getAffineX();
    BigInteger y = point.getAffineY();
    return isCoordinate(x) && isCoordinate(y) && y.multiply(y).mod(prime()).equals(ySquared(x));
  }

  private boolean isCoordinate(BigInteger value) {
    return value.signum() >= 0 && value.compareTo(prime()) < 0;
  }

  private BigInteger ySquared(BigInteger x) {
    return x.pow(3).add(parameters().getCurve().getA().multiply(x)).add(parameters().getCurve().getB()).mod(prime());
  }

  /**
   * Returns one of the two points with that x; the other one has the negated y. For each of these primes p mod 4 is 3.
   */
  ECPoint pointAt(BigInteger x) {
    return new ECPoint(x, ySquared(x).modPow(prime().add(BigInteger.ONE).shiftRight(2), prime()));
  }

  ECPoint negated(ECPoint point) {
    return new ECPoint(point.getAffineX(), prime().subtract(point.getAffineY()));
  }

  /**
   * Returns whether it can be a signature: r and s of exact length, both from 1 to below the group's order (SEC 1,
   * 4.1.4).
   */
  boolean isPlausible(byte[] signature) {
    return signature.length == 2 * size()
        && isScalar(new BigInteger(1, signature, 0, size()))
        && isScalar(new BigInteger(1, signature, size(), size()));
  }

  /** Returns whether it is a private key, or a half of a signature. */
  boolean isScalar(BigInteger value) {
    return value.signum() > 0 && value.compareTo(parameters().getOrder()) < 0;
  }
}

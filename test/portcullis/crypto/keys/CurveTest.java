package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CurveTest {
  /** A curve with another generator may make signatures easy to forge. */
  @ParameterizedTest
  @EnumSource(Curve.class)
  void aCurveIsKnownByAllItsParameters(Curve curve) {
    ECParameterSpec its = curve.parameters();
    EllipticCurve shape = its.getCurve();
    ECPoint start = its.getGenerator();
    ECPoint opposite = new ECPoint(start.getAffineX(), start.getAffineY().negate());
    EllipticCurve other = new EllipticCurve(shape.getField(), shape.getA(), BigInteger.ONE);
    assertEquals(Optional.of(curve), Curve.of(() -> new ECParameterSpec(shape, start, its.getOrder(), 1)));
    assertEquals(Optional.empty(), Curve.of(() -> new ECParameterSpec(other, start, its.getOrder(), 1)));
    assertEquals(Optional.empty(), Curve.of(() -> new ECParameterSpec(shape, opposite, its.getOrder(), 1)));
    assertEquals(Optional.empty(), Curve.of(() -> new ECParameterSpec(shape, start, BigInteger.TEN, 1)));
    assertEquals(Optional.empty(), Curve.of(() -> new ECParameterSpec(shape, start, its.getOrder(), 2)));
  }

  /** Zero is a coordinate: each of these curves has points with x = 0. */
  @ParameterizedTest
  @EnumSource(Curve.class)
  void pointsMayHaveZeroAsCoordinate(Curve curve) {
    ECPoint point = curve.pointAt(BigInteger.ZERO);
    assertTrue(curve.holds(point));
    assertTrue(curve.holds(curve.negated(point)));
    BigInteger prime = curve.negated(point).getAffineY().add(point.getAffineY());
    assertFalse(curve.holds(new ECPoint(prime, point.getAffineY())));
  }
}

package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import javax.crypto.KeyAgreement;

/** Finds the public key of a private one, for which the JDK has no call. */
final class PublicKeys {
  private static final byte[] PROBE = {1, 2, 3};

  private PublicKeys() {}

  static PublicKey of(RSAPrivateCrtKey key) throws GeneralSecurityException {
    return KeyFactory.getInstance("RSA")
        .generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()));
  }

  /**
   * Computes the x of the public point by key agreement with the generator of the curve; a signature decides between
   * its two y.
   */
  static PublicKey of(PrivateKey key, Curve curve) throws GeneralSecurityException, KeyMaterialException {
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
    agreement.init(key);
    agreement.doPhase(ec(curve, curve.parameters().getGenerator()), true);
    ECPoint point = curve.pointAt(new BigInteger(1, agreement.generateSecret()));
    PublicKey one = ec(curve, point);
    return Algorithm.of(one).verify(one, PROBE, Algorithm.of(one).sign(key, PROBE)) ? one
        : ec(curve, curve.negated(point));
  }

  static PublicKey ec(Curve curve, ECPoint point) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve.parameters()));
  }

  /**
   * The JDK computes an Ed25519 public key only while it makes a pair: it is handed the seed as its randomness, which
   * no other provider has to take.
   */
  static PublicKey ofEd25519(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519", CryptoProvider.jdkCurves());
    generator.initialize(NamedParameterSpec.ED25519, new Fixed(seed));
    return generator.generateKeyPair().getPublic();
  }

  /** Returns whether the two belong together; in a damaged file they may not. */
  static boolean match(PrivateKey privateKey, PublicKey publicKey) throws KeyMaterialException {
    Algorithm algorithm = Algorithm.of(publicKey);
    return algorithm.verify(publicKey, PROBE, algorithm.sign(privateKey, PROBE));
  }

  /** Returns a given seed instead of random bytes; used for the one call above. */
  private static final class Fixed extends SecureRandom {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;

    Fixed(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] out) {
      System.arraycopy(bytes, 0, out, 0, out.length);
    }
  }
}

package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;

/**
 * Reads private keys: PKCS#8 (RFC 5208), plain and encrypted, PKCS#1 (RFC 8017, A.1.2), SEC1 (RFC 5915), Ed25519 (RFC
 * 8410).
 */
final class PrivateKeyReader {
  private static final String RSA = "1.2.840.113549.1.1.1";
  private static final String EC = "1.2.840.10045.2.1";
  private static final String ED25519 = "1.3.101.112";

  private PrivateKeyReader() {}

  /** @param password of encrypted entries; empty for none */
  static KeyPair read(PemBlock block, String password) throws KeyMaterialException {
    if (block.headers().containsKey("Proc-Type")) {
      throw new KeyMaterialException(
          "it is encrypted in OpenSSL's old way, allowed is PKCS#8 (`openssl pkcs8 -topk8` converts "
              + "it)");
    }
    try {
      return switch (block.label()) {
        case "PRIVATE KEY" -> pkcs8(block.der());
        case "ENCRYPTED PRIVATE KEY" -> decrypted(block.der(), password);
        case "RSA PRIVATE KEY" -> rsa(Der.onlySequence(block.der()));
        default -> sec1(Der.onlySequence(block.der()), "");
      };
    } catch (GeneralSecurityException _) {
      throw new KeyMaterialException("it is not a usable private key");
    }
  }

  private static KeyPair verified(PrivateKey key, PublicKey publicKey) throws KeyMaterialException {
    if (!PublicKeys.match(key, publicKey)) {
      throw mismatch();
    }
    return new KeyPair(publicKey, key);
  }

  private static KeyMaterialException mismatch() {
    return new KeyMaterialException("it is damaged: what it signs its public key does not verify");
  }

  /** A wrong password yields noise, so an error in that is reported as one of the password. */
  private static KeyPair decrypted(byte[] der, String password) throws GeneralSecurityException, KeyMaterialException {
    byte[] plain = EncryptedKey.read(der).decrypted(password);
    try {
      Der.onlySequence(plain);
    } catch (KeyMaterialException _) {
      throw EncryptedKey.WRONG_PASSWORD;
    }
    return pkcs8(plain);
  }

  private static KeyPair pkcs8(byte[] der) throws GeneralSecurityException, KeyMaterialException {
    Der key = Der.onlySequence(der);
    key.integer();
    Der kind = key.sequence();
    String oid = kind.oid();
    byte[] inner = key.octets();
    return switch (oid) {
      case RSA -> rsa(Der.onlySequence(inner));
      case EC -> sec1(Der.onlySequence(inner), kind.isAt(Der.OID) ? kind.oid() : "");
      case ED25519 -> ed25519(new Der(inner).octets());
      default -> throw new KeyMaterialException("its kind is not one of RSA, EC, Ed25519");
    };
  }

  private static KeyPair rsa(Der key) throws GeneralSecurityException, KeyMaterialException {
    if (key.integer().signum() != 0) {
      throw new KeyMaterialException("an RSA key of more than two primes is not supported");
    }
    RSAPrivateCrtKeySpec numbers = new RSAPrivateCrtKeySpec(key.integer(), key.integer(), key.integer(), key.integer(),
        key.integer(), key.integer(), key.integer(), key.integer());
    if (!numbers.getPrimeP().multiply(numbers.getPrimeQ()).equals(numbers.getModulus())
        || numbers.getPrimeP().signum() <= 0) {
      throw new KeyMaterialException("it is damaged: its primes are not those of its modulus");
    }
    if (!signs(numbers)) {
      throw mismatch();
    }
    PrivateKey made = KeyFactory.getInstance("RSA").generatePrivate(numbers);
    return new KeyPair(PublicKeys.of((RSAPrivateCrtKey) made), made);
  }

  /**
   * Whether each exponent undoes the public one (RFC 8017, 3.2); a signature to try it would cost a start a tenth of a
   * second.
   */
  private static boolean signs(RSAPrivateCrtKeySpec key) {
    BigInteger e = key.getPublicExponent();
    BigInteger p = key.getPrimeP().subtract(BigInteger.ONE);
    BigInteger q = key.getPrimeQ().subtract(BigInteger.ONE);
    return e.signum() > 0 && p.signum() > 0 && q.signum() > 0 && undoes(key.getPrimeExponentP(), e, p)
        && undoes(key.getPrimeExponentQ(), e, q)
        && undoes(key.getPrivateExponent(), e, p) && undoes(key.getPrivateExponent(), e, q)
        && undoes(key.getCrtCoefficient(), key.getPrimeQ(), key.getPrimeP());
  }

  private static boolean undoes(BigInteger one, BigInteger other, BigInteger modulus) {
    return one.multiply(other).mod(modulus).equals(BigInteger.ONE);
  }

  /** @param beside the curve that stands beside the key; empty where there is none, then the key itself names it */
  private static KeyPair sec1(Der key, String beside) throws GeneralSecurityException, KeyMaterialException {
    key.integer();
    BigInteger secret = new BigInteger(1, key.octets());
    Der inside = new Der(key.isAt(Der.FIELD_0) ? key.content(Der.FIELD_0) : new byte[0]);
    String oid = beside.isEmpty() && inside.isAt(Der.OID) ? inside.oid() : beside;
    Curve curve = Curve.ofOid(oid)
        .orElseThrow(() -> new KeyMaterialException("its curve is not one of P-256, P-384, P-521, given "
            + "by name"));
    if (!curve.isScalar(secret)) {
      throw new KeyMaterialException("it is out of its curve's range");
    }
    PrivateKey made = KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(secret, curve.parameters()));
    return verified(made, PublicKeys.of(made, curve));
  }

  private static KeyPair ed25519(byte[] seed) throws GeneralSecurityException, KeyMaterialException {
    if (seed.length != 32) {
      throw new KeyMaterialException("an Ed25519 key has 32 bytes");
    }
    PrivateKey made = KeyFactory.getInstance("Ed25519").generatePrivate(
        new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
    return verified(made, PublicKeys.ofEd25519(seed));
  }
}

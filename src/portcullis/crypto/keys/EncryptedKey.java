package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * An encrypted PKCS#8 key: PBES2 with PBKDF2 and AES-CBC (RFC 8018, 6.2 and A.4), the default of OpenSSL. Not read by
 * the JDK, whose PBES2 supports neither AES-192 nor passwords beyond ASCII.
 */
final class EncryptedKey {
  static final KeyMaterialException WRONG_PASSWORD = new KeyMaterialException("the password is wrong");

  private static final String PBES2 = "1.2.840.113549.1.5.13";
  private static final String PBKDF2 = "1.2.840.113549.1.5.12";
  private static final String HMAC_SHA1 = "1.2.840.113549.2.7";
  private static final Map<String, String> DERIVATIONS = Map.of(
      HMAC_SHA1, "PBKDF2WithHmacSHA1",
      "1.2.840.113549.2.8", "PBKDF2WithHmacSHA224",
      "1.2.840.113549.2.9", "PBKDF2WithHmacSHA256",
      "1.2.840.113549.2.10", "PBKDF2WithHmacSHA384",
      "1.2.840.113549.2.11", "PBKDF2WithHmacSHA512");
  private static final Map<String, Integer> AES_BITS = Map.of(
      "2.16.840.1.101.3.4.1.2", 128,
      "2.16.840.1.101.3.4.1.22", 192,
      "2.16.840.1.101.3.4.1.42", 256);
  /** Some seconds of work; beyond it a file could keep the start waiting for hours. */
  private static final BigInteger MOST_ROUNDS = BigInteger.valueOf(10_000_000);

  private final String derivation;
  private final byte[] salt;
  private final int rounds;
  private final int keyBits;
  private final byte[] iv;
  private final byte[] data;

  private EncryptedKey(Der derivationParameters, Der cipher, byte[] data) throws KeyMaterialException {
    salt = derivationParameters.octets();
    rounds = rounds(derivationParameters.integer());
    derivation = derivation(derivationParameters);
    keyBits = Optional.ofNullable(AES_BITS.get(cipher.oid())).orElseThrow(EncryptedKey::unsupported);
    iv = cipher.octets();
    this.data = data;
  }

  static EncryptedKey read(byte[] der) throws KeyMaterialException {
    Der whole = Der.onlySequence(der);
    Der scheme = whole.sequence();
    if (!scheme.oid().equals(PBES2)) {
      throw unsupported();
    }
    Der parameters = scheme.sequence();
    Der function = parameters.sequence();
    if (!function.oid().equals(PBKDF2)) {
      throw unsupported();
    }
    EncryptedKey key = new EncryptedKey(function.sequence(), parameters.sequence(), whole.octets());
    if (key.salt.length == 0 || key.iv.length != 16) {
      throw unsupported();
    }
    return key;
  }

  private static int rounds(BigInteger count) throws KeyMaterialException {
    if (count.signum() <= 0 || count.compareTo(MOST_ROUNDS) > 0) {
      throw new KeyMaterialException(
          "its key derivation has " + count + " rounds, allowed are 1 to " + MOST_ROUNDS);
    }
    return count.intValueExact();
  }

  /** After the rounds come the length of the key, which the cipher implies, and the hash: SHA-1 by default. */
  private static String derivation(Der parameters) throws KeyMaterialException {
    if (parameters.isAt(Der.INTEGER)) {
      parameters.integer();
    }
    String hash = parameters.hasMore() ? parameters.sequence().oid() : HMAC_SHA1;
    return Optional.ofNullable(DERIVATIONS.get(hash)).orElseThrow(EncryptedKey::unsupported);
  }

  private static KeyMaterialException unsupported() {
    return new KeyMaterialException("its encryption is not supported, allowed is PBES2 with PBKDF2 and AES-CBC"
        + " (`openssl pkcs8 -topk8 -v2 aes-256-cbc`)");
  }

  byte[] decrypted(String password) throws GeneralSecurityException, KeyMaterialException {
    if (password.isEmpty()) {
      throw new KeyMaterialException("it is encrypted, and there is no password");
    }
    PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, rounds, keyBits);
    byte[] key = SecretKeyFactory.getInstance(derivation).generateSecret(spec).getEncoded();
    spec.clearPassword();
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(iv));
    try {
      return cipher.doFinal(data);
    } catch (GeneralSecurityException _) {
      throw WRONG_PASSWORD;
    }
  }
}

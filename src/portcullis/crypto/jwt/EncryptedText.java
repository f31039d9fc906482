package portcullis.crypto.jwt;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.SymmetricKey;

/**
 * Encrypts for a symmetric key: JWE in its compact form (RFC 7516), of {@code alg} A256KW and {@code enc} A256GCM, with
 * a content key of its own for each string.
 */
public final class EncryptedText {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String WRAPPING = "AESWrap";
  private static final String ENCRYPTION = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int PARTS = 5;

  private EncryptedText() {}

  /** Returns the encrypted string. */
  public static String seal(String text, SymmetricKey key) {
    String header = header(key);
    byte[] content = random(KEY_BYTES);
    byte[] nonce = random(NONCE_BYTES);
    return Jca.required(() -> {
      Cipher wrapping = Cipher.getInstance(WRAPPING);
      wrapping.init(Cipher.WRAP_MODE, key.of("AES"));
      byte[] wrapped = wrapping.wrap(new SecretKeySpec(content, "AES"));
      byte[] out = cipher(Cipher.ENCRYPT_MODE, content, nonce, header)
          .doFinal(text.getBytes(StandardCharsets.UTF_8));
      int end = out.length - TAG_BYTES;
      return String.join(".", header, Base64Url.text(wrapped), Base64Url.text(nonce),
          Base64Url.text(Arrays.copyOf(out, end)), Base64Url.text(Arrays.copyOfRange(out, end, out.length)));
    });
  }

  /** Returns the decrypted string; empty if it was not encrypted for this key, or was changed. */
  public static Optional<String> open(String sealed, SymmetricKey key) {
    String[] parts = sealed.split("\\.", -1);
    if (parts.length != PARTS || !parts[0].equals(header(key))) {
      return Optional.empty();
    }
    byte[][] bytes = new byte[PARTS][];
    for (int i = 0; i < PARTS; i++) {
      Optional<byte[]> part = Base64Url.bytes(parts[i]);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      bytes[i] = part.get();
    }
    try {
      Cipher wrapping = Cipher.getInstance(WRAPPING);
      wrapping.init(Cipher.UNWRAP_MODE, key.of("AES"));
      byte[] content = wrapping.unwrap(bytes[1], "AES", Cipher.SECRET_KEY).getEncoded();
      byte[] all = Arrays.copyOf(bytes[3], bytes[3].length + bytes[4].length);
      System.arraycopy(bytes[4], 0, all, bytes[3].length, bytes[4].length);
      return Optional.of(new String(cipher(Cipher.DECRYPT_MODE, content, bytes[2], parts[0]).doFinal(all),
          StandardCharsets.UTF_8));
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }

  private static String header(SymmetricKey key) {
    return Base64Url.text(("{\"alg\":\"A256KW\",\"enc\":\"A256GCM\",\"kid\":\"" + key.id() + "\"}")
        .getBytes(StandardCharsets.US_ASCII));
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce, String header) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(ENCRYPTION);
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    cipher.updateAAD(header.getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }

  private static byte[] random(int count) {
    byte[] out = new byte[count];
    RANDOM.nextBytes(out);
    return out;
  }
}

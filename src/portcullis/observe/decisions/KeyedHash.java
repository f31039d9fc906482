package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.SymmetricKey;

/**
 * Hashes secrets with a key, so that equal ones can be found in a log that does not contain them: HMAC-SHA-256 of the
 * UTF-8 bytes, of which the first 128 bits are kept, after the id of the key. Thread safe.
 */
public final class KeyedHash {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEPT_BYTES = 16;

  private final SymmetricKey key;

  public KeyedHash(SymmetricKey key) {
    this.key = key;
  }

  /** Returns the hash, as {@code 1f2e3d4c:00112233445566778899aabbccddeeff}. */
  public String of(String value) {
    return of(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the hash of the bytes. */
  public String of(byte[] value) {
    byte[] hash = Jca.required(() -> {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key.of(ALGORITHM));
      return mac.doFinal(value);
    });
    return key.id() + ":" + HexFormat.of().formatHex(hash, 0, KEPT_BYTES);
  }
}

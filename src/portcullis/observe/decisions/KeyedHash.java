package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
  /** A power of two; more threads at a time initialize some again. */
  private static final int SPARES = 64;

  private final SymmetricKey key;
  /** Initialized ones that are not in use. */
  private final AtomicReferenceArray<Mac> spares = new AtomicReferenceArray<>(SPARES);

  public KeyedHash(SymmetricKey key) {
    this.key = key;
  }

  /** Returns the hash, as {@code 1f2e3d4c:00112233445566778899aabbccddeeff}. */
  public String of(String value) {
    return of(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the hash of the bytes. */
  public String of(byte[] value) {
    int place = (int) Thread.currentThread().threadId() & SPARES - 1;
    Mac spare = spares.getAndSet(place, null);
    Mac mac = spare == null ? initialized() : spare;
    byte[] hash = mac.doFinal(value);
    spares.set(place, mac);
    return key.id() + ":" + HexFormat.of().formatHex(hash, 0, KEPT_BYTES);
  }

  private Mac initialized() {
    return Jca.required(() -> {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key.of(ALGORITHM));
      return mac;
    });
  }
}

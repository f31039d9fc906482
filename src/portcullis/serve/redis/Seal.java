package portcullis.serve.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import portcullis.policy.cache.CacheKey;

/**
 * Seals values before they leave the process, and opens only what was sealed with the same key. With a secret they are
 * encrypted and authenticated (AES-256-GCM), so that write access to Redis does not allow forging decisions, and read
 * access does not reveal tokens. Without one, corrupted and mixed-up values are detected, but not forged ones.
 * Immutable and thread safe.
 */
final class Seal {
  private static final byte CHECKED = 1;
  private static final byte ENCRYPTED = 2;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int DIGEST_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The maximum number of bytes that sealing adds. */
  static final int OVERHEAD = 1 + DIGEST_BYTES;

  private final Optional<SecretKeySpec> key;

  Seal(Optional<String> secret) {
    key = secret.map(text -> new SecretKeySpec(digest("portcullis cache".getBytes(StandardCharsets.UTF_8),
        text.getBytes(StandardCharsets.UTF_8)), "AES"));
  }

  byte[] closed(CacheKey id, byte[] value) {
    if (key.isEmpty()) {
      return ByteBuffer.allocate(OVERHEAD + value.length).put(CHECKED).put(digest(name(id), value)).put(value).array();
    }
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] text = cipher(Cipher.ENCRYPT_MODE, id, nonce).doFinal(value);
      return ByteBuffer.allocate(1 + NONCE_BYTES + text.length).put(ENCRYPTED).put(nonce).put(text).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the value; empty for everything that was not sealed with this key. */
  Optional<byte[]> opened(CacheKey id, byte[] closed) {
    byte kind = key.isPresent() ? ENCRYPTED : CHECKED;
    int head = key.isPresent() ? 1 + NONCE_BYTES : OVERHEAD;
    if (closed.length < head || closed[0] != kind) {
      return Optional.empty();
    }
    byte[] first = Arrays.copyOfRange(closed, 1, head);
    byte[] rest = Arrays.copyOfRange(closed, head, closed.length);
    if (key.isEmpty()) {
      return MessageDigest.isEqual(first, digest(name(id), rest)) ? Optional.of(rest) : Optional.empty();
    }
    try {
      return Optional.of(cipher(Cipher.DECRYPT_MODE, id, first).doFinal(rest));
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }

  private Cipher cipher(int mode, CacheKey id, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.orElseThrow(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(name(id));
    return cipher;
  }

  private static byte[] name(CacheKey id) {
    return id.hash().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] digest(byte[] first, byte[] second) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(first.length).array());
      digest.update(first);
      return digest.digest(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

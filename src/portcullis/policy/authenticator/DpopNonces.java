package portcullis.policy.authenticator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;

/**
 * Nonces for DPoP proofs (RFC 9449, 8): a time and its keyed hash, for one access token, so that none has to be stored.
 * Immutable.
 */
final class DpopNonces {
  private static final String MAC = "HmacSHA256";
  private static final int BYTES = 8 + 16;

  private final SecretKeySpec key;

  /** @param secret of which the key is derived */
  DpopNonces(byte[] secret) {
    key = new SecretKeySpec(mac(new SecretKeySpec(secret, MAC), "portcullis dpop nonce".getBytes(
        StandardCharsets.US_ASCII)), MAC);
  }

  private static byte[] mac(SecretKeySpec key, byte[]... parts) {
    return Jca.required(() -> {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    });
  }

  /** Returns a nonce for proofs with this token. */
  String issue(String token, Instant now) {
    byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(now.getEpochSecond()).array();
    byte[] out = Arrays.copyOf(time, BYTES);
    System.arraycopy(mac(key, time, token.getBytes(StandardCharsets.UTF_8)), 0, out, Long.BYTES, BYTES - Long.BYTES);
    return Base64Url.text(out);
  }

  /** Returns whether it was issued for this token and is not older than that. */
  boolean isValid(String nonce, String token, Instant now, Duration age) {
    Optional<byte[]> bytes = Base64Url.bytes(nonce).filter(found -> found.length == BYTES);
    if (bytes.isEmpty()) {
      return false;
    }
    long since = ByteBuffer.wrap(bytes.get()).getLong();
    if (since < 0 || since > now.getEpochSecond() || now.getEpochSecond() - since > age.toSeconds()) {
      return false;
    }
    return MessageDigest.isEqual(issue(token, Instant.ofEpochSecond(since)).getBytes(StandardCharsets.US_ASCII),
        nonce.getBytes(StandardCharsets.US_ASCII));
  }
}

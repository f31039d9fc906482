package portcullis.policy.cache;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The SHA-256 of everything that an answer depends on, in hex; each part counts with its length and all of its
 * characters, so parts never run together.
 */
public record CacheKey(String hash) {
  /** @param purpose what kind of answer it is; keys of different kinds never meet */
  public static CacheKey of(String purpose, List<String> parts) {
    MessageDigest digest = sha256();
    add(digest, purpose);
    parts.forEach(part -> add(digest, part));
    return new CacheKey(HexFormat.of().formatHex(digest.digest()));
  }

  public static CacheKey of(String purpose, String... parts) {
    return of(purpose, List.of(parts));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Characters as they are, two bytes each: every charset makes one text of several that hold halves of surrogate
   * pairs.
   */
  private static void add(MessageDigest digest, String part) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * part.length()).putInt(part.length());
    bytes.asCharBuffer().put(part);
    digest.update(bytes.array());
  }
}

package portcullis.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The SHA-256 of everything that an answer depends on, in hex; each part counts with its length, so parts never run together. */
public record CacheKey(String hash) {
  /** @param purpose what kind of answer it is; keys of different kinds never meet */
  public static CacheKey of(String purpose, List<String> parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, purpose);
      parts.forEach(part -> add(digest, part));
      return new CacheKey(HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static CacheKey of(String purpose, String... parts) {
    return of(purpose, List.of(parts));
  }

  private static void add(MessageDigest digest, String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
    digest.update(bytes);
  }
}

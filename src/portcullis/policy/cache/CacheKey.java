package portcullis.policy.cache;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import portcullis.crypto.keys.Jca;

/**
 * A key of a cache: the SHA-256 of everything the response depends on, in hexadecimal. Each part is hashed with its
 * length and all of its characters, so that different lists of parts never give the same input.
 */
public record CacheKey(String hash) {
  private static final int MAX_LATIN1 = 0xff;
  /** A digest that is only cloned, which is much cheaper than a lookup in the providers for each key. */
  private static final MessageDigest SHA256 = Jca.sha256();

  /**
   * Returns the key of these parts.
   *
   * @param purpose the kind of response; keys of different kinds are different
   */
  public static CacheKey of(String purpose, List<String> parts) {
    int most = maxBytes(purpose);
    for (String part : parts) {
      most = Math.addExact(most, maxBytes(part));
    }
    byte[] input = new byte[most];
    int end = write(purpose, input, 0);
    for (String part : parts) {
      end = write(part, input, end);
    }
    MessageDigest digest = copy();
    digest.update(input, 0, end);
    return new CacheKey(HexFormat.of().formatHex(digest.digest()));
  }

  /** Returns the key of these parts. */
  public static CacheKey of(String purpose, String... parts) {
    return of(purpose, List.of(parts));
  }

  private static MessageDigest copy() {
    try {
      return (MessageDigest) SHA256.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int maxBytes(String part) {
    return Math.addExact(Integer.BYTES + 1, Math.multiplyExact(Character.BYTES, part.length()));
  }

  /**
   * Writes the length, the number of bytes per character, and the characters as they are: an encoding such as UTF-8
   * would give the same bytes for different unpaired surrogates.
   */
  private static int write(String part, byte[] to, int from) {
    int length = part.length();
    int at = from;
    for (int shift = 24; shift >= 0; shift -= 8) {
      to[at++] = (byte) (length >> shift);
    }
    int begin = at;
    to[at++] = 1;
    for (int i = 0; i < length; i++) {
      char c = part.charAt(i);
      if (c > MAX_LATIN1) {
        return writeWide(part, to, begin);
      }
      to[at++] = (byte) c;
    }
    return at;
  }

  private static int writeWide(String part, byte[] to, int from) {
    int at = from;
    to[at++] = Character.BYTES;
    for (int i = 0; i < part.length(); i++) {
      to[at++] = (byte) (part.charAt(i) >> 8);
      to[at++] = (byte) part.charAt(i);
    }
    return at;
  }
}

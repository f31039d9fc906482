package portcullis.crypto.keys;

import java.util.Base64;
import java.util.Optional;

/** Base64url as JOSE writes it (RFC 7515, 2): without padding, one spelling for each sequence of bytes. */
public final class Base64Url {
  private Base64Url() {}

  public static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Empty where it is none, padding and bits beyond the last byte included: two spellings of one token would be two
   * tokens.
   */
  public static Optional<byte[]> bytes(String text) {
    if (text.endsWith("=")) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return text(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}

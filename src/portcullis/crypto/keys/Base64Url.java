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
   * Decodes a string; returns an empty optional for other strings, including those with padding or with bits beyond the
   * last byte: a token must not have two spellings.
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

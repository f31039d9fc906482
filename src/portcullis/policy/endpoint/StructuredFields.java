package portcullis.policy.endpoint;

import java.util.Base64;

/** Serializes parts of structured fields (RFC 9651, 4.1). */
final class StructuredFields {
  private StructuredFields() {}

  /** Returns whether it can be a string: {@code %x20-7E} only. */
  static boolean isString(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }

  /** Returns {@code sf-string = DQUOTE *( unescaped / "%" / bs-escaped ) DQUOTE}. */
  static String string(String text) {
    if (!isString(text)) {
      throw new IllegalArgumentException("it holds what no string can hold");
    }
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns whether it is {@code key = ( lcalpha / "*" ) *( lcalpha / DIGIT / "_" / "-" / "." / "*" )}. */
  static boolean isKey(String text) {
    if (text.isEmpty() || !isLower(text.charAt(0)) && text.charAt(0) != '*') {
      return false;
    }
    return text.chars().allMatch(c -> isLower(c) || c >= '0' && c <= '9' || "_-.*".indexOf(c) >= 0);
  }

  private static boolean isLower(int c) {
    return c >= 'a' && c <= 'z';
  }

  /** Returns {@code sf-binary = ":" base64 ":"}. */
  static String binary(byte[] bytes) {
    return ':' + Base64.getEncoder().encodeToString(bytes) + ':';
  }
}

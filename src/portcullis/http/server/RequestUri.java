package portcullis.http.server;

import java.net.URI;

/**
 * The {@link URI} that the API wants of a request-target. What the class does not take is escaped in it, so that only
 * the target itself is byte for byte what came.
 */
final class RequestUri {
  private static final String ALLOWED = "-._~:/?#[]@!$&'()*+,;=";

  private RequestUri() {}

  static URI of(String target) {
    // a path that begins with two slashes would be read as a host (RFC 3986, 4.2)
    String text = target.startsWith("//") ? "/." + target : target;
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      return URI.create(escaped(text));
    }
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letterOrDigit = c < 128 && Character.isLetterOrDigit(c);
      boolean plain = c != '[' && c != ']' && (letterOrDigit || ALLOWED.indexOf(c) >= 0);
      if (plain || c == '%' && isHex(text, i + 1) && isHex(text, i + 2)) {
        out.append(c);
      } else {
        out.append('%').append(Character.forDigit(c >> 4 & 15, 16)).append(Character.forDigit(c & 15, 16));
      }
    }
    return out.toString();
  }

  private static boolean isHex(String text, int at) {
    return at < text.length() && text.charAt(at) < 128 && Character.digit(text.charAt(at), 16) >= 0;
  }
}

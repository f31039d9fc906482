package portcullis.http.message;

import java.util.Locale;
import java.util.Optional;
import portcullis.lang.address.Address;
import portcullis.lang.value.Digits;

/**
 * Where a request is addressed to: {@code host [ ":" port ]} (RFC 9110, 4.2.3 and 7.2), as it was written. Names have
 * letters, digits, dots, dashes and underscores only, so that it cannot smuggle anything into a field. Immutable.
 */
public final class Authority {
  private static final int LONGEST = 261;

  private final String host;
  private final int port;
  private final String text;

  private Authority(String host, int port) {
    this(host, port, port == 0 ? host : host + ":" + port);
  }

  private Authority(String host, int port, String text) {
    this.host = host;
    this.port = port;
    this.text = text;
  }

  /** Returns the host, with the brackets of an IPv6 address. */
  public String host() {
    return host;
  }

  /** Returns the port, 1 to 65535; 0 if none is written. */
  public int port() {
    return port;
  }

  /** Parses an authority; empty if invalid, which includes user parts, zones, escapes and lists. */
  public static Optional<Authority> parse(String text) {
    if (text.isEmpty() || text.length() > LONGEST) {
      return Optional.empty();
    }
    int end = text.charAt(0) == '[' ? text.indexOf(']') + 1 : text.indexOf(':') < 0 ? text.length() : text.indexOf(':');
    String host = text.substring(0, end);
    if (!(host.startsWith("[") ? isBracketed(host) : isName(host))) {
      return Optional.empty();
    }
    if (end == text.length()) {
      return Optional.of(new Authority(host, 0));
    }
    int port = text.charAt(end) == ':' ? port(text.substring(end + 1)) : 0;
    if (port == 0) {
      return Optional.empty();
    }
    return Optional.of(text.charAt(end + 1) == '0' ? new Authority(host, port) : new Authority(host, port, text));
  }

  private static boolean isBracketed(String host) {
    String inner = host.substring(1, host.length() - 1);
    return inner.indexOf(':') >= 0 && Address.parse(inner).isPresent();
  }

  private static boolean isName(String host) {
    char before = '.';
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      boolean mark = c == '.' || i > 0 && (c == '-' || c == '_');
      if (!mark && !isLetterOrDigit(c) || c == '.' && before == '.') {
        return false;
      }
      before = c;
    }
    return !host.isEmpty();
  }

  private static boolean isLetterOrDigit(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
  }

  /** {@code port = 1*5DIGIT}; 0 for none. */
  private static int port(String digits) {
    boolean plain = Digits.are(digits, 5);
    int port = plain ? Integer.parseInt(digits) : 0;
    return port <= 65535 ? port : 0;
  }

  /** Returns the authority in lower case. */
  public Authority lower() {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.equals(host) ? this : new Authority(lower, port);
  }

  /**
   * Returns the canonical form: in lower case, without a dot at the end, and without the default port of the scheme.
   */
  public String comparable(String scheme) {
    String name = host.toLowerCase(Locale.ROOT);
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    return port == 0 || port == standardPort(scheme) ? bare : bare + ":" + port;
  }

  private static int standardPort(String scheme) {
    return scheme.equals("https") ? 443 : scheme.equals("http") ? 80 : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Authority authority && authority.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}

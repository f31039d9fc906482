package portcullis.http.client;

import java.net.URI;
import java.util.Locale;

/**
 * Where a request goes: {@code scheme "://" host ":" port} (RFC 9110, 4.3).
 *
 * @param host name, IPv4 address, or IPv6 address without brackets; lower case
 */
record Origin(boolean secure, String host, int port) {
  /**
   * Returns the origin of a URI. Accepts names with an underscore too, for which {@link URI#getHost} returns null.
   *
   * @throws IllegalArgumentException for a URI without {@code http}, {@code https} or {@code h2c}, without host, or
   *     with a port above 65535
   */
  static Origin of(URI uri) {
    boolean secure = "https".equalsIgnoreCase(uri.getScheme());
    boolean clear = "http".equalsIgnoreCase(uri.getScheme()) || isClearHttp2(uri);
    if (!secure && !clear || uri.getRawAuthority() == null) {
      throw new IllegalArgumentException("not an http or https address: " + uri.getScheme());
    }
    return uri.getHost() == null ? parse(secure, uri.getRawAuthority()) : of(secure, uri.getHost(), uri.getPort());
  }

  /** Returns whether the scheme stands for HTTP/2 on clear text; it is not a registered one. */
  static boolean isClearHttp2(URI uri) {
    return "h2c".equalsIgnoreCase(uri.getScheme());
  }

  /** {@code authority = [ userinfo "@" ] host [ ":" port ]} (RFC 3986, 3.2), where the host is not an IPv6 address. */
  private static Origin parse(boolean secure, String authority) {
    String place = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = place.lastIndexOf(':');
    String host = colon < 0 ? place : place.substring(0, colon);
    String port = colon < 0 ? "" : place.substring(colon + 1);
    boolean digits = port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || host.isEmpty() || !host.chars().allMatch(Origin::isNameCharacter)) {
      throw new IllegalArgumentException("not a host and port: " + place);
    }
    return of(secure, host, port.isEmpty() ? -1 : Integer.parseInt(port));
  }

  private static boolean isNameCharacter(int c) {
    return c == '_' || c == '-' || c == '.' || c < 128 && Character.isLetterOrDigit(c);
  }

  private static Origin of(boolean secure, String host, int port) {
    if (port > 65535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return new Origin(secure, bare.toLowerCase(Locale.ROOT), port < 0 ? defaultPort(secure) : port);
  }

  private static int defaultPort(boolean secure) {
    return secure ? 443 : 80;
  }

  /** Returns host and port for CONNECT: {@code host ":" port}. */
  String authority() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  /** {@code Host = uri-host [ ":" port ]}, the port only where it is not the scheme's own (RFC 9110, 7.2). */
  String hostField() {
    String authority = authority();
    return port == defaultPort(secure) ? authority.substring(0, authority.lastIndexOf(':')) : authority;
  }
}

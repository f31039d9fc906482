package portcullis.policy.endpoint;

import java.net.URI;
import java.util.Locale;
import portcullis.lang.value.Digits;

/** A remote service that can fail on its own: scheme, host and port. */
public record RemoteService(String scheme, String host, int port) {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  static RemoteService of(URI url) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    String authority = url.getRawAuthority().toLowerCase(Locale.ROOT);
    int colon = authority.lastIndexOf(':');
    boolean port = colon > authority.lastIndexOf(']') && isPort(authority.substring(colon + 1));
    return port
        ? new RemoteService(scheme, authority.substring(0, colon), Integer.parseInt(authority.substring(colon + 1)))
        : new RemoteService(scheme, authority, scheme.equals("https") ? HTTPS : HTTP);
  }

  boolean isUsualPort() {
    return port == (scheme.equals("https") ? HTTPS : HTTP);
  }

  private static boolean isPort(String text) {
    return Digits.are(text, 5);
  }

  /** Returns it as {@code https://pdp.local:443}. */
  @Override
  public String toString() {
    return scheme + "://" + host + ":" + port;
  }
}

package portcullis.policy.endpoint;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import portcullis.config.Decoders;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Checks URLs of the configuration, whose parts may be templates; scheme and host are checked as they are written. */
public final class Urls {
  private static final String PLAIN = "-._~:/?#[]@!$&'()*+,;=%\\";

  private Urls() {}

  /**
   * Returns whether it is an http or https URL with a host; adds a problem if not.
   *
   * @param tlsOnly whether plain http is refused
   */
  public static boolean check(LocatedText url, boolean tlsOnly, Problems problems) {
    return names(url, tlsOnly, problems) && (url.text().contains("{{") || plain(url, problems));
  }

  private static boolean names(LocatedText url, boolean tlsOnly, Problems problems) {
    String text = url.text();
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      problems.error(url.at(0, text.length()), url.path(),
          "invalid URL `" + Decoders.shortened(text) + "`",
          "it begins with `https://` and a host");
      return false;
    }
    if (authority(text).isEmpty()) {
      problems.error(url.at(0, text.length()), url.path(), "`" + Decoders.shortened(text) + "` has no host",
          "it begins with `https://` and a host");
      return false;
    }
    if (tlsOnly && scheme.equals("http")) {
      problems.error(url.at(0, 4), url.path(), "scheme must be https",
          "or allow http to remote services by `--insecure-skip-egress-tls-enforcement`");
      return false;
    }
    return true;
  }

  /**
   * Returns whether it is a valid redirect target: an http or https URL with a host, a path of the requested host, or a
   * template of one of these; adds a problem if not.
   */
  public static boolean checkTarget(LocatedText url, boolean tlsOnly, Problems problems) {
    return isRelative(url.text()) || url.text().startsWith("{{") && !tlsOnly
        || names(url, tlsOnly, problems) && (url.text().contains("{{")
            || plain(url, escaped(url.text().getBytes(StandardCharsets.UTF_8)), problems));
  }

  /**
   * Returns the bytes as characters, with an escape for each that a URL cannot contain (RFC 3986, 2); backslashes are
   * kept, for later checks to refuse them.
   */
  public static String escaped(byte[] url) {
    StringBuilder out = new StringBuilder(url.length);
    for (byte b : url) {
      if (b > 0 && (Character.isLetterOrDigit(b) || PLAIN.indexOf(b) >= 0)) {
        out.append((char) b);
      } else {
        out.append(String.format("%%%02X", b));
      }
    }
    return out.toString();
  }

  /** Returns whether it is a reference to the same host (RFC 3986, 4.2), as {@code /login}. */
  public static boolean isRelative(String url) {
    boolean path = url.startsWith("/") && !url.startsWith("//") && !url.startsWith("/\\");
    return path || url.startsWith("?") || url.startsWith("./") || url.startsWith("../");
  }

  /** Returns whether the scheme is https, as TLS settings require; adds a problem if not. */
  public static boolean isHttps(LocatedText url, Problems problems) {
    boolean good = url.text().regionMatches(true, 0, "https:", 0, 6);
    if (!good) {
      problems.error(url.at(0, url.text().length()), url.path(), "`tls` is configured for a URL that is not https", "");
    }
    return good;
  }

  /** Returns whether it is a URL without templates; adds a problem if not. */
  static boolean plain(LocatedText url, Problems problems) {
    return plain(url, url.text(), problems);
  }

  private static boolean plain(LocatedText url, String text, Problems problems) {
    if (parse(text).isEmpty()) {
      problems.error(url.at(0, url.text().length()), url.path(),
          "invalid URL `" + Decoders.shortened(url.text()) + "`", "");
      return false;
    }
    return true;
  }

  /** Returns host and port as they are written, including templates; empty if there is none. */
  public static String authority(String url) {
    int from = url.indexOf("://") + 3;
    int at = from;
    while (at < url.length() && "/?#".indexOf(url.charAt(at)) < 0) {
      int template = url.startsWith("{{", at) ? url.indexOf("}}", at) : -1;
      at = template < 0 ? at + 1 : template + 2;
    }
    return url.substring(from, Math.min(at, url.length()));
  }

  /** Returns the URL if it is http or https with a host; otherwise empty. */
  public static Optional<URI> parse(String url) {
    try {
      URI uri = new URI(url);
      boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      return web && uri.getRawAuthority() != null && uri.getRawUserInfo() == null ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }
}

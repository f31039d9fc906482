package portcullis.endpoint;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import portcullis.config.Decoders;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/** URLs of the configuration, whose parts may be templates; scheme and host are judged as they are written. */
public final class UrlText {
  private UrlText() {}

  /**
   * Whether it is an http or https URL with a host; TLS may be insisted on. Adds a problem where not.
   *
   * @param tlsOnly whether plain http is refused
   */
  public static boolean check(LocatedText url, boolean tlsOnly, Problems problems) {
    String text = url.text();
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      problems.error(url.at(0, text.length()), url.path(), "`" + Decoders.shortened(text) + "` is no URL of a remote party",
          "it begins with `https://` and a host");
      return false;
    }
    if (authority(text).isEmpty()) {
      problems.error(url.at(0, text.length()), url.path(), "`" + Decoders.shortened(text) + "` names no host", "");
      return false;
    }
    if (tlsOnly && scheme.equals("http")) {
      problems.error(url.at(0, 4), url.path(), "scheme must be https",
          "or give up TLS to remote parties by `--insecure-skip-egress-tls-enforcement`");
      return false;
    }
    return text.contains("{{") || plain(url, problems);
  }

  /** Whether calls with TLS settings of their own are made over TLS; adds a problem where not. */
  static boolean isSecret(LocatedText url, Problems problems) {
    boolean good = url.text().regionMatches(true, 0, "https:", 0, 6);
    if (!good) {
      problems.error(url.at(0, url.text().length()), url.path(), "`tls` is configured for a URL that is not https", "");
    }
    return good;
  }

  /** Whether it is a URL as it stands, without templates; adds a problem where not. */
  static boolean plain(LocatedText url, Problems problems) {
    if (parse(url.text()).isEmpty()) {
      problems.error(url.at(0, url.text().length()), url.path(), "`" + Decoders.shortened(url.text()) + "` is no valid URL", "");
      return false;
    }
    return true;
  }

  /** Host and port as they are written, templates included; empty where there is none. */
  public static String authority(String url) {
    int from = url.indexOf("://") + 3;
    int at = from;
    while (at < url.length() && "/?#".indexOf(url.charAt(at)) < 0) {
      int template = url.startsWith("{{", at) ? url.indexOf("}}", at) : -1;
      at = template < 0 ? at + 1 : template + 2;
    }
    return url.substring(from, Math.min(at, url.length()));
  }

  /** The URL, if it is one of http or https with a host. */
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

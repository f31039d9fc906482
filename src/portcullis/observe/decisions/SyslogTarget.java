package portcullis.observe.decisions;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.ClientTls;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * Where a syslog server listens; immutable.
 *
 * @param scheme {@code tcp}, {@code tls} or {@code unix}
 * @param path of a Unix socket
 * @param trust the PEM file of issuers that are trusted instead of the system's
 */
public record SyslogTarget(String scheme, String host, int port, String path, Optional<LocatedText> trust) {
  private static final int TLS_PORT = 6514;
  private static final int TCP_PORT = 601;

  static Decoder<SyslogTarget> decoder() {
    Key<LocatedText> url = Key.required("url", Decoders.located(),
        "`tls://host:6514`, `tcp://host:601` or `unix:/path/of/socket`");
    Key<Optional<LocatedText>> trust = Key.optional("trust_store", Decoders.located(),
        "a PEM file of the trusted issuers, by default those of the system").restricting();
    return Decoders.checked("a syslog server", List.of(url, trust), (p, problems) -> {
      LocatedText text = p.get(url);
      Optional<SyslogTarget> target = of(text.text(), p.get(trust));
      if (target.isEmpty()) {
        problems.error(text.at(0, text.text().length()), text.path(),
            "`" + Decoders.shortened(text.text()) + "` is not the URL of a syslog server",
            "as `tls://logs.example:6514`, `tcp://127.0.0.1:601` or `unix:/run/log.sock`");
      }
      return target;
    });
  }

  private static Optional<SyslogTarget> of(String text, Optional<LocatedText> trust) {
    try {
      URI url = new URI(text);
      String scheme = Optional.ofNullable(url.getScheme()).orElse("");
      if (scheme.equals("unix")) {
        String path = text.substring("unix:".length());
        return path.startsWith("/") ? Optional.of(new SyslogTarget(scheme, "", 0, path, trust)) : Optional.empty();
      }
      boolean plain = url.getHost() != null && url.getUserInfo() == null && url.getRawQuery() == null
          && (url.getRawPath().isEmpty() || url.getRawPath().equals("/"));
      if (!plain || !scheme.equals("tls") && !scheme.equals("tcp")) {
        return Optional.empty();
      }
      int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("tls") ? TLS_PORT : TCP_PORT;
      return Optional.of(new SyslogTarget(scheme, url.getHost().replaceAll("[\\[\\]]", ""), port, "", trust));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  boolean isUnix() {
    return scheme.equals("unix");
  }

  /** Returns the TLS of connections, if they have any; adds a problem where the trusted issuers cannot be read. */
  public Optional<ClientTls> tls(Problems problems) {
    if (!scheme.equals("tls")) {
      return Optional.empty();
    }
    try {
      return Optional.of(ClientTls.of(trust.isEmpty() ? Optional.empty()
          : Optional.of(TrustStore.read(Path.of(trust.get().text()))), Optional.empty()));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, trust.orElseThrow(), problems);
      return Optional.empty();
    }
  }
}

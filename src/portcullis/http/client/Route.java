package portcullis.http.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.WireRequest;

/** The route to an origin: direct, or through an HTTP proxy. */
record Route(Origin origin, Optional<InetSocketAddress> proxy, Protocols protocols) {
  /** The protocols that may be used on a route. */
  enum Protocols {
    HTTP_1,
    /** The protocol that TLS negotiates (RFC 7301). */
    EITHER,
    /** HTTP/2 by prior knowledge (RFC 9113, 3.3). */
    HTTP_2
  }

  /**
   * Returns the route of a request. A switch of protocols needs HTTP/1.1; the scheme {@code h2c} means HTTP/2 on clear
   * text.
   *
   * @param version the newest version for TLS
   * @param selector selects the proxy; its first choice is used
   */
  static Route of(WireRequest.Parts parts, Version version, Optional<ProxySelector> selector)
      throws UnreachableException {
    URI uri = parts.origin();
    Origin origin = Origin.of(uri);
    boolean either = origin.secure() && version == Version.HTTP_2 && !parts.fields().has("Upgrade");
    Protocols protocols = Origin.isClearHttp2(uri) ? Protocols.HTTP_2 : either ? Protocols.EITHER : Protocols.HTTP_1;
    return new Route(origin, selector.isEmpty() ? Optional.empty() : proxy(uri, selector.get()), protocols);
  }

  private static Optional<InetSocketAddress> proxy(URI uri, ProxySelector selector) throws UnreachableException {
    List<Proxy> choices = selector.select(uri);
    Proxy first = choices.isEmpty() ? Proxy.NO_PROXY : choices.getFirst();
    return switch (first.type()) {
      case DIRECT -> Optional.empty();
      case HTTP -> Optional.of((InetSocketAddress) first.address());
      case SOCKS ->
        throw new UnreachableException("a SOCKS proxy is chosen for `" + uri.getHost() + "`, which is not supported");
    };
  }

  /** Returns what precedes the target of a request on this route: for a proxy the origin (RFC 9112, 3.2.2). */
  String targetPrefix() {
    return proxy.isPresent() && !needsTunnel() ? "http://" + origin.hostField() : "";
  }

  boolean needsTunnel() {
    return proxy.isPresent() && (origin.secure() || protocols == Protocols.HTTP_2);
  }

  /** Returns what is offered to TLS, the best first. */
  String[] offered() {
    return protocols == Protocols.EITHER ? new String[] {"h2", "http/1.1"} : new String[] {"http/1.1"};
  }

  /** Returns what is spoken on a link that has come about. */
  boolean isHttp2(Transport link) {
    return protocols == Protocols.HTTP_2 || protocols == Protocols.EITHER && link.protocol().equals("h2");
  }
}

package portcullis.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The way to an origin: straight, or by an HTTP proxy. */
record Route(Origin origin, Optional<InetSocketAddress> proxy) {
  /** As the selector says for that address: its first choice counts. */
  static Route of(URI uri, Optional<ProxySelector> selector) throws Unreachable {
    Origin origin = Origin.of(uri);
    if (selector.isEmpty()) {
      return new Route(origin, Optional.empty());
    }
    List<Proxy> choices = selector.get().select(uri);
    Proxy first = choices.isEmpty() ? Proxy.NO_PROXY : choices.getFirst();
    return switch (first.type()) {
      case DIRECT -> new Route(origin, Optional.empty());
      case HTTP -> new Route(origin, Optional.of((InetSocketAddress) first.address()));
      case SOCKS -> throw new Unreachable("a SOCKS proxy is chosen for `" + origin.host() + "`, which is not supported");
    };
  }

  /** What a request on this way carries before its target: a proxy is told the origin as well (RFC 9112, 3.2.2). */
  String targetPrefix() {
    return proxy.isPresent() && !origin.secure() ? "http://" + origin.hostField() : "";
  }

  boolean needsTunnel() {
    return proxy.isPresent() && origin.secure();
  }
}

package portcullis.http.message;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;

/** The networks of proxies whose forwarding fields are trusted; immutable. */
public record TrustedProxies(List<Network> networks) {
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  public TrustedProxies {
    networks = List.copyOf(networks);
  }

  public boolean trusts(InetAddress peer) {
    for (int i = 0; i < networks.size(); i++) {
      if (networks.get(i).contains(peer)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the address that a request counts for where places are shared: that of the peer, or the last one that
   * trusted proxies name and that is none of theirs. Empty if a trusted proxy names no client.
   */
  public Optional<InetAddress> client(InetAddress peer, Fields fields) {
    if (!trusts(peer)) {
      return Optional.of(peer);
    }
    List<String> named = ForwardedChain.forwarded(fields.all("Forwarded")).orElse(List.of());
    List<String> chain = named.isEmpty() ? ForwardedChain.nearest(fields.all("X-Forwarded-For")) : named.reversed();
    Optional<InetAddress> client = Optional.empty();
    for (String address : chain) {
      client = Address.parse(address);
      if (client.isPresent() && !trusts(client.get())) {
        return client;
      }
    }
    return client;
  }
}

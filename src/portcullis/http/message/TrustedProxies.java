package portcullis.http.message;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.lang.address.Network;

/** The networks of proxies whose forwarding fields are trusted; immutable. */
public record TrustedProxies(List<Network> networks) {
  private static final String FORWARDED = "Forwarded";
  private static final String FORWARDED_FOR = "X-Forwarded-For";

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
   * Returns the address that a request comes from as far as it can be relied upon: that of the peer, or the last one
   * that trusted proxies name and that is none of theirs. Empty if a trusted proxy names no client, or if {@code
   * Forwarded} and {@code X-Forwarded-For} differ: proxies maintain one of them and may pass on the other as the client
   * has written it.
   */
  public Optional<InetAddress> client(InetAddress peer, Fields fields) {
    return !trusts(peer) ? Optional.of(peer) : switch (named(fields)) {
      case Client.Known(InetAddress address) -> Optional.of(address);
      case Client.Unnamed _, Client.Contradictory _ -> Optional.empty();
    };
  }

  /**
   * Returns the network whose share of places and memory a request uses: that of the client, or of the proxy where its
   * fields differ, so that clients with forged fields share one. Empty if a trusted proxy names no client.
   */
  public Optional<Network> share(InetAddress peer, Fields fields) {
    return !trusts(peer) ? Optional.of(Network.ofPeer(peer)) : switch (named(fields)) {
      case Client.Known(InetAddress address) -> Optional.of(Network.ofPeer(address));
      case Client.Unnamed _ -> Optional.empty();
      case Client.Contradictory _ -> Optional.of(Network.ofPeer(peer));
    };
  }

  /**
   * Returns all addresses that may be the client's: that of {@link #client}, or where the fields of a trusted proxy
   * differ each that one of them names, since the client has written one of them. What is locked for one of these is
   * locked for this request.
   */
  public List<InetAddress> candidates(InetAddress peer, Fields fields) {
    if (!trusts(peer)) {
      return List.of(peer);
    }
    Client client = named(fields);
    if (client instanceof Client.Known(InetAddress address)) {
      return List.of(address);
    }
    return Stream.of(named(forwarded(fields)), named(forwardedFor(fields)))
        .flatMap(one -> one instanceof Client.Known(InetAddress address) ? Stream.of(address) : Stream.empty())
        .toList();
  }

  private sealed interface Client {
    record Known(InetAddress address) implements Client {}

    /** No field names a client. */
    record Unnamed() implements Client {}

    /** The fields name different clients, or one that cannot be read. */
    record Contradictory() implements Client {}
  }

  private Client named(Fields fields) {
    Client one = named(forwarded(fields));
    Client other = named(forwardedFor(fields));
    if (one.equals(other) || other instanceof Client.Unnamed) {
      return one;
    }
    if (one instanceof Client.Unnamed) {
      return other;
    }
    boolean inner = one instanceof Client.Known(InetAddress address) && trusts(address);
    boolean otherInner = other instanceof Client.Known(InetAddress address) && trusts(address);
    return inner == otherInner ? new Client.Contradictory() : inner ? other : one;
  }

  private static ForwardedChain.Nearest forwarded(Fields fields) {
    return ForwardedChain.nearestForwarded(fields.all(FORWARDED));
  }

  private static ForwardedChain.Nearest forwardedFor(Fields fields) {
    return ForwardedChain.nearestFor(fields.all(FORWARDED_FOR));
  }

  private Client named(ForwardedChain.Nearest nearest) {
    Optional<InetAddress> outer = nearest.addresses().stream().filter(address -> !trusts(address)).findFirst();
    if (outer.isPresent()) {
      return new Client.Known(outer.get());
    }
    if (!nearest.whole()) {
      return new Client.Contradictory();
    }
    return nearest.addresses().isEmpty() ? new Client.Unnamed() : new Client.Known(nearest.addresses().getLast());
  }
}

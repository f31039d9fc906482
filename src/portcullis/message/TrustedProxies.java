package portcullis.message;

import java.net.InetAddress;
import java.util.List;
import portcullis.address.Network;

/** The peers whose word on whom they speak for is taken; immutable. */
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
}

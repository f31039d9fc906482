package portcullis.lang.expression;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;

/** {@code networks('10.0.0.0/8')}, and whether one address or all of a list are within. */
final class Networks {
  private Networks() {}

  static Optional<Function> find(String name) {
    return name.equals("networks") ? Optional.of(Networks::of) : Optional.empty();
  }

  private static Val of(Arguments a) throws EvaluationFailure {
    List<Val> texts = a.get(0) instanceof Val.Text text ? List.of(text) : new ArrayList<>(a.list(0));
    Set<Network> networks = new LinkedHashSet<>();
    for (Val item : texts) {
      a.meter().charge(1);
      String text = item.text().orElseThrow(a::mismatch);
      // a bare address is none: whether it means one address or its class is a guess
      networks.add(Optional.of(text).filter(t -> t.indexOf('/') > 0).flatMap(Network::parse)
          .orElseThrow(
              () -> new EvaluationFailure(
                  "invalid network `" + DisplayNames.cut(text) + "`: write it as `10.0.0.0/8`")));
    }
    return new Val.Networks(networks);
  }

  /** A string that is not an address is in no network; a list is within if all elements are. */
  static boolean contain(Val.Networks networks, Val wanted, Meter meter) throws EvaluationFailure {
    List<Val> all = wanted instanceof Val.Items items ? items.values() : List.of(wanted);
    for (Val item : all) {
      meter.charge(1 + networks.networks().size());
      Optional<InetAddress> address = item.text().flatMap(Address::parse);
      if (address.isEmpty() || networks.networks().stream().noneMatch(n -> n.contains(address.get()))) {
        return false;
      }
    }
    return true;
  }
}

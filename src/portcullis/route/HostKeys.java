package portcullis.route;

import java.util.ArrayList;
import java.util.List;

/** The keys under which the index keeps hosts: {@code name}, {@code *.suffix}, each maybe with a port, and {@code *}. */
final class HostKeys {
  private static final String ANY = "*";

  private HostKeys() {}

  /** Where a rule with these conditions belongs. */
  static List<String> of(Conditions conditions) {
    List<String> keys = conditions.hosts().stream().filter(host -> !(host instanceof HostPattern.Fitting))
        .map(HostKeys::of).distinct().toList();
    return keys.isEmpty() ? List.of(ANY) : keys;
  }

  private static String of(HostPattern host) {
    return switch (host) {
      case HostPattern.Exact exact -> exact.name() + port(exact.port());
      case HostPattern.Below below -> "*." + below.suffix() + port(below.port());
      case HostPattern.Any _, HostPattern.Fitting _ -> ANY;
    };
  }

  private static String port(int port) {
    return port == 0 ? "" : ":" + port;
  }

  /** The keys of all hosts that take this request, the most specific first. */
  static List<String> taking(HostName host, String scheme) {
    List<String> ports = host.ports(scheme);
    List<String> keys = new ArrayList<>();
    ports.forEach(port -> keys.add(host.name() + port));
    addBelow(host.name(), ports, keys);
    keys.add(ANY);
    return keys;
  }

  /**
   * The keys of all hosts that take everything that the host of this key takes, itself included. A host without port
   * counts as taking those on the ports 80 and 443.
   */
  static List<String> covering(String key) {
    HostName host = HostName.of(key);
    List<String> ports = switch (host.port()) {
      case 0 -> List.of("");
      case 80, 443 -> List.of(":" + host.port(), "");
      default -> List.of(":" + host.port());
    };
    List<String> keys = new ArrayList<>();
    if (!key.equals(ANY)) {
      ports.forEach(port -> keys.add(host.name() + port));
      addBelow(host.name(), ports, keys);
    }
    keys.add(ANY);
    return keys;
  }

  private static void addBelow(String name, List<String> ports, List<String> keys) {
    for (int dot = name.indexOf('.', 1); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      String below = "*" + name.substring(dot);
      ports.stream().map(port -> below + port).filter(key -> !keys.contains(key)).forEach(keys::add);
    }
  }
}

package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys under which the index keeps hosts: {@code name}, {@code *.suffix}, each with {@code :port} or without, and
 * {@code *}.
 */
final class HostKeys {
  static final String ANY = "*";
  static final List<String> ANY_ONLY = List.of(ANY);

  private HostKeys() {}

  /** Returns where a rule with these conditions belongs. */
  static List<String> of(Conditions conditions) {
    List<String> keys = conditions.hosts().isEmpty() ? ANY_ONLY
        : conditions.hosts().stream()
            .filter(host -> !(host instanceof HostPattern.Matching)).map(HostKeys::of).distinct().toList();
    return keys.isEmpty() ? ANY_ONLY : keys;
  }

  private static String of(HostPattern host) {
    return switch (host) {
      case HostPattern.Exact exact -> new HostName(exact.name(), exact.port()).toString();
      case HostPattern.Subdomains below -> "*." + new HostName(below.suffix(), below.port());
      case HostPattern.Any _, HostPattern.Matching _ -> ANY;
    };
  }

  /** Returns a key without its port. */
  static String portless(String key) {
    return key.equals(ANY) ? key : HostName.of(key).name();
  }

  static boolean namesPort(String key) {
    return key.indexOf(':') >= 0 && HostName.of(key).port() != 0;
  }

  /**
   * The keys of all hosts that take everything that the host of this key takes, itself included. A host without port
   * counts as taking those on the ports 80 and 443.
   */
  static List<String> covering(String key) {
    if (key.equals(ANY)) {
      return ANY_ONLY;
    }
    HostName host = HostName.of(key);
    List<String> keys = new ArrayList<>();
    add(host.name(), host.port(), keys);
    for (int dot = host.name().indexOf('.', 1); dot > 0; dot = host.name().indexOf('.', dot + 1)) {
      String below = "*" + host.name().substring(dot);
      if (!below.equals(host.name())) {
        add(below, host.port(), keys);
      }
    }
    keys.add(ANY);
    return keys;
  }

  private static void add(String name, int port, List<String> keys) {
    if (port != 0) {
      keys.add(name + ":" + port);
    }
    if (port == 0 || port == 80 || port == 443) {
      keys.add(name);
    }
  }
}

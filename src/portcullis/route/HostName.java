package portcullis.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import portcullis.address.Address;

/**
 * An authority in the form that is compared (RFC 3986, 3.2): the host in lower case without trailing dot, an IPv6 address
 * in full, and the port, 0 where none was written.
 */
record HostName(String name, int port) {
  private static final int LARGEST_PORT = 65535;

  static HostName of(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon >= 0 && authority.indexOf(']', colon) < 0 && portOf(authority.substring(colon + 1)) > 0;
    String name = hasPort ? authority.substring(0, colon) : authority;
    return new HostName(canonical(name), hasPort ? portOf(authority.substring(colon + 1)) : 0);
  }

  private static String canonical(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("[") && lower.endsWith("]")) {
      return Address.parse(lower.substring(1, lower.length() - 1)).map(a -> "[" + a.getHostAddress() + "]").orElse(lower);
    }
    return lower.length() > 1 && lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static int portOf(String digits) {
    boolean plain = !digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = plain ? Integer.parseInt(digits) : 0;
    return port <= LARGEST_PORT ? port : 0;
  }

  /** The port that a request of this scheme means when it names none; 0 for other schemes. */
  static int defaultPort(String scheme) {
    return switch (scheme) {
      case "http" -> 80;
      case "https" -> 443;
      default -> 0;
    };
  }

  /**
   * How rules may write the end of this authority in a request of that scheme: its port or nothing, both where it is
   * the scheme's own, the more specific first.
   */
  List<String> ports(String scheme) {
    int standard = defaultPort(scheme);
    int effective = port == 0 ? standard : port;
    if (effective == 0) {
      return List.of("");
    }
    return effective == standard ? List.of(":" + effective, "") : List.of(":" + effective);
  }

  /** The spellings of this authority in a request of that scheme, for patterns that see it as text. */
  List<String> spellings(String scheme) {
    List<String> out = new ArrayList<>();
    ports(scheme).forEach(port -> out.add(name + port));
    return out;
  }

  @Override
  public String toString() {
    return port == 0 ? name : name + ":" + port;
  }
}

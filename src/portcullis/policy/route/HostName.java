package portcullis.policy.route;

import java.util.List;
import java.util.Locale;
import portcullis.lang.address.Address;
import portcullis.lang.value.Digits;

/**
 * An authority in the form that is compared (RFC 3986, 3.2): the host in lower case without trailing dot, an IPv6
 * address in full, and the port, 0 where none was written.
 */
record HostName(String name, int port) {
  private static final int LARGEST_PORT = 65535;

  static HostName of(String authority) {
    int colon = authority.lastIndexOf(':');
    // behind the last colon of an IPv6 address is no number, but one with a bracket
    int port = colon >= 0 ? portOf(authority.substring(colon + 1)) : 0;
    return of(port > 0 ? authority.substring(0, colon) : authority, port);
  }

  static HostName of(String name, int port) {
    return new HostName(canonical(name), port);
  }

  private static String canonical(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("[") && lower.endsWith("]")) {
      String address = lower.substring(1, lower.length() - 1);
      return Address.parse(address).map(a -> "[" + a.getHostAddress() + "]").orElse(lower);
    }
    return lower.length() > 1 && lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static int portOf(String digits) {
    boolean plain = Digits.are(digits, 5);
    int port = plain ? Integer.parseInt(digits) : 0;
    return port <= LARGEST_PORT ? port : 0;
  }

  /** Returns the port that a request of this scheme means when it names none; 0 for other schemes. */
  static int defaultPort(String scheme) {
    return switch (scheme) {
      case "http" -> 80;
      case "https" -> 443;
      default -> 0;
    };
  }

  /**
   * Returns how it may be spelled in a request of that scheme: without the port, and with it, where it is the scheme's
   * own.
   */
  List<String> spellings(String scheme) {
    int usual = defaultPort(scheme);
    boolean isDefault = port == 0 || port == usual;
    if (!isDefault || usual == 0) {
      return List.of(toString());
    }
    return List.of(name, name + ":" + usual);
  }

  @Override
  public String toString() {
    return port == 0 ? name : name + ":" + port;
  }
}

package portcullis.lang.address;

import java.util.Optional;

/**
 * Validates the hosts that a service may listen on: an IP address, an IPv6 one also in brackets or with a zone, or a
 * host name.
 */
public final class ListenHost {
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_LABEL = 63;
  private static final String FORMS = "as `127.0.0.1`, `::1` or `app.local`, or empty for all addresses";

  private ListenHost() {}

  /** Returns what to write instead of an invalid host; empty for a valid one. An empty string is all addresses. */
  public static Optional<String> advice(String text) {
    if (text.isEmpty() || isSix(text) || Address.parse(text).isPresent() || isName(text)) {
      return Optional.empty();
    }
    String rest = text.substring(text.indexOf("://") < 0 ? 0 : text.indexOf("://") + 3);
    String authority = rest.indexOf('/') < 0 ? rest : rest.substring(0, rest.indexOf('/'));
    String host = withoutPort(authority);
    boolean meant = !host.isEmpty() && !host.equals(text) && advice(host).isEmpty();
    return Optional
        .of(meant ? "write `" + host + "`" + (host.length() < authority.length() ? ", the port is set by `port`" : "")
            : FORMS);
  }

  private static String withoutPort(String text) {
    int colon = text.lastIndexOf(':');
    boolean digits = colon > 0 && text.substring(colon + 1).chars().allMatch(c -> c >= '0' && c <= '9');
    return digits && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']') ? text.substring(0, colon) : text;
  }

  private static boolean isSix(String text) {
    String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    int zone = bare.indexOf('%');
    String address = zone < 0 || zone == bare.length() - 1 ? bare : bare.substring(0, zone);
    return address.indexOf(':') >= 0 && Address.parse(address).isPresent();
  }

  /**
   * Returns whether it is {@code label *( "." label ) [ "." ]} (RFC 1123, 2.1), whose last label is not a number.
   */
  private static boolean isName(String text) {
    String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    String[] labels = name.split("\\.", -1);
    for (String label : labels) {
      boolean edges = !label.isEmpty() && label.charAt(0) != '-' && label.charAt(label.length() - 1) != '-';
      if (!edges || label.length() > LONGEST_LABEL || !label.chars().allMatch(c -> c == '-' || isLetterOrDigit(c))) {
        return false;
      }
    }
    return name.length() <= LONGEST_NAME && !labels[labels.length - 1].chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean isLetterOrDigit(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
  }
}

package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.address.Address;

/** Reads the addresses of clients in fields of proxies; anything but an address is ignored. */
public final class ForwardedChain {
  private ForwardedChain() {}

  /**
   * Returns the addresses of {@code X-Forwarded-For} lines that come before the first invalid one.
   */
  public static List<String> forwardedFor(List<String> lines) {
    List<String> out = new ArrayList<>();
    for (String line : lines) {
      for (String element : Grammar.list(line)) {
        if (Address.parse(element).isEmpty()) {
          return out;
        }
        out.add(element);
      }
    }
    return out;
  }

  /**
   * Returns the addresses of {@code X-Forwarded-For} lines that come behind the last invalid one, the last first: what
   * proxies append counts, whatever the client has sent. There are no quoted strings, which could hide a comma.
   */
  static List<String> nearest(List<String> lines) {
    List<String> out = new ArrayList<>();
    for (String line : lines.reversed()) {
      for (String element : List.of(line.split(",", -1)).reversed()) {
        String address = element.strip();
        if (!address.isEmpty() && Address.parse(address).isEmpty()) {
          return out;
        }
        out.add(address);
      }
    }
    return out;
  }

  /**
   * Of {@code Forwarded} lines (RFC 7239, 4): {@code forwarded-element = [ pair ] *( ";" [ pair ] )},
   * {@code pair = token "=" ( token / quoted-string )}. Hidden and unknown clients are left out; empty where anything
   * in it is wrong, a port included.
   */
  public static Optional<List<String>> forwarded(List<String> lines) {
    List<String> out = new ArrayList<>();
    for (String line : lines) {
      for (String element : Grammar.list(line)) {
        if (!addClient(element, out)) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(out);
  }

  private static boolean addClient(String element, List<String> clients) {
    boolean found = false;
    for (String pair : Grammar.parts(element, ';')) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals);
      Optional<String> value = equals < 0 ? Optional.empty() : value(pair.substring(equals + 1));
      if (!Grammar.isToken(name) || value.isEmpty()) {
        return false;
      }
      if (name.equalsIgnoreCase("for")) {
        if (found || !addNode(value.get(), clients)) {
          return false;
        }
        found = true;
      }
    }
    return true;
  }

  private static Optional<String> value(String text) {
    return Grammar.isToken(text) ? Optional.of(text) : Grammar.unquoted(text);
  }

  /** {@code node = IPv4address / "[" IPv6address "]" / "unknown" / obfnode} (RFC 7239, 6), without a port. */
  private static boolean addNode(String node, List<String> clients) {
    if (node.equalsIgnoreCase("unknown") || node.startsWith("_")) {
      return true;
    }
    boolean bracketed = node.startsWith("[") && node.endsWith("]");
    String address = bracketed ? node.substring(1, node.length() - 1) : node;
    if (Address.parse(address).isEmpty() || bracketed != address.indexOf(':') >= 0) {
      return false;
    }
    clients.add(address);
    return true;
  }
}

package portcullis.http.message;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
   * The addresses that a field names behind the last element that names none, the last first: what proxies append
   * counts, whatever the client has sent.
   *
   * @param whole whether there is no such element
   */
  record Nearest(List<InetAddress> addresses, boolean whole) {
    private static Nearest of(List<String> lines, Function<String, Optional<InetAddress>> read) {
      List<InetAddress> out = new ArrayList<>();
      for (String line : lines.reversed()) {
        for (String element : List.of(line.split(",", -1)).reversed()) {
          String trimmed = Grammar.trimmed(element);
          Optional<InetAddress> address = trimmed.isEmpty() ? Optional.empty() : read.apply(trimmed);
          if (!trimmed.isEmpty() && address.isEmpty()) {
            return new Nearest(List.copyOf(out), false);
          }
          address.ifPresent(out::add);
        }
      }
      return new Nearest(List.copyOf(out), true);
    }
  }

  /** Reads {@code X-Forwarded-For} lines; there are no quoted strings, which could hide a comma. */
  static Nearest nearestFor(List<String> lines) {
    return Nearest.of(lines, ForwardedChain::address);
  }

  /**
   * Reads {@code Forwarded} lines. A quoted string with a comma names no address: a quotation mark that the client has
   * sent must not hide what a proxy has appended.
   */
  static Nearest nearestForwarded(List<String> lines) {
    return Nearest.of(lines, ForwardedChain::node);
  }

  private static Optional<InetAddress> node(String element) {
    Optional<InetAddress> node = Optional.empty();
    for (String pair : Grammar.parts(element, ';')) {
      int equals = pair.indexOf('=');
      Optional<String> value = equals < 0 ? Optional.empty() : value(pair.substring(equals + 1));
      boolean names = equals == 3 && pair.regionMatches(true, 0, "for", 0, 3);
      if (value.isEmpty() || names && node.isPresent()) {
        return Optional.empty();
      }
      node = names ? address(value.get()) : node;
    }
    return node;
  }

  /** Parses an address, which may be in brackets and have a port. */
  private static Optional<InetAddress> address(String text) {
    int colon = text.lastIndexOf(':');
    boolean port = colon > 0 && (text.charAt(colon - 1) == ']' || text.indexOf(':') == colon)
        && text.substring(colon + 1).chars().allMatch(c -> c >= '0' && c <= '9');
    String host = port ? text.substring(0, colon) : text;
    boolean bracketed = host.startsWith("[") && host.endsWith("]") && host.indexOf(':') >= 0;
    return Address.parse(bracketed ? host.substring(1, host.length() - 1) : host);
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
      if (equals < 1) {
        return false;
      }
      String name = pair.substring(0, equals);
      Optional<String> value = value(pair.substring(equals + 1));
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

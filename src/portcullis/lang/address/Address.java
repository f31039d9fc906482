package portcullis.lang.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Reads IP addresses: dotted quads of plain decimals, IPv6 texts (RFC 4291, 2.2); {@code ::ffff:10.0.0.1} is 10.0.0.1.
 */
public final class Address {
  private Address() {}

  /** The address; empty for everything else, as names, zones, ports, octal or short forms. */
  public static Optional<InetAddress> parse(String text) {
    if (text.indexOf(':') >= 0) {
      return text.length() <= 45 && text.chars().allMatch(Address::isSixCharacter) ? literal(text) : Optional.empty();
    }
    return isQuad(text) ? literal(text) : Optional.empty();
  }

  private static boolean isSixCharacter(int c) {
    return c == ':' || c == '.' || Character.digit(c, 16) >= 0 && c < 128;
  }

  private static boolean isQuad(String text) {
    String[] parts = text.split("\\.", -1);
    for (String part : parts) {
      boolean digits = !part.isEmpty() && part.length() <= 3 && part.chars().allMatch(c -> c >= '0' && c <= '9');
      if (!digits || part.length() > 1 && part.charAt(0) == '0' || Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return parts.length == 4;
  }

  private static Optional<InetAddress> literal(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The address of these 4 or 16 bytes; a mapped IPv4 address as such. */
  static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}

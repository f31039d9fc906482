package portcullis.lang.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Parses IP addresses: dotted decimal IPv4 and IPv6 (RFC 4291, 2.2); {@code ::ffff:10.0.0.1} is 10.0.0.1.
 */
public final class Address {
  private Address() {}

  /** Returns the address; empty for names, zones, ports, octal and short forms. */
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

  /** Returns the address of 4 or 16 bytes; a mapped one is an IPv4 address. */
  static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}

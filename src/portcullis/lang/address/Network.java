package portcullis.lang.address;

import java.net.InetAddress;
import java.util.Optional;

/**
 * A network of all addresses that share a prefix (RFC 4632, 3.1; RFC 4291, 2.3), or a single address.
 */
public record Network(InetAddress base, int bits) {
  /** Parses an address or {@code address/bits}; empty for other strings. Bits beyond the prefix are cleared. */
  public static Optional<Network> parse(String text) {
    int slash = text.indexOf('/');
    Optional<InetAddress> address = Address.parse(slash < 0 ? text : text.substring(0, slash));
    if (address.isEmpty()) {
      return Optional.empty();
    }
    int all = address.get().getAddress().length * 8;
    // a mapped address has become an IPv4 one: its prefix was counted within 128 bits
    int mapped = slash >= 0 && all == 32 && text.indexOf(':') >= 0 ? 96 : 0;
    int bits = slash < 0 ? all : prefix(text.substring(slash + 1)) - mapped;
    return bits < 0 || bits > all ? Optional.empty() : Optional.of(new Network(masked(address.get(), bits), bits));
  }

  /**
   * Returns what to write in place of {@code address/bits} whose address has bits beyond the prefix, as it is not known
   * whether the address or the network is meant; empty for other strings.
   */
  public static Optional<String> correction(String text) {
    String host = text.replaceFirst("/.*", "");
    return parse(text).filter(network -> parse(host).filter(one -> one.base().equals(network.base())).isEmpty())
        .map(network -> "`" + text + "` has host bits set, write " + network + " for the network or " + host
            + " for the host");
  }

  /** Returns the network that is one peer: an IPv4 address, or the /64 of an IPv6 address, which one host owns. */
  public static Network ofPeer(InetAddress address) {
    boolean six = address.getAddress().length == 16;
    return six ? new Network(masked(address, 64), 64) : new Network(address, 32);
  }

  private static int prefix(String digits) {
    boolean plain = !digits.isEmpty() && digits.length() <= 3 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain && (digits.length() == 1 || digits.charAt(0) != '0') ? Integer.parseInt(digits) : Integer.MIN_VALUE;
  }

  private static InetAddress masked(InetAddress address, int bits) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(bits - i * 8L, 0, 8);
      bytes[i] &= (byte) (0xff00 >> kept);
    }
    return Address.of(bytes);
  }

  public boolean contains(InetAddress address) {
    return address.getAddress().length == base.getAddress().length && masked(address, bits).equals(base);
  }

  /** Returns whether it contains every address of its family. */
  public boolean isEverything() {
    return bits == 0;
  }

  @Override
  public String toString() {
    return base.getHostAddress() + "/" + bits;
  }
}

package portcullis.http.message;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Writes addresses (RFC 5952, 4): IPv6 in lower case, the first of its longest runs of zero groups as {@code ::}. */
public final class AddressText {
  private AddressText() {}

  public static String of(InetAddress address) {
    return address instanceof Inet6Address six ? six(six.getAddress()) : address.getHostAddress();
  }

  private static String six(byte[] bytes) {
    int[] groups = new int[bytes.length / 2];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
    }
    int start = 0;
    int length = 0;
    for (int i = 0; i < groups.length; i++) {
      int run = zeros(groups, i);
      if (run > length) {
        start = i;
        length = run;
      }
    }
    return length < 2 ? joined(groups, 0, groups.length)
        : joined(groups, 0, start) + "::" + joined(groups, start + length, groups.length);
  }

  private static int zeros(int[] groups, int from) {
    int to = from;
    while (to < groups.length && groups[to] == 0) {
      to++;
    }
    return to - from;
  }

  private static String joined(int[] groups, int from, int to) {
    StringBuilder out = new StringBuilder();
    for (int i = from; i < to; i++) {
      out.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
    }
    return out.toString();
  }
}

package portcullis.http.h2;

import portcullis.http.wire.WireOutput;

/**
 * Writes fields into a header block without a table of its own (RFC 7541, 6): what the static table has is referred to,
 * everything else is literal. So blocks may be written in any order, and secrets cannot be found out by the lengths
 * of blocks.
 */
final class HpackEncoder {
  private HpackEncoder() {}

  /** Announces an empty table before the first field of a connection, whatever size the peer allows. */
  static void noTable(WireOutput out) {
    out.write(0x20);
  }

  /** Writes a field; its name is in lower case (RFC 9113, 8.2). */
  static void field(WireOutput out, String name, String value) {
    int place = name.charAt(0) == ':' ? HpackTable.place(name, value) : 0;
    if (place > 0) {
      integer(out, 0x80, 7, place);
      return;
    }
    boolean secret = name.equals("authorization") || name.equals("cookie") || name.equals("set-cookie");
    int named = HpackTable.place(name);
    integer(out, secret ? 0x10 : 0, 4, named);
    if (named == 0) {
      string(out, name);
    }
    string(out, value);
  }

  private static void string(WireOutput out, String text) {
    integer(out, 0, 7, text.length());
    out.write(text);
  }

  private static void integer(WireOutput out, int first, int bits, int value) {
    int most = (1 << bits) - 1;
    if (value < most) {
      out.write(first | value);
      return;
    }
    out.write(first | most);
    int rest = value - most;
    for (; rest >= 0x80; rest >>= 7) {
      out.write(rest & 0x7f | 0x80);
    }
    out.write(rest);
  }
}

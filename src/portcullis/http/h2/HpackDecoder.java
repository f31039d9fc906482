package portcullis.http.h2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.StringInterner;

/**
 * Reads the header blocks of one connection, all of them in their order, as each may change the table (RFC 7541, 3 and
 * 6). For one thread.
 */
public final class HpackDecoder {
  private static final int LONGEST_INTEGER = 1 << 24;
  private static final int KEPT_SCRATCH = 1024;
  private static final byte[] NONE = {};

  private final int maxCapacity;
  private final HeadLimits limits;
  private final HpackTable table;
  private byte[] block = NONE;
  private int at;
  private int end;
  private byte[] scratch = NONE;

  /**
   * A block that has been read.
   *
   * @param whole false where the list is longer than allowed, so that fields are missing
   */
  public record Block(Fields fields, boolean whole) {}

  /**
   * Creates a decoder for a new connection.
   *
   * @param maxCapacity of the table in bytes, as in the settings that were sent to the peer
   */
  public HpackDecoder(int maxCapacity, HeadLimits limits) {
    this.maxCapacity = maxCapacity;
    this.limits = limits;
    this.table = new HpackTable(maxCapacity);
  }

  /** Reads one from that part of an array. */
  public Block read(byte[] bytes, int from, int to) throws IOException {
    block = bytes;
    at = from;
    end = to;
    List<Field> lines = new ArrayList<>();
    long size = 0;
    boolean begun = false;
    while (at < end) {
      int first = block[at] & 0xff;
      if (first >> 5 == 1) {
        capacity(begun);
        continue;
      }
      begun = true;
      Field field = field(first);
      size += HpackTable.bytes(field);
      if (size <= limits.maxBytes() && lines.size() < limits.maxFields()) {
        lines.add(field);
      } else {
        size = Integer.MAX_VALUE;
      }
    }
    forget();
    return new Block(Fields.of(lines), size < Integer.MAX_VALUE);
  }

  /** Keeps nothing large, as no other block may come for long. */
  private void forget() {
    block = NONE;
    scratch = scratch.length > KEPT_SCRATCH ? NONE : scratch;
  }

  /** {@code 001 new-max-size(5+)}, in front of all fields (RFC 7541, 4.2 and 6.3). */
  private void capacity(boolean begun) throws IOException {
    int bytes = integer(5);
    if (begun || bytes > maxCapacity) {
      throw error("a table size that is out of place or too large");
    }
    table.capacity(bytes);
  }

  /**
   * {@code 1 index(7+)}, or a literal, added by {@code 01 index(6+)}, not by {@code 000x index(4+)} (RFC 7541, 6.1,
   * 6.2).
   */
  private Field field(int first) throws IOException {
    if (first >= 0x80) {
      return table.get(integer(7));
    }
    boolean added = first >= 0x40;
    int place = integer(added ? 6 : 4);
    String name = place == 0 ? string() : table.get(place).name();
    Field field = new Field(name, string());
    if (added) {
      table.add(field);
    }
    return field;
  }

  /** Returns an integer whose first bits are the last ones of the next octet (RFC 7541, 5.1). */
  private int integer(int bits) throws IOException {
    int most = (1 << bits) - 1;
    int value = block[at++] & most;
    if (value < most) {
      return value;
    }
    for (int shift = 0;; shift += 7) {
      if (at == end || shift > 21) {
        throw error("an integer that does not end");
      }
      int octet = block[at++] & 0xff;
      value += (octet & 0x7f) << shift;
      if (value > LONGEST_INTEGER) {
        throw error("an integer that is too large");
      }
      if (octet < 0x80) {
        return value;
      }
    }
  }

  /** {@code H length(7+) octets} (RFC 7541, 5.2). */
  private String string() throws IOException {
    if (at == end) {
      throw error("a block that ends inside a field");
    }
    boolean huffman = block[at] < 0;
    int length = integer(7);
    if (length > end - at) {
      throw error("a string that ends behind its block");
    }
    int from = at;
    at += length;
    return huffman ? huffman(from, length) : text(block, from, length);
  }

  private String huffman(int from, int length) throws IOException {
    int most = length * 8 / 5 + 1;
    if (scratch.length < most) {
      scratch = new byte[Math.max(most, 256)];
    }
    return text(scratch, 0, Huffman.decode(block, from, from + length, scratch));
  }

  private static String text(byte[] bytes, int from, int length) {
    if (length == 0) {
      return "";
    }
    return length < 32 ? StringInterner.text(bytes, from, from + length) : new String(bytes, from, length, ISO_8859_1);
  }

  private static Http2Exception error(String reason) {
    return Http2Exception.connection(Http2Error.COMPRESSION_ERROR, reason);
  }
}

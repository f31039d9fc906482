package portcullis.crypto.keys;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads DER (ITU-T X.690, 10) value by value: shortest definite lengths, tags of one byte. Not for several threads. */
final class Der {
  static final int INTEGER = 0x02;
  static final int OCTETS = 0x04;
  static final int OID = 0x06;
  static final int SEQUENCE = 0x30;
  /** The constructed tag {@code [0]}. */
  static final int FIELD_0 = 0xA0;

  private static final KeyMaterialException MALFORMED = new KeyMaterialException("it is not well-formed DER");

  private final byte[] bytes;
  private int at;

  Der(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the one sequence that the bytes are, without anything after it. */
  static Der onlySequence(byte[] bytes) throws KeyMaterialException {
    Der whole = new Der(bytes);
    Der sequence = whole.sequence();
    if (whole.hasMore()) {
      throw MALFORMED;
    }
    return sequence;
  }

  boolean hasMore() {
    return at < bytes.length;
  }

  boolean isAt(int tag) {
    return hasMore() && (bytes[at] & 0xFF) == tag;
  }

  Der sequence() throws KeyMaterialException {
    return new Der(content(SEQUENCE));
  }

  BigInteger integer() throws KeyMaterialException {
    byte[] content = content(INTEGER);
    if (content.length == 0) {
      throw MALFORMED;
    }
    return new BigInteger(content);
  }

  byte[] octets() throws KeyMaterialException {
    return content(OCTETS);
  }

  /** Returns a string of any of the usual types. */
  String string() throws KeyMaterialException {
    int tag = hasMore() ? bytes[at] & 0xFF : 0;
    return switch (tag) {
      case 0x0C -> new String(content(tag), StandardCharsets.UTF_8);
      case 0x13, 0x16 -> new String(content(tag), StandardCharsets.US_ASCII);
      case 0x14 -> new String(content(tag), StandardCharsets.ISO_8859_1);
      case 0x1E -> new String(content(tag), StandardCharsets.UTF_16BE);
      default -> throw MALFORMED;
    };
  }

  /** Returns an object identifier in dots. */
  String oid() throws KeyMaterialException {
    StringBuilder out = new StringBuilder();
    long arc = 0;
    for (byte b : content(OID)) {
      if (arc > Integer.MAX_VALUE) {
        throw MALFORMED;
      }
      arc = arc << 7 | b & 0x7F;
      if (b >= 0) {
        out.append(out.isEmpty() ? first(arc) : "." + arc);
        arc = 0;
      }
    }
    return out.toString();
  }

  private static String first(long arc) {
    long root = Math.min(arc / 40, 2);
    return root + "." + (arc - 40 * root);
  }

  /** Returns the content of the next value, which must have that tag. */
  byte[] content(int tag) throws KeyMaterialException {
    if (!isAt(tag)) {
      throw MALFORMED;
    }
    at++;
    int length = length();
    if (length > bytes.length - at) {
      throw MALFORMED;
    }
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  private int length() throws KeyMaterialException {
    int first = octet();
    if (first < 0x80) {
      return first;
    }
    int count = first & 0x7F;
    if (count == 0 || count > 3) {
      throw MALFORMED;
    }
    int length = 0;
    for (int i = 0; i < count; i++) {
      length = length << 8 | octet();
    }
    if (length < 0x80 || length >>> 8 * (count - 1) == 0) {
      throw MALFORMED;
    }
    return length;
  }

  private int octet() throws KeyMaterialException {
    if (!hasMore()) {
      throw MALFORMED;
    }
    return bytes[at++] & 0xFF;
  }
}

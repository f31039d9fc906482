package portcullis.http.grpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a message of protocol buffers, one field that has a length after the other: texts, bytes and messages. Fields
 * of any other form are checked and passed over, whatever their number. For one thread; the bytes are not copied.
 */
public final class MessageReader {
  private static final int MOST_GROUPS = 100;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int field;
  private int from;
  private int to;

  public MessageReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private MessageReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** {@code message = *( tag value )}; goes to the next field that has a length, false if there is none. */
  public boolean next() throws GrpcException {
    while (at < end) {
      if (value(tag(), 0)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of the field. */
  public int field() {
    return field;
  }

  /** Returns the number of its bytes. */
  public int length() {
    return to - from;
  }

  public byte[] bytes() {
    return Arrays.copyOfRange(bytes, from, to);
  }

  public MessageReader message() {
    return new MessageReader(bytes, from, to);
  }

  /** @throws GrpcException where it is no UTF-8 */
  public String string() throws GrpcException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from)).toString();
    } catch (CharacterCodingException _) {
      throw GrpcException.broken("a string is not UTF-8");
    }
  }

  /** {@code tag = varint}, of the number and the form of what follows. */
  private int tag() throws GrpcException {
    long tag = varint();
    if (tag >>> 3 == 0 || tag >>> 32 != 0) {
      throw GrpcException.broken("a field without a number");
    }
    return (int) tag;
  }

  /** Goes past a value; true where it has a length. */
  private boolean value(int tag, int groups) throws GrpcException {
    switch (tag & 7) {
      case 0 -> varint();
      case 1 -> skip(8);
      case 2 -> {
        long length = varint();
        from = at;
        skip(length);
        to = at;
        field = tag >>> 3;
        return true;
      }
      case 3 -> group(tag >>> 3, groups + 1);
      case 5 -> skip(4);
      default -> throw GrpcException.broken("a field of an unknown form");
    }
    return false;
  }

  /** Skips the content of a group. */
  private void group(int number, int groups) throws GrpcException {
    if (groups > MOST_GROUPS) {
      throw GrpcException.broken("groups too deep within each other");
    }
    int tag = tag();
    while ((tag & 7) != 4) {
      value(tag, groups);
      tag = tag();
    }
    if (tag >>> 3 != number) {
      throw GrpcException.broken("a group that ends as another");
    }
  }

  private void skip(long length) throws GrpcException {
    if (length < 0 || length > end - at) {
      throw GrpcException.broken("it ends inside a field");
    }
    at += (int) length;
  }

  /** {@code varint = *9( %x80-FF ) %x00-7F}, seven bits each, the lowest first. */
  private long varint() throws GrpcException {
    long out = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at == end) {
        throw GrpcException.broken("it ends inside a number");
      }
      byte octet = bytes[at++];
      out |= (long) (octet & 0x7f) << shift;
      if (octet >= 0) {
        return out;
      }
    }
    throw GrpcException.broken("a number of more than ten bytes");
  }
}

package portcullis.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import portcullis.http.message.DirectInput;
import portcullis.http.message.Fields;

/** The input of one connection, through one buffer that is used again and again. For one thread. */
public final class WireInput {
  private static final int FIRST_SIZE = 4096;
  private static final byte[] NONE = {};

  private final InputStream in;
  private byte[] buffer = new byte[FIRST_SIZE];
  private int position;
  private int limit;
  private Fields recent = Fields.NONE;

  public WireInput(InputStream in) {
    this.in = in;
  }

  /** Returns whether something can be read without waiting. */
  public boolean hasBuffered() {
    return position < limit;
  }

  /** Returns how many bytes are buffered. */
  int buffered() {
    return limit - position;
  }

  /** Returns the next byte, or -1 at the end. */
  public int read() throws IOException {
    return position < limit || fill(FIRST_SIZE) ? buffer[position++] & 0xff : -1;
  }

  /** Reads some bytes and waits only if none are buffered; returns -1 at the end. */
  public int read(byte[] into, int offset, int length) throws IOException {
    int buffered = limit - position;
    if (buffered > 0) {
      int n = Math.min(buffered, length);
      System.arraycopy(buffer, position, into, offset, n);
      position += n;
      return n;
    }
    if (length == 0) {
      return 0;
    }
    if (length < FIRST_SIZE / 2) {
      return fill(FIRST_SIZE) ? read(into, offset, length) : -1;
    }
    return in.read(into, offset, length);
  }

  /** Returns whether bytes come straight from a channel. */
  boolean isDirect() {
    return in instanceof DirectInput direct && direct.isDirect();
  }

  /** Reads some bytes into the room of a buffer and waits only if none are buffered; returns -1 at the end. */
  int read(ByteBuffer into) throws IOException {
    if (position == limit && in instanceof DirectInput direct) {
      return direct.read(into);
    }
    byte[] some = new byte[into.remaining()];
    int n = read(some, 0, some.length);
    into.put(some, 0, Math.max(n, 0));
    return n;
  }

  /** Returns how many bytes can be read without waiting, at least. */
  public int available() throws IOException {
    int buffered = limit - position;
    return buffered > 0 ? buffered : in.available();
  }

  /** Returns whether these bytes come next, waiting only until that is known, and consumes them if so. */
  public boolean begins(byte[] with) throws IOException {
    for (int i = 0; i < with.length; i++) {
      if (i == limit - position && !fill(FIRST_SIZE) || buffer[position + i] != with[i]) {
        return false;
      }
    }
    position += with.length;
    return true;
  }

  /** Returns all that is still to come, as a stream. */
  public InputStream rest() {
    return new Rest(this);
  }

  /** Returns the fields of the last head: the next one often has the same. */
  Fields recent() {
    return recent;
  }

  void recent(Fields fields) {
    recent = fields;
  }

  byte[] buffer() {
    return buffer;
  }

  /** Returns where the unread bytes begin in the buffer. */
  int position() {
    return position;
  }

  /** Returns where the unread bytes end in the buffer. */
  int limit() {
    return limit;
  }

  /** Takes everything before that place of the buffer as read. */
  void advanceTo(int place) {
    position = place;
  }

  /**
   * Reads more behind the unread bytes, which may move to the front. The buffer grows where they fill it.
   *
   * @param most unread bytes that the buffer may have to hold
   * @return false at the end of the stream
   */
  boolean fill(int most) throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
    }
    if (limit == buffer.length) {
      makeRoom(most);
    }
    int n = in.read(buffer, limit, buffer.length - limit);
    limit += Math.max(n, 0);
    return n > 0;
  }

  private void makeRoom(int most) {
    byte[] from = buffer;
    if (position == 0) {
      buffer = new byte[Math.max(Math.min(buffer.length * 4, most), buffer.length + FIRST_SIZE)];
    }
    System.arraycopy(from, position, buffer, 0, limit - position);
    limit -= position;
    position = 0;
  }

  /** Gives the room back that a very long head took, once everything has been read. */
  void shrink() {
    if (position == limit && buffer.length > 8 * FIRST_SIZE) {
      buffer = new byte[FIRST_SIZE];
      position = 0;
      limit = 0;
    }
  }

  /**
   * Waits until something can be read without waiting, the end has come, or the connection's read timeout has passed.
   *
   * @return false where nothing came in that time
   */
  public boolean comes() throws IOException {
    if (position < limit) {
      return true;
    }
    try {
      fill(FIRST_SIZE);
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    }
  }

  /** Gives the buffer back if everything has been read; takes another one when used. */
  public void release() {
    if (position == limit) {
      handOver();
    }
  }

  /** Returns what has been read from the connection and not been used, and gives the buffer back. */
  public byte[] handOver() {
    byte[] out = Arrays.copyOfRange(buffer, position, limit);
    buffer = NONE;
    position = 0;
    limit = 0;
    recent = Fields.NONE;
    return out;
  }

  private static final class Rest extends InputStream {
    private final WireInput input;

    Rest(WireInput input) {
      this.input = input;
    }

    @Override
    public int read() throws IOException {
      return input.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return input.read(into, offset, length);
    }

    @Override
    public int available() throws IOException {
      return input.available();
    }
  }
}

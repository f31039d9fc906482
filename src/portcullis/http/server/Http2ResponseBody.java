package portcullis.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import portcullis.http.h2.Outbound;
import portcullis.http.message.Fields;

/** The body of a response on a stream: its head goes out with the first bytes, in as few frames as possible. */
final class Http2ResponseBody extends OutputStream {
  private static final int FULL = 16384;

  private final Outbound out;
  private byte[] buffer = new byte[0];
  private int size;
  private long left;
  private boolean closed;
  private boolean complete;
  private Fields trailers = Fields.NONE;

  /** @param length of the body, -1 for an unknown one */
  Http2ResponseBody(Outbound out, long length) {
    this.out = out;
    this.left = length;
  }

  boolean isComplete() {
    return complete;
  }

  void trail(Fields lines) {
    trailers = lines;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (closed && length > 0) {
      throw new IOException("the body has ended");
    }
    if (left >= 0 && length > left) {
      throw new IOException("more bytes than were announced");
    }
    left = left < 0 ? left : left - length;
    if (length > FULL - size) {
      sendGathered();
    }
    if (length >= FULL) {
      out.send(bytes, offset, length);
      return;
    }
    if (size + length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.clamp(buffer.length * 4L, size + length, FULL));
    }
    System.arraycopy(bytes, offset, buffer, size, length);
    size += length;
  }

  /** Its end may come later also where all of the announced bytes are there. */
  @Override
  public void flush() throws IOException {
    sendGathered();
  }

  /** Gives up its buffer if it is empty, as nothing may be written for long. */
  void rest() {
    buffer = size == 0 ? new byte[0] : buffer;
  }

  private void sendGathered() throws IOException {
    int n = size;
    size = 0;
    if (n > 0 || !out.isHeadSent()) {
      out.send(buffer, 0, n);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    int n = size;
    size = 0;
    if (left > 0) {
      out.send(buffer, 0, n);
      throw new IOException("fewer bytes than were announced");
    }
    out.end(buffer, 0, n, trailers);
    complete = true;
  }
}

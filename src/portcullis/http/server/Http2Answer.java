package portcullis.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import portcullis.http.h2.FlowControl;
import portcullis.http.h2.FrameOutput;
import portcullis.http.message.Fields;

/** An answer on a stream: its head goes out with the first bytes of its body, in as few frames as the windows allow. */
final class Http2Answer extends OutputStream {
  private static final int FULL = 16384;
  // what other streams of the connection may have to wait for
  private static final int AT_ONCE = 65536;

  private final int stream;
  private final FrameOutput out;
  private final FlowControl flow;
  private final FlowControl.Window window;
  private final long nanos;
  private final Runnable ended;
  private Optional<Fields[]> head;
  private byte[] buffer = new byte[0];
  private int size;
  private long left;
  private boolean closed;
  private boolean complete;
  private Fields trailers = Fields.NONE;

  /**
   * One of which nothing has been sent yet.
   *
   * @param head pseudo-header fields, and fields
   * @param length of the body, -1 for an unknown one
   * @param nanos that a client may keep a frame waiting for room in its windows
   * @param ended run before the last frame goes out
   */
  Http2Answer(Http2Stream of, Fields[] head, long length, long nanos, Runnable ended) {
    this.stream = of.id();
    this.out = of.output();
    this.flow = of.flow();
    this.window = of.window();
    this.head = Optional.of(head);
    this.left = length;
    this.nanos = nanos;
    this.ended = ended;
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
      send(bytes, offset, length, false);
      return;
    }
    if (size + length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.clamp(buffer.length * 4L, size + length, FULL));
    }
    System.arraycopy(bytes, offset, buffer, size, length);
    size += length;
  }

  /** An answer whose announced bytes are all there ends with them; trailers have no place behind it, as in HTTP/1. */
  @Override
  public void flush() throws IOException {
    if (left == 0) {
      close();
    } else {
      sendGathered();
    }
  }

  private void sendGathered() throws IOException {
    int n = size;
    size = 0;
    if (n > 0 || head.isPresent()) {
      send(buffer, 0, n, false);
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
      send(buffer, 0, n, false);
      throw new IOException("fewer bytes than were announced");
    }
    send(buffer, 0, n, true);
    complete = true;
  }

  private void send(byte[] bytes, int offset, int length, boolean last) throws IOException {
    int at = offset;
    int end = offset + length;
    do {
      int from = at;
      int n = end == at ? 0 : flow.take(window, Math.min(end - at, AT_ONCE), nanos);
      at += n;
      boolean ends = last && at == end;
      if (ends) {
        ended.run();
      }
      out.write(() -> frames(bytes, from, n, ends));
    } while (at < end);
  }

  private void frames(byte[] bytes, int from, int n, boolean ends) throws IOException {
    boolean trailing = ends && left < 0 && !trailers.isEmpty();
    boolean alone = ends && n == 0 && !trailing;
    if (head.isPresent()) {
      out.headers(stream, head.get()[0], head.get()[1], alone);
      head = Optional.empty();
      if (alone) {
        return;
      }
    }
    int at = from;
    do {
      int piece = Math.min(from + n - at, out.maxFrame());
      at += piece;
      boolean last = at == from + n;
      if (n > 0 || alone) {
        out.data(stream, bytes, at - piece, piece, last && ends && !trailing);
      }
    } while (at < from + n);
    if (trailing) {
      out.headers(stream, Fields.NONE, trailers, true);
    }
  }
}

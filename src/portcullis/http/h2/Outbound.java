package portcullis.http.h2;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.message.Fields;

/**
 * Sends content on one stream as fast as the peer's windows allow (RFC 9113, 5.2 and 6.1), in as few frames as
 * possible, and trailers behind it. For one thread.
 */
public final class Outbound {
  private static final byte[] NOTHING = {};
  // the longest that other streams of the connection may have to wait for this one
  private static final int AT_ONCE = 65536;

  private final Inbound stream;
  private final FrameOutput out;
  private final FlowControl flow;
  private final long nanos;
  private final Runnable beforeEnd;
  private Optional<Fields[]> head;

  /**
   * Creates a message of which nothing has been sent yet.
   *
   * @param head pseudo-header fields, and fields, which go out with the first content; empty where they have been sent
   * @param nanos for which the peer may keep a frame waiting for room in its windows
   * @param beforeEnd run before the last frame goes out
   */
  public Outbound(Inbound stream, Endpoint<?> endpoint, Optional<Fields[]> head, long nanos, Runnable beforeEnd) {
    this.stream = stream;
    this.out = endpoint.output();
    this.flow = endpoint.flow();
    this.head = head;
    this.nanos = nanos;
    this.beforeEnd = beforeEnd;
  }

  public boolean isHeadSent() {
    return head.isEmpty();
  }

  /** Sends content. */
  public void send(byte[] bytes, int offset, int length) throws IOException {
    send(bytes, offset, length, false, Fields.NONE);
  }

  /** Sends the last content, and the trailers where there are any, and ends this side of the stream. */
  public void end(byte[] bytes, int offset, int length, Fields trailers) throws IOException {
    send(bytes, offset, length, true, trailers);
  }

  /** Ends this side of the stream without more content. */
  public void end(Fields trailers) throws IOException {
    send(NOTHING, 0, 0, true, trailers);
  }

  private void send(byte[] bytes, int offset, int length, boolean last, Fields trailers) throws IOException {
    int at = offset;
    int end = offset + length;
    do {
      int from = at;
      int n = end == at ? 0 : flow.take(stream.window(), Math.min(end - at, AT_ONCE), nanos);
      at += n;
      boolean ends = last && at == end;
      if (ends) {
        beforeEnd.run();
      }
      out.write(() -> frames(bytes, from, n, ends, trailers));
    } while (at < end);
  }

  private void frames(byte[] bytes, int from, int n, boolean ends, Fields trailers) throws IOException {
    boolean trailing = ends && !trailers.isEmpty();
    boolean alone = ends && n == 0 && !trailing;
    if (head.isPresent()) {
      out.headers(stream.id(), head.get()[0], head.get()[1], alone);
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
        out.data(stream.id(), bytes, at - piece, piece, last && ends && !trailing);
      }
    } while (at < from + n);
    if (trailing) {
      out.headers(stream.id(), Fields.NONE, trailers, true);
    }
  }
}

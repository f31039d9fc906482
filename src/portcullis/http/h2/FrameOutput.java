package portcullis.http.h2;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.message.Fields;
import portcullis.http.wire.StringInterner;
import portcullis.http.wire.WireOutput;

/**
 * Writes the frames of a connection of HTTP/2 (RFC 9113, 4.1 and 6). For any threads: what one call writes stays
 * together, and goes out at once unless another thread is about to write as well, which then sends both.
 */
public final class FrameOutput {
  private static final int HEAD = 9;

  private final WireOutput out;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger writers = new AtomicInteger();
  private volatile int maxFrame = Http2Settings.INITIAL.maxFrame();
  private boolean begun;
  private boolean ended;

  /** Writes the frames of one call without others in between. */
  public interface Part {
    void write() throws IOException;
  }

  public FrameOutput(WireOutput out) {
    this.out = out;
  }

  /** Returns the maximum payload of a frame in the settings of the peer. */
  public void maxFrame(int bytes) {
    maxFrame = bytes;
  }

  public int maxFrame() {
    return maxFrame;
  }

  /** Writes frames by the methods below and sends them together. */
  public void write(Part part) throws IOException {
    writers.incrementAndGet();
    lock.lock();
    try {
      requireOpen();
      part.write();
    } finally {
      try {
        if (writers.decrementAndGet() == 0 && !ended) {
          out.flush();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Writes the last that goes out on the connection, at once; other threads that are about to write fail then. */
  public void writeLast(Part part) throws IOException {
    lock.lock();
    try {
      requireOpen();
      part.write();
      out.flush();
    } finally {
      ended = true;
      lock.unlock();
    }
  }

  /** Gives the room back that large content took, if no thread is about to write; for a connection that goes idle. */
  public void shrink() {
    if (lock.tryLock()) {
      try {
        out.shrink();
      } finally {
        lock.unlock();
      }
    }
  }

  private void requireOpen() throws IOException {
    if (ended) {
      throw new IOException("the connection has ended");
    }
  }

  /**
   * HEADERS and, where the block is too long for it, CONTINUATION (RFC 9113, 6.2 and 6.10).
   *
   * @param first pseudo-header fields
   * @param fields whose names are written in lower case; they have passed {@link WireOutput#check}
   */
  public void headers(int stream, Fields first, Fields fields, boolean endStream) {
    int mark = out.mark();
    frame(0, FrameType.HEADERS, (endStream ? FrameType.END_STREAM : 0) | FrameType.END_HEADERS, stream);
    if (!begun) {
      HpackEncoder.noTable(out);
    }
    first.forEach(line -> HpackEncoder.field(out, line.name(), line.value()));
    fields.forEach(line -> HpackEncoder.field(out, StringInterner.lowerCase(line.name()), line.value()));
    begun = true;
    int length = out.mark() - mark - HEAD;
    if (length <= maxFrame) {
      out.patch(mark, length);
    } else {
      split(mark, length, stream, endStream);
    }
  }

  private void split(int mark, int length, int stream, boolean endStream) {
    byte[] block = Arrays.copyOfRange(out.buffer(), mark + HEAD, mark + HEAD + length);
    out.reset(mark);
    for (int at = 0; at < length; at += maxFrame) {
      int piece = Math.min(maxFrame, length - at);
      int endHeaders = at + piece == length ? FrameType.END_HEADERS : 0;
      if (at == 0) {
        frame(piece, FrameType.HEADERS, endHeaders | (endStream ? FrameType.END_STREAM : 0), stream);
      } else {
        frame(piece, FrameType.CONTINUATION, endHeaders, stream);
      }
      out.line(Arrays.copyOfRange(block, at, at + piece));
    }
  }

  /** Writes DATA, no longer than {@link #maxFrame} and the windows allow. */
  public void data(int stream, byte[] bytes, int offset, int length, boolean endStream) throws IOException {
    frame(length, FrameType.DATA, endStream ? FrameType.END_STREAM : 0, stream);
    out.write(bytes, offset, length);
  }

  public void reset(int stream, Http2Error error) {
    frame(4, FrameType.RST_STREAM, 0, stream);
    integer(error.ordinal());
  }

  /** Writes SETTINGS, given as names and values in turn; none of them acknowledges those of the peer. */
  public void settings(int... namesAndValues) {
    frame(namesAndValues.length * 3, FrameType.SETTINGS, 0, 0);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.write(0);
      out.write(namesAndValues[i]);
      integer(namesAndValues[i + 1]);
    }
  }

  public void settingsAck() {
    frame(0, FrameType.SETTINGS, FrameType.ACK, 0);
  }

  /** @param opaque its eight octets */
  public void ping(byte[] opaque, boolean ack) {
    frame(8, FrameType.PING, ack ? FrameType.ACK : 0, 0);
    out.line(opaque);
  }

  /** @param last the highest stream that has been or will be served */
  public void goAway(int last, Http2Error error) {
    frame(8, FrameType.GOAWAY, 0, 0);
    integer(last);
    integer(error.ordinal());
  }

  public void windowUpdate(int stream, int bytes) {
    frame(4, FrameType.WINDOW_UPDATE, 0, stream);
    integer(bytes);
  }

  private void frame(int length, FrameType type, int flags, int stream) {
    out.write(length >> 16);
    out.write(length >> 8);
    out.write(length);
    out.write(type.ordinal());
    out.write(flags);
    integer(stream);
  }

  private void integer(int value) {
    out.write(value >> 24);
    out.write(value >> 16);
    out.write(value >> 8);
    out.write(value);
  }
}

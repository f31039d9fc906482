package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Fields;
import portcullis.http.wire.Malformed;

/**
 * The body of a request as its frames bring it. What the handler has not read yet is bounded by the stream's window,
 * which grows only as it reads (RFC 9113, 5.2). The connection's thread fills it, the handler's empties it.
 */
final class Http2Body extends InputStream {
  /** The window of a new stream. */
  static final int WINDOW = 1 << 18;

  /** What reading it makes necessary. */
  interface Reader {
    /** The handler wants the body. */
    void begin() throws IOException;

    /** So many bytes of the windows may be used again. */
    void consumed(int bytes) throws IOException;
  }

  private final int stream;
  private final long limit;
  private final Pace pace;
  private final Reader reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
  private int taken;
  private int buffered;
  private int window = WINDOW;
  private int unread;
  private long expected;
  private long received;
  private boolean ended;
  private boolean begun;
  private Optional<IOException> fault = Optional.empty();
  private Fields trailers = Fields.NONE;
  private volatile OptionalLong waitsSince = OptionalLong.empty();

  /**
   * One of which nothing has come yet.
   *
   * @param expected as its {@code Content-Length} says, -1 where it says nothing
   * @param limit of all bytes
   */
  Http2Body(int stream, long expected, long limit, Pace pace, Reader reader) {
    this.stream = stream;
    this.expected = expected;
    this.limit = limit;
    this.pace = pace;
    this.reader = reader;
  }

  /**
   * Takes a frame's content.
   *
   * @param whole length of the frame, with its padding: so much of the window it takes
   */
  void add(byte[] content, int whole) throws Http2Exception {
    lock.lock();
    try {
      window -= whole;
      received += content.length;
      if (window < 0) {
        throw Http2Exception.stream(stream, Http2Error.FLOW_CONTROL_ERROR, "more data than the window has room for");
      }
      if (expected >= 0 && received > expected) {
        throw Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, "more data than announced");
      }
      unread += whole - content.length;
      if (content.length > 0) {
        pieces.add(content);
        buffered += content.length;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void end(Fields section) throws Http2Exception {
    lock.lock();
    try {
      if (expected >= 0 && received != expected) {
        throw Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, "less data than announced");
      }
      trailers = section;
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets every read fail with that from now on. */
  void fail(IOException e) {
    lock.lock();
    try {
      fault = fault.or(() -> Optional.of(e));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Since when a read waits for the client, by {@link System#nanoTime}; empty where none does. */
  OptionalLong waitsSince() {
    return waitsSince;
  }

  static Malformed late() {
    return new Malformed(408, "the request did not come in time");
  }

  boolean isEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** None before all of the body has been read. */
  Fields trailers() {
    lock.lock();
    try {
      return ended && buffered == 0 ? trailers : Fields.NONE;
    } finally {
      lock.unlock();
    }
  }

  /** Drops what nobody has read and nobody will; tells how many bytes of the connection's window that frees. */
  int discard() {
    lock.lock();
    try {
      int out = unread + buffered;
      pieces.clear();
      buffered = 0;
      unread = 0;
      return out;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!begun) {
      begun = true;
      pace.body();
      reader.begin();
    }
    int freed = 0;
    int n;
    lock.lock();
    try {
      await();
      n = pieces.isEmpty() ? -1 : take(into, offset, length);
      if (unread >= WINDOW / 4 && !ended || n < 0) {
        freed = unread;
        window += unread;
        unread = 0;
      }
    } finally {
      lock.unlock();
    }
    pace.received(n);
    if (freed > 0) {
      reader.consumed(freed);
    }
    return n;
  }

  private void await() throws IOException {
    if (pieces.isEmpty() && !ended && fault.isEmpty()) {
      waitsSince = OptionalLong.of(System.nanoTime());
      awaitMore();
      waitsSince = OptionalLong.empty();
    }
    if (fault.isPresent()) {
      throw fault.get();
    }
    if (received > limit) {
      throw new Malformed(413, "a body longer than allowed");
    }
  }

  private void awaitMore() throws IOException {
    long left = 1;
    while (pieces.isEmpty() && !ended && fault.isEmpty() && left > 0) {
      try {
        left = changed.awaitNanos(pace.end() - System.nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    if (fault.isEmpty() && pieces.isEmpty() && !ended) {
      fault = Optional.of(late());
    }
  }

  private int take(byte[] into, int offset, int length) {
    byte[] piece = pieces.peek();
    int n = Math.min(length, piece.length - taken);
    System.arraycopy(piece, taken, into, offset, n);
    taken += n;
    if (taken == piece.length) {
      pieces.remove();
      taken = 0;
    }
    buffered -= n;
    unread += n;
    return n;
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return buffered;
    } finally {
      lock.unlock();
    }
  }
}

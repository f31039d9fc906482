package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.h2.FlowControl;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Fields;
import portcullis.http.wire.ResponseHead;

/**
 * What comes in on one stream of HTTP/2 (RFC 9113, 5.1), between the thread that reads the connection and the one that
 * asked. It holds no more than its window.
 */
final class Http2Stream {
  private static final int MAX_INTERIM = 64;

  private final int id;
  private final boolean bare;
  private final FlowControl.Window window;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<ResponseHead> heads = new ArrayDeque<>(1);
  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private int offset;
  private int held;
  private int read;
  private int headCount;
  private long left = -1;
  private boolean answered;
  private boolean ended;
  private boolean over;
  private Fields trailers = Fields.NONE;
  private Optional<IOException> fault = Optional.empty();

  /**
   * A new one.
   *
   * @param bare whether its answer has no content whatever its head says
   */
  Http2Stream(int id, boolean bare, FlowControl.Window window) {
    this.id = id;
    this.bare = bare;
    this.window = window;
  }

  int id() {
    return id;
  }

  /** What may be sent on it. */
  FlowControl.Window window() {
    return window;
  }

  // --- the connection's side

  /** HEADERS have come: of an interim answer, the final one, or trailers (RFC 9113, 8.1). */
  void headers(Fields block, boolean end) throws Http2Exception {
    lock.lock();
    try {
      refuseWhenEnded();
      if (answered) {
        trailers(block, end);
      } else {
        head(Http2Head.response(id, block), end);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void trailers(Fields block, boolean end) throws Http2Exception {
    if (!end) {
      throw broken("lines in the middle of a body");
    }
    trailers = Http2Head.checked(id, block);
    end();
  }

  private void head(ResponseHead head, boolean end) throws Http2Exception {
    if (++headCount > MAX_INTERIM) {
      throw broken("more interim answers than anybody needs");
    }
    if (head.status() >= 200) {
      answered = true;
      left = length(head);
    }
    if (end && !answered) {
      throw broken("an answer that ends before it begins");
    }
    if (end) {
      end();
    }
    heads.add(head);
  }

  /** {@code Content-Length = 1*DIGIT} (RFC 9110, 8.6); -1 for none. */
  private long length(ResponseHead head) throws Http2Exception {
    if (bare || head.status() == 204 || head.status() == 304) {
      return 0;
    }
    Optional<String> told = head.fields().joined("content-length");
    if (told.isPresent() && !told.get().matches("[0-9]{1,18}")) {
      throw broken("a length that is no number");
    }
    return told.isPresent() ? Long.parseLong(told.get()) : -1;
  }

  /** DATA has come. */
  void data(byte[] bytes, boolean end) throws Http2Exception {
    lock.lock();
    try {
      refuseWhenEnded();
      if (!answered || left >= 0 && bytes.length > left) {
        throw broken(answered ? "more content than was announced" : "content before a head");
      }
      if (bytes.length > 0) {
        pieces.add(bytes);
        held += bytes.length;
        left -= left < 0 ? 0 : bytes.length;
      }
      if (held > Http2Connection.WINDOW) {
        throw Http2Exception.stream(id, Http2Error.FLOW_CONTROL_ERROR, "more content than asked for");
      }
      if (end) {
        end();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void refuseWhenEnded() throws Http2Exception {
    if (ended) {
      throw Http2Exception.stream(id, Http2Error.STREAM_CLOSED, "more behind the end");
    }
  }

  private void end() throws Http2Exception {
    if (left > 0) {
      throw broken("less content than was announced");
    }
    ended = true;
  }

  private Http2Exception broken(String reason) {
    return Http2Exception.stream(id, Http2Error.PROTOCOL_ERROR, reason);
  }

  /** Nothing comes any more, and nothing has to be said of it; what has come before can still be read. */
  void fail(IOException reason) {
    lock.lock();
    try {
      over = true;
      end(reason);
    } finally {
      lock.unlock();
    }
  }

  private void end(IOException reason) {
    if (!ended) {
      ended = true;
      fault = Optional.of(reason);
      changed.signalAll();
    }
  }

  // --- the side of who asked

  /** Nothing that has come or still comes is of interest. */
  void abandon(IOException reason) {
    lock.lock();
    try {
      end(reason);
      pieces.clear();
      heads.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the upstream knows that the stream has ended. */
  boolean isOver() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  /** Whether anything of an answer has come. */
  boolean isHeard() {
    lock.lock();
    try {
      return headCount > 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next head, interim or final.
   *
   * @throws SocketTimeoutException where it does not come within the limit
   */
  ResponseHead head(Limit limit) throws IOException, InterruptedException {
    lock.lock();
    try {
      while (heads.isEmpty() && fault.isEmpty()) {
        await(limit.nanos());
      }
      return heads.isEmpty() ? raise() : heads.remove();
    } finally {
      lock.unlock();
    }
  }

  /** How long a wait may take, as it is now. */
  interface Limit {
    long nanos();
  }

  /** Wakes who waits for a head, whose limit has become another. */
  void limitChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void await(long nanos) throws IOException, InterruptedException {
    if (nanos <= 0) {
      throw new SocketTimeoutException("nothing comes");
    }
    changed.awaitNanos(nanos);
  }

  private <T> T raise() throws IOException {
    throw fault.orElseThrow();
  }

  /**
   * Some of the body; -1 at its end.
   *
   * @throws SocketTimeoutException where nothing comes for that long
   */
  int read(byte[] into, int from, int length, long nanos) throws IOException, InterruptedException {
    long end = System.nanoTime() + nanos;
    lock.lock();
    try {
      while (pieces.isEmpty() && !ended) {
        await(end - System.nanoTime());
      }
      if (!pieces.isEmpty()) {
        return take(into, from, length);
      }
      return fault.isPresent() ? raise() : -1;
    } finally {
      lock.unlock();
    }
  }

  private int take(byte[] into, int from, int length) {
    byte[] first = pieces.getFirst();
    int n = Math.min(length, first.length - offset);
    System.arraycopy(first, offset, into, from, n);
    offset += n;
    if (offset == first.length) {
      pieces.removeFirst();
      offset = 0;
    }
    read += n;
    return n;
  }

  /** How many bytes the peer may send beyond those it was told of: a good part of the window, or none yet. */
  int refill() {
    lock.lock();
    try {
      if (ended || read < Http2Connection.WINDOW / 2) {
        return 0;
      }
      int out = read;
      held -= out;
      read = 0;
      return out;
    } finally {
      lock.unlock();
    }
  }

  int available() {
    lock.lock();
    try {
      return pieces.isEmpty() ? 0 : pieces.getFirst().length - offset;
    } finally {
      lock.unlock();
    }
  }

  /** Whether all of the answer has been read. */
  boolean isComplete() {
    lock.lock();
    try {
      return ended && fault.isEmpty() && pieces.isEmpty() && heads.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The trailer section, once all has been read; none before. */
  Fields trailers() {
    lock.lock();
    try {
      return isComplete() ? trailers : Fields.NONE;
    } finally {
      lock.unlock();
    }
  }
}

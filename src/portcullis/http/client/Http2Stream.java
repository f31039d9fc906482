package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import portcullis.http.h2.HeaderBlock;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Inbound;
import portcullis.http.message.Fields;
import portcullis.http.wire.ResponseHead;

/** The response on a stream: heads, content, trailers (RFC 9113, 8.1). */
final class Http2Stream extends Inbound {
  private static final int MAX_INTERIM = 64;
  private static final Runnable NOTHING = () -> {};

  private final boolean bare;
  private final Deque<ResponseHead> heads = new ArrayDeque<>(1);
  private int headCount;
  private boolean answered;
  private boolean over;
  private Runnable comes = NOTHING;

  /** @param bare whether its response has no content whatever its head says */
  Http2Stream(int id, Http2Connection connection, boolean bare) {
    super(id, connection);
    this.bare = bare;
  }

  // --- the connection's side

  @Override
  protected void headers(HpackDecoder.Block block, boolean end) throws Http2Exception {
    lock().lock();
    try {
      requireOpen();
      if (!block.whole()) {
        throw error(Http2Error.ENHANCE_YOUR_CALM, "the head is longer than allowed");
      }
      if (answered) {
        trailers(HeaderBlock.trailers(id(), block.fields()), end);
      } else {
        head(HeaderBlock.response(id(), block.fields()), end);
      }
      changed().signalAll();
      comes.run();
    } finally {
      lock().unlock();
    }
  }

  private void trailers(Fields section, boolean end) throws Http2Exception {
    if (!end) {
      throw broken("a header block in the middle of the content");
    }
    end(section);
  }

  private void head(ResponseHead head, boolean end) throws Http2Exception {
    answered = head.status() >= 200;
    if (++headCount > MAX_INTERIM) {
      throw broken("more than " + MAX_INTERIM + " interim responses");
    }
    if (answered) {
      expect(length(head));
    }
    if (end && !answered) {
      throw broken("an interim response that ends the stream");
    }
    if (end) {
      end(Fields.NONE);
    }
    heads.add(head);
  }

  /** {@code Content-Length = 1*DIGIT} (RFC 9110, 8.6); -1 for none. */
  private long length(ResponseHead head) throws Http2Exception {
    if (bare || head.status() == 204 || head.status() == 304) {
      return 0;
    }
    Optional<String> length = head.fields().joined("content-length");
    if (length.isPresent() && !length.get().matches("[0-9]{1,18}")) {
      throw broken("a Content-Length that is not a number");
    }
    return length.isPresent() ? Long.parseLong(length.get()) : -1;
  }

  @Override
  protected void data(byte[] content, int whole, boolean end) throws IOException {
    lock().lock();
    try {
      if (!answered) {
        throw broken("content before a head");
      }
      super.data(content, whole, end);
      comes.run();
    } finally {
      lock().unlock();
    }
  }

  private Http2Exception broken(String reason) {
    return error(Http2Error.PROTOCOL_ERROR, reason);
  }

  /** Records that the stream has ended and that the upstream knows. */
  @Override
  public void fail(IOException reason) {
    lock().lock();
    try {
      over = true;
      super.fail(reason);
      comes.run();
    } finally {
      lock().unlock();
    }
  }

  // --- the caller's side

  /** Drops what has come and still comes. */
  void abandon(IOException reason) {
    lock().lock();
    try {
      super.fail(reason);
      discard();
      heads.clear();
      comes.run();
    } finally {
      lock().unlock();
    }
  }

  /** Returns whether the upstream knows that the stream has ended. */
  boolean isOver() {
    lock().lock();
    try {
      return over;
    } finally {
      lock().unlock();
    }
  }

  /** Returns whether anything of a response has come. */
  boolean isHeard() {
    lock().lock();
    try {
      return headCount > 0;
    } finally {
      lock().unlock();
    }
  }

  /** Returns how long a wait may take with the present limits. */
  interface Limit {
    long nanos();
  }

  /**
   * Waits for the next head, interim or final.
   *
   * @throws SocketTimeoutException where it does not come within the limit
   */
  ResponseHead head(Limit limit) throws IOException, InterruptedException {
    lock().lock();
    try {
      comes = NOTHING;
      while (awaitsHead()) {
        long nanos = limit.nanos();
        if (nanos <= 0) {
          throw new SocketTimeoutException("nothing comes");
        }
        changed().awaitNanos(nanos);
      }
      if (heads.isEmpty()) {
        throw failure().orElseThrow();
      }
      return heads.remove();
    } finally {
      lock().unlock();
    }
  }

  /** Waits until {@link #head} would not wait; returns false if that is not so in time. */
  boolean comes(Limit limit) throws InterruptedException {
    lock().lock();
    try {
      for (long nanos = limit.nanos(); awaitsHead() && nanos > 0; nanos = limit.nanos()) {
        changed().awaitNanos(nanos);
      }
      return !awaitsHead();
    } finally {
      lock().unlock();
    }
  }

  private boolean awaitsHead() {
    return heads.isEmpty() && failure().isEmpty();
  }

  /** Has an action run whenever something comes, or it fails, until {@link #head} is called; at once if it has. */
  void whenComes(Runnable action) {
    lock().lock();
    try {
      comes = action;
      if (!awaitsHead()) {
        action.run();
      }
    } finally {
      lock().unlock();
    }
  }

  /** The same for content behind the head, until it is called again. */
  void whenContentComes(Runnable action) {
    lock().lock();
    try {
      comes = action;
      if (!isWaiting()) {
        action.run();
      }
    } finally {
      lock().unlock();
    }
  }

  /** Lets the wait for a head, whose limit has changed, look at it again. */
  void limitChanged() {
    lock().lock();
    try {
      changed().signalAll();
    } finally {
      lock().unlock();
    }
  }

  @Override
  public boolean isComplete() {
    lock().lock();
    try {
      return super.isComplete() && heads.isEmpty();
    } finally {
      lock().unlock();
    }
  }
}

package portcullis.http.h2;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.message.Fields;

/**
 * What comes in on one stream (RFC 9113, 5.1 and 8.1): content that has not been read yet, bounded by the stream's
 * window, which grows only as it is read (RFC 9113, 5.2), and by {@link StreamMemory}, and trailers. The connection's
 * thread fills it, another one empties it.
 */
public abstract class Inbound {
  /** The window of a new stream, in bytes. */
  public static final int WINDOW = 1 << 18;
  /** The bytes that each stream may hold, however little memory is left. */
  private static final int ALWAYS = 16384;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int id;
  private final Endpoint<?> endpoint;
  private final FlowControl.Window window;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final UnreadContent content = new UnreadContent();
  private final StreamMemory memory;
  private volatile long lastRead = System.nanoTime();
  private boolean awaitsRoom;
  private boolean awaited;
  private boolean closed;
  private boolean dropped;
  private boolean held;
  private int room = WINDOW;
  private int unreturned;
  private long expected = -1;
  private long received;
  private boolean ended;
  private Optional<IOException> failure = Optional.empty();
  private Fields trailers = Fields.NONE;

  protected Inbound(int id, Endpoint<?> endpoint) {
    this.id = id;
    this.endpoint = endpoint;
    this.window = endpoint.flow().open();
    this.memory = endpoint.memory();
  }

  public final int id() {
    return id;
  }

  /** Returns what may be sent on the stream. */
  public final FlowControl.Window window() {
    return window;
  }

  protected final ReentrantLock lock() {
    return lock;
  }

  /** Signalled, with the lock held, where anything has come or the stream has failed. */
  protected final Condition changed() {
    return changed;
  }

  // --- the connection's side

  /** Records that HEADERS have been received on the open stream. */
  protected abstract void headers(HpackDecoder.Block block, boolean end) throws IOException;

  /** Records how much content the head announces; -1 if it does not. */
  protected final void expect(long bytes) {
    expected = bytes;
  }

  /**
   * Takes the content of a DATA frame. Where the memory for all streams is used up, it waits until this one is read, or
   * drops what has not been read for longest.
   *
   * @param whole length of the frame, with its padding: so much of the window it takes
   */
  protected void data(byte[] bytes, int whole, boolean end) throws IOException {
    boolean reserved = endpoint.mayWait() ? memory.reserve(bytes.length) : makeRoom(bytes.length);
    int late;
    lock.lock();
    try {
      if (!reserved) {
        awaitRoom(bytes.length);
      }
      keep(bytes, whole);
      late = closed ? discard() : 0;
      requireOpen();
      if (room < 0) {
        throw error(Http2Error.FLOW_CONTROL_ERROR, "more data than the window has room for");
      }
      if (expected >= 0 && received > expected) {
        throw error(Http2Error.PROTOCOL_ERROR, "more content than announced");
      }
      if (end) {
        end(Fields.NONE);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (late > 0) {
      endpoint.consumed(late, 0);
    }
  }

  private void keep(byte[] bytes, int whole) {
    room -= whole;
    received += bytes.length;
    if (failure.isPresent() || ended || closed) {
      memory.release(bytes.length);
      unreturned += whole;
    } else {
      unreturned += whole - bytes.length;
      content.add(bytes);
      holds();
    }
  }

  /** Reserves memory once there is some, or nothing is unread here and somebody waits for it. */
  private void awaitRoom(int bytes) throws IOException {
    awaitsRoom = true;
    try {
      while (!(awaited && content.size() == 0) && failure.isEmpty() && !closed) {
        if (memory.reserve(bytes) || content.size() == 0 && memory.reserveFirst(bytes)) {
          return;
        }
        changed.awaitNanos(POLL_NANOS);
      }
      memory.force(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      awaitsRoom = false;
    }
  }

  /** Reserves memory, for which streams that are not read fail. */
  private boolean makeRoom(int bytes) {
    boolean reserved = memory.reserve(bytes);
    Optional<Inbound> slowest = reserved ? Optional.empty() : memory.slowest();
    while (slowest.isPresent()) {
      slowest.get().drop(new IOException("it has not been read for so long that its memory was needed"));
      reserved = memory.reserve(bytes);
      slowest = reserved ? Optional.empty() : memory.slowest();
    }
    if (!reserved) {
      memory.force(bytes);
    }
    return true;
  }

  /** Fails, whether the content is whole or not, and drops it. */
  private void drop(IOException reason) {
    lock.lock();
    try {
      if (content.size() > 0) {
        failure = Optional.of(reason);
        dropped = true;
        unreturned += released(content.clear());
        changed.signalAll();
      }
      holds();
    } finally {
      lock.unlock();
    }
  }

  /** Registers or unregisters the stream as one whose content may be dropped. */
  private void holds() {
    if (!endpoint.mayWait() && content.size() > ALWAYS != held) {
      held = !held;
      if (held) {
        memory.enter(this);
      } else {
        memory.leave(this);
      }
    }
  }

  private int released(int bytes) {
    memory.release(bytes);
    return bytes;
  }

  /** Returns when content was last read, by {@link System#nanoTime}. */
  final long lastRead() {
    return lastRead;
  }

  /** Records that the content is complete. */
  protected final void end(Fields section) throws Http2Exception {
    lock.lock();
    try {
      requireOpen();
      if (expected >= 0 && received != expected) {
        throw error(Http2Error.PROTOCOL_ERROR, "less content than announced");
      }
      trailers = section;
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  protected final void requireOpen() throws Http2Exception {
    if (ended) {
      throw error(Http2Error.STREAM_CLOSED, "a frame behind the end of the stream");
    }
  }

  protected final Http2Exception error(Http2Error error, String reason) {
    return Http2Exception.stream(id, error, reason);
  }

  /** Ends the stream with an error. Content received before can still be read; then reads fail. */
  public void fail(IOException reason) {
    lock.lock();
    try {
      if (!ended && failure.isEmpty()) {
        failure = Optional.of(reason);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  protected final boolean isEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  protected final long received() {
    return received;
  }

  // --- the reader's side

  protected final Optional<IOException> failure() {
    return failure;
  }

  /** Returns whether a read would have to wait. */
  protected final boolean isWaiting() {
    return content.size() == 0 && !ended && failure.isEmpty();
  }

  /**
   * Waits for content and takes some of it.
   *
   * @param end when to give up, by {@link System#nanoTime}
   * @return how many bytes; -1 at the end of the content, 0 where none came in time
   */
  public final int take(byte[] into, int from, int length, long end) throws IOException, InterruptedException {
    int freed = 0;
    int n;
    lock.lock();
    try {
      while (isWaiting()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return 0;
        }
        awaitContent(left);
      }
      if (content.size() == 0 && failure.isPresent()) {
        throw failure.get();
      }
      n = content.size() == 0 ? -1 : copy(into, from, length);
      if (n < 0 || unreturned >= WINDOW / 4 && !ended) {
        freed = unreturned;
        room += unreturned;
        unreturned = 0;
      }
    } finally {
      lock.unlock();
    }
    if (freed > 0) {
      endpoint.consumed(freed, n < 0 || !isWindowUseful() ? 0 : id);
    }
    return n;
  }

  /**
   * Waits until a read would not wait; returns false if that is not so at that {@link System#nanoTime}. Fails as the
   * read does.
   */
  public final boolean comes(long end) throws IOException, InterruptedException {
    lock.lock();
    try {
      for (long left = end - System.nanoTime(); isWaiting() && left > 0; left = end - System.nanoTime()) {
        awaitContent(left);
      }
      if (content.size() == 0 && failure.isPresent()) {
        throw failure.get();
      }
      return !isWaiting();
    } finally {
      lock.unlock();
    }
  }

  private void awaitContent(long nanos) throws InterruptedException {
    awaited = true;
    try {
      if (awaitsRoom) {
        changed.signalAll();
      }
      changed.awaitNanos(nanos);
    } finally {
      awaited = false;
    }
  }

  /** Returns whether the peer may still send on the stream. */
  protected boolean isWindowUseful() {
    lock.lock();
    try {
      return !ended && failure.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private int copy(byte[] into, int from, int length) {
    int n = released(content.take(into, from, length));
    lastRead = System.nanoTime();
    unreturned += n;
    holds();
    if (awaitsRoom) {
      changed.signalAll();
    }
    return n;
  }

  /** Returns how many bytes can be read without waiting. */
  public final int available() {
    lock.lock();
    try {
      return content.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the content has come to its proper end and all of it has been read. */
  public boolean isComplete() {
    lock.lock();
    try {
      return ended && content.size() == 0 && !dropped;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the trailer section, once all of the content has been read; none before. */
  public final Fields trailers() {
    return isComplete() ? trailers : Fields.NONE;
  }

  /** Drops what has not been read and will not be, and returns how many bytes of the shared window that frees. */
  protected final int discard() {
    lock.lock();
    try {
      closed = true;
      int out = unreturned + released(content.clear());
      unreturned = 0;
      holds();
      changed.signalAll();
      return out;
    } finally {
      lock.unlock();
    }
  }
}

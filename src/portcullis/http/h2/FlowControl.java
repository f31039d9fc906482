package portcullis.http.h2;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts how many bytes of DATA a peer accepts on the whole connection and on each stream (RFC 9113, 5.2). For any
 * threads.
 */
public final class FlowControl {
  // a peer may update both windows when it has processed a frame, or as little as a kilobyte
  private static final int UPDATES_OF_A_FRAME = 2;
  private static final int BYTES_OF_AN_UPDATE = 1024;
  private static final int MAX_EXPECTED = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  /** Those whose senders wait, in the order in which they began to. */
  private final ArrayDeque<Window> waiting = new ArrayDeque<>(4);
  private int connection = Http2Settings.INITIAL.initialWindow();
  private int initial = Http2Settings.INITIAL.initialWindow();
  private int expected;

  // the windows of open streams are a ring that begins and ends here
  private final Window ring = new Window(lock.newCondition());

  /** The send window of one stream; its numbers are kept here. */
  public static final class Window {
    /** Signalled where its sender, which is one at a time, can go on or is to fail. */
    private final Condition changed;
    private int bytes;
    private boolean closed;
    private Window next = this;
    private Window previous = this;

    private Window(Condition changed) {
      this.changed = changed;
    }
  }

  /** Returns the window of a new stream; {@link #close} ends it. */
  public Window open() {
    lock.lock();
    try {
      Window window = new Window(lock.newCondition());
      window.bytes = initial;
      window.next = ring.next;
      window.previous = ring;
      ring.next.previous = window;
      ring.next = window;
      expect(UPDATES_OF_A_FRAME);
      return window;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until at least one byte may be sent, and takes as many of those wanted as may.
   *
   * @throws IOException if the peer grants none in that time, the stream has been closed, or the thread is
   * interrupted
   */
  public int take(Window window, int wanted, long nanos) throws IOException {
    lock.lock();
    try {
      if (!mayEnd(window)) {
        await(window, nanos);
      }
      if (window.closed) {
        throw new IOException("the stream has been closed");
      }
      int out = Math.min(wanted, Math.min(window.bytes, connection));
      window.bytes -= out;
      connection -= out;
      expect(UPDATES_OF_A_FRAME + out / BYTES_OF_AN_UPDATE);
      return out;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      wakeNext();
      lock.unlock();
    }
  }

  /** Returns whether a wait is over: bytes may be sent, or never will. */
  private boolean mayEnd(Window window) {
    return window.closed || window.bytes > 0 && connection > 0;
  }

  private void await(Window window, long nanos) throws IOException, InterruptedException {
    waiting.add(window);
    try {
      for (long left = nanos; !mayEnd(window); left = window.changed.awaitNanos(left)) {
        if (left <= 0) {
          throw new IOException("the peer does not take the data in time");
        }
      }
    } finally {
      waiting.remove(window);
    }
  }

  /**
   * Wakes the sender that has waited longest of those that can go on. It wakes the next when it has taken its part, so
   * that a peer that grants little wakes few.
   */
  private void wakeNext() {
    if (connection <= 0) {
      return;
    }
    for (Window window : waiting) {
      if (window.bytes > 0) {
        window.changed.signal();
        return;
      }
    }
  }

  /** Returns how many senders wait. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private void expect(int updates) {
    expected = Math.min(MAX_EXPECTED, expected + updates);
  }

  /** Counts an update of the peer; returns false where the streams and the data sent so far give no reason for it. */
  boolean expectsUpdate() {
    lock.lock();
    try {
      boolean isExpected = expected > 0;
      expected -= isExpected ? 1 : 0;
      return isExpected;
    } finally {
      lock.unlock();
    }
  }

  /** Increases the window of a stream. */
  public void grant(int stream, Window window, int bytes) throws Http2Exception {
    lock.lock();
    try {
      if (bytes == 0) {
        throw Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, "a window that grows by nothing");
      }
      if (window.bytes > Integer.MAX_VALUE - bytes) {
        throw Http2Exception.stream(stream, Http2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31");
      }
      window.bytes += bytes;
      wakeNext();
    } finally {
      lock.unlock();
    }
  }

  /** Increases the window of the connection. */
  public void grant(int bytes) throws Http2Exception {
    lock.lock();
    try {
      if (bytes == 0) {
        throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR, "a window that grows by nothing");
      }
      if (connection > Integer.MAX_VALUE - bytes) {
        throw Http2Exception.connection(Http2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31");
      }
      connection += bytes;
      wakeNext();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Changes the window of new streams by the settings of the peer, and with it those of open ones (RFC 9113, 6.9.2).
   */
  public void initial(int bytes) throws Http2Exception {
    lock.lock();
    try {
      int more = bytes - initial;
      initial = bytes;
      for (Window window = ring.next; window != ring; window = window.next) {
        if (more > 0 && window.bytes > Integer.MAX_VALUE - more) {
          throw Http2Exception.connection(Http2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31");
        }
        window.bytes += more;
      }
      wakeNext();
    } finally {
      lock.unlock();
    }
  }

  /** Ends sending on a stream. */
  public void close(Window window) {
    lock.lock();
    try {
      if (!window.closed) {
        window.closed = true;
        window.next.previous = window.previous;
        window.previous.next = window.next;
        window.changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }
}

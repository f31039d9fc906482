package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import portcullis.background.BackgroundTask;

/** A thread that relays pairs, from the first one until there has been none for a while. For any threads. */
final class RelayLoop {
  // as much as one end may leave unread for another
  private static final int ROOM = 32 * 1024;
  private static final long TICK_MILLIS = 1000;
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
  private static final long REST = TimeUnit.SECONDS.toNanos(10);

  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
  private final Set<RelayPair> pairs = new HashSet<>();
  private final Queue<RelayPair> ended = new ArrayDeque<>();
  private final Queue<RelayPair> joining = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> endings = new ConcurrentLinkedQueue<>();
  private volatile int size;
  private volatile boolean over;
  private long now = System.nanoTime();
  private long swept = now;
  private long used = now;

  RelayLoop() throws IOException {
    selector = Selector.open();
  }

  void start() {
    BackgroundTask.start(Thread.ofPlatform().daemon().name("relay"), this::round);
  }

  /** Returns the number of pairs. */
  int size() {
    return size;
  }

  /** Returns whether it has ended. */
  boolean isOver() {
    return over;
  }

  /** Begins to relay a pair; returns false if it has ended. */
  synchronized boolean add(RelayPair pair) {
    if (over) {
      return false;
    }
    joining.add(pair);
    size++;
    selector.wakeup();
    return true;
  }

  /** Ends a pair that was added, after the messages in progress. */
  void end(RelayPair pair, byte[] toOne, byte[] toOther) {
    endings.add(() -> {
      if (pairs.contains(pair)) {
        act(pair, () -> pair.finish(toOne, toOther));
      }
    });
    synchronized (this) {
      if (!over) {
        selector.wakeup();
      }
    }
  }

  private interface Action {
    void run() throws IOException;
  }

  /** Does something for a pair, which ends with it where it fails. */
  private void act(RelayPair pair, Action action) {
    try {
      action.run();
      if (pair.isOver()) {
        ended.add(pair);
      }
    } catch (IOException | RuntimeException _) {
      ended.add(pair);
    }
  }

  private boolean round() throws IOException {
    selector.select(this::proceed, TICK_MILLIS);
    now = System.nanoTime();
    for (RelayPair next = joining.poll(); next != null; next = joining.poll()) {
      begin(next);
    }
    for (Runnable next = endings.poll(); next != null; next = endings.poll()) {
      next.run();
    }
    // a channel that others have closed has lost its key without being ready
    if (now - swept > TICK || selector.keys().size() < 2 * pairs.size()) {
      swept = now;
      pairs.stream().filter(pair -> pair.hasFailed(now)).forEach(ended::add);
    }
    finish();
    return !mayEnd();
  }

  private void begin(RelayPair pair) {
    pairs.add(pair);
    try {
      pair.register(selector);
    } catch (IOException | RuntimeException _) {
      ended.add(pair);
    }
  }

  private void proceed(SelectionKey key) {
    RelayPair pair = (RelayPair) key.attachment();
    act(pair, () -> pair.proceed(key, buffer, System.nanoTime()));
  }

  private void finish() throws IOException {
    while (!ended.isEmpty()) {
      Set<RelayPair> gone = new HashSet<>(ended);
      ended.clear();
      gone.retainAll(pairs);
      gone.forEach(RelayPair::cancel);
      selector.selectNow(this::proceed);
      pairs.removeAll(gone);
      left(gone.size());
      gone.forEach(RelayPair::left);
    }
  }

  private synchronized void left(int count) {
    size -= count;
    used = now;
  }

  private synchronized boolean mayEnd() throws IOException {
    if (size > 0 || now - used < REST) {
      return false;
    }
    over = true;
    selector.close();
    return true;
  }
}

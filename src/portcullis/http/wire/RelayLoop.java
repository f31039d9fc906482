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

/**
 * A thread that relays pairs of connections, or waits for connections, from the first ones until there have been none
 * for a while. For any threads.
 */
final class RelayLoop {
  // as much as one end may leave unread for another
  private static final int ROOM = 32 * 1024;
  private static final long TICK_MILLIS = 1000;
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
  private static final long REST = TimeUnit.SECONDS.toNanos(10);

  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
  private final Set<RelayMember> members = new HashSet<>();
  private final Queue<RelayMember> ended = new ArrayDeque<>();
  private final Queue<RelayMember> joining = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private int channels;
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

  /** Returns the number of members. */
  int size() {
    return size;
  }

  /** Returns whether it has ended. */
  boolean isOver() {
    return over;
  }

  /** Takes in a member; returns false if it has ended. */
  synchronized boolean add(RelayMember member) {
    if (over) {
      return false;
    }
    joining.add(member);
    size++;
    selector.wakeup();
    return true;
  }

  /** Does something for a member that was added, if it is still there. */
  void act(RelayMember member, Action action) {
    actions.add(() -> {
      if (members.contains(member)) {
        actNow(member, action);
      }
    });
    synchronized (this) {
      if (!over) {
        selector.wakeup();
      }
    }
  }

  /** Something to be done for a member, which ends with it where it fails. */
  interface Action {
    void run() throws IOException;
  }

  private void actNow(RelayMember member, Action action) {
    try {
      action.run();
      if (member.isOver()) {
        ended.add(member);
      }
    } catch (IOException | RuntimeException _) {
      ended.add(member);
    }
  }

  private boolean round() throws IOException {
    selector.select(this::proceed, TICK_MILLIS);
    now = System.nanoTime();
    begin();
    for (Runnable next = actions.poll(); next != null; next = actions.poll()) {
      begin(); // it may be for one that has just been added
      next.run();
    }
    // a channel that others have closed has lost its key without being ready
    if (now - swept > TICK || selector.keys().size() < channels) {
      swept = now;
      members.stream().filter(member -> member.hasFailed(now)).forEach(ended::add);
    }
    finish();
    return !mayEnd();
  }

  private void begin() {
    for (RelayMember next = joining.poll(); next != null; next = joining.poll()) {
      begin(next);
    }
  }

  private void begin(RelayMember member) {
    members.add(member);
    channels += member.channels();
    try {
      member.register(selector);
    } catch (IOException | RuntimeException _) {
      ended.add(member);
    }
  }

  private void proceed(SelectionKey key) {
    RelayMember member = (RelayMember) key.attachment();
    actNow(member, () -> member.proceed(key, buffer, System.nanoTime()));
  }

  private void finish() throws IOException {
    while (!ended.isEmpty()) {
      Set<RelayMember> gone = new HashSet<>(ended);
      ended.clear();
      gone.retainAll(members);
      gone.forEach(member -> member.cancel(selector));
      selector.selectNow(this::proceed);
      members.removeAll(gone);
      gone.forEach(member -> channels -= member.channels());
      left(gone.size());
      gone.forEach(RelayMember::left);
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

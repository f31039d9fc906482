package portcullis.observe.profiling;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Samples waits of virtual threads for locks and for each other, which JFR does not record. A thread that waits in a
 * sample counts as waiting since the previous sample. The more threads there are, the fewer samples are taken: sampling
 * uses at most a twentieth of a processor. For one thread.
 */
final class VirtualWaits {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final int MAX_SHARE_DIVISOR = 20;
  /** Functions that wait for time or the network, not for another thread. */
  private static final Set<String> NOT_BLOCKED = Set.of("java.lang.Thread.sleep", "sun.nio.ch.Poller.poll");
  private static final Set<String> PARK = Set.of("java.lang.VirtualThread.park", "java.lang.VirtualThread.parkNanos",
      "jdk.internal.misc.Unsafe.park");

  private final Consumer<Wait> found;
  private Map<String, String> before = Map.of();

  VirtualWaits(Consumer<Wait> found) {
    this.found = found;
  }

  /**
   * A thread seen waiting.
   *
   * @param lock whether it waits for a monitor or a lock
   * @param begun whether it did not wait for it in the previous sample
   * @param time since the previous sample
   */
  record Wait(List<Profile.Frame> frames, boolean lock, boolean begun, Duration time) {}

  /** Returns whether objects of this class are locks. */
  static boolean isLock(String type) {
    return type.startsWith("java.util.concurrent.locks.Reentrant")
        || type.startsWith("java.util.concurrent.locks.StampedLock");
  }

  /** Samples for this time. */
  void watch(Duration time) throws IOException, InterruptedException {
    long now = System.nanoTime();
    long end = now + time.toNanos();
    long pause = INTERVAL.toNanos();
    while (now < end) {
      Thread.sleep(Duration.ofNanos(Math.min(pause, end - now)));
      long started = System.nanoTime();
      sample(Duration.ofNanos(started - now));
      now = started;
      pause = Math.max(INTERVAL.toNanos(), MAX_SHARE_DIVISOR * (System.nanoTime() - started));
    }
  }

  private void sample(Duration since) throws IOException {
    Map<String, String> waiting = new HashMap<>();
    for (Threads.One thread : Threads.all()) {
      boolean blocked = thread.state().equals("BLOCKED");
      if (thread.virtual() && (blocked || isParked(thread.frames()))) {
        waiting.put(thread.id(), thread.blocker());
        boolean begun = !thread.blocker().equals(before.get(thread.id()));
        found.accept(new Wait(thread.frames(), blocked || isLock(thread.blocker()), begun, since));
      }
    }
    before = waiting;
  }

  private static boolean isParked(List<Profile.Frame> frames) {
    return !frames.isEmpty() && PARK.contains(frames.getFirst().function())
        && frames.stream().noneMatch(frame -> NOT_BLOCKED.contains(frame.function()));
  }
}

package portcullis.observe.profiling;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Waits of virtual threads for locks and for each other, which JFR does not record: all threads are looked at some
 * times a second, and where one waits then, it counts as waiting since the look before. The more threads there are the
 * fewer looks: they take a twentieth of a processor at most. For one thread.
 */
final class VirtualWaits {
  private static final Duration OFTEN = Duration.ofMillis(250);
  private static final int SPARING = 20;
  /** What is no wait for another thread, but for time or for the network. */
  private static final Set<String> OTHER = Set.of("java.lang.Thread.sleep", "sun.nio.ch.Poller.poll");
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
   * @param lock whether it is a monitor or a lock that it waits for
   * @param begun whether it has not been seen at that before
   * @param time that is counted for it
   */
  record Wait(List<Profile.Frame> frames, boolean lock, boolean begun, Duration time) {}

  /** Whether waiting for a thing of that class is waiting for a lock that another has. */
  static boolean isLock(String type) {
    return type.startsWith("java.util.concurrent.locks.Reentrant")
        || type.startsWith("java.util.concurrent.locks.StampedLock");
  }

  /** Looks on for that time. */
  void watch(Duration time) throws IOException, InterruptedException {
    long now = System.nanoTime();
    long end = now + time.toNanos();
    long pause = OFTEN.toNanos();
    while (now < end) {
      Thread.sleep(Duration.ofNanos(Math.min(pause, end - now)));
      long looking = System.nanoTime();
      look(Duration.ofNanos(looking - now));
      now = looking;
      pause = Math.max(OFTEN.toNanos(), SPARING * (System.nanoTime() - looking));
    }
  }

  private void look(Duration since) throws IOException {
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
        && frames.stream().noneMatch(frame -> OTHER.contains(frame.function()));
  }
}

package portcullis.app;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.Optional;
import portcullis.background.BackgroundTask;

/**
 * Has garbage among old objects collected before the heap grows for it: left to itself the serial collector takes all memory
 * that it may have first. Under steady load there is next to none. One thread, ended by {@link #close}.
 */
final class HeapWatch implements AutoCloseable {
  private static final String SERIAL = "Tenured Gen";
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final long LEAST = 32L << 20;

  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("heap watch"), this::round);

  void start() {
    task.start();
  }

  private boolean round() throws InterruptedException {
    Thread.sleep(LOOK); // the classes of management are not needed for the start
    Optional<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals(SERIAL)).findFirst();
    if (old.isPresent() && isDue(old.get().getUsage().getUsed(), old.get().getCollectionUsage().getUsed())) {
      System.gc();
    }
    return old.isPresent();
  }

  /**
   * Whether it is worth a pause.
   *
   * @param used by old objects, garbage included
   * @param live what the last collection of old objects left; 0 before the first
   */
  static boolean isDue(long used, long live) {
    return used - live > Math.max(LEAST, live);
  }

  @Override
  public void close() {
    task.close();
  }
}

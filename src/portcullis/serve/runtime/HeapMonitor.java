package portcullis.serve.runtime;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.Optional;
import portcullis.background.BackgroundTask;

/**
 * Triggers a collection of the old generation before the heap grows: by itself, the serial collector would let the heap
 * grow to its maximum first. Under steady load collections are rare. If memory stays short it ends the process, to be
 * restarted. One thread, ended by {@link #close}.
 */
final class HeapMonitor implements AutoCloseable {
  /** The exit status of the process when it has run out of memory, the same as that of the JVM. */
  private static final int STATUS = 3;
  private static final String SERIAL = "Tenured Gen";
  private static final String SERIAL_COLLECTOR = "MarkSweepCompact";
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int LOOKS_PER_COLLECTION = 10;
  private static final int LOOKS_UNTIL_END = 15;
  private static final long LEAST = 32L << 20;

  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("heap monitor"), this::round);
  private Shortage shortage = new Shortage(0, 0);
  private int looks;

  void start() {
    task.start();
  }

  private boolean round() throws InterruptedException {
    Thread.sleep(LOOK); // the classes of management are not needed for the start
    if (++looks < LOOKS_PER_COLLECTION) {
      return true;
    }
    Optional<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals(SERIAL)).findFirst();
    Optional<GarbageCollectorMXBean> collector = ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(bean -> bean.getName().equals(SERIAL_COLLECTOR)).findFirst();
    if (old.isEmpty() || collector.isEmpty()) {
      return false;
    }
    look(old.get(), collector.get());
    return true;
  }

  private void look(MemoryPoolMXBean old, GarbageCollectorMXBean collector) {
    long live = old.getCollectionUsage().getUsed();
    if (looks % LOOKS_PER_COLLECTION == 0 && isDue(old.getUsage().getUsed(), live)) {
      System.gc();
    }
    shortage = shortage.after(collector.getCollectionCount(), live, old.getUsage().getMax());
    if (shortage.looks == LOOKS_UNTIL_END) {
      System.err.println("out of memory: collections leave nothing free; the process ends to be started again");
      System.err.flush();
      Runtime.getRuntime().halt(STATUS);
    }
  }

  /**
   * The number of checks in a row at which collections left almost nothing free.
   *
   * @param collections the number of collections so far
   * @param looks the number of checks in a row that found too little free
   */
  record Shortage(long collections, int looks) {
    private static final int SHARE = 32;

    /** Returns the state after another check; without a new collection there is no shortage. */
    Shortage after(long now, long live, long most) {
      boolean isShort = now > collections && most - live < most / SHARE;
      return new Shortage(now, isShort ? looks + 1 : 0);
    }
  }

  /**
   * Returns whether a collection is worth its pause.
   *
   * @param used bytes of the old generation, including garbage
   * @param live bytes left by its last collection; 0 before the first
   */
  static boolean isDue(long used, long live) {
    return used - live > Math.max(LEAST, live);
  }

  @Override
  public void close() {
    task.close();
  }
}

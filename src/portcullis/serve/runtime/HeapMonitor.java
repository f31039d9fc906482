package portcullis.serve.runtime;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.Optional;
import portcullis.background.BackgroundTask;

/**
 * Has garbage among old objects collected before the heap grows for it: left to itself the serial collector takes all
 * memory that it may have first. Under steady load there is next to none. Where memory stays short it ends the process,
 * to be started again. One thread, ended by {@link #close}.
 */
final class HeapMonitor implements AutoCloseable {
  /** The process's exit status where it has run out of memory, as the JVM's own. */
  private static final int STATUS = 3;
  private static final String SERIAL = "Tenured Gen";
  private static final String SERIAL_COLLECTOR = "MarkSweepCompact";
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int LOOKS_PER_COLLECTION = 10;
  private static final int LOOKS_UNTIL_END = 15;
  private static final long LEAST = 32L << 20;

  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("heap watch"), this::round);
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
   * How often in a row collections left nearly nothing free.
   *
   * @param collections how many there have been
   * @param looks how often they left too little
   */
  record Shortage(long collections, int looks) {
    private static final int SHARE = 32;

    /** With one look more; where nothing had to be collected since the last there is no shortage. */
    Shortage after(long now, long live, long most) {
      boolean isShort = now > collections && most - live < most / SHARE;
      return new Shortage(now, isShort ? looks + 1 : 0);
    }
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

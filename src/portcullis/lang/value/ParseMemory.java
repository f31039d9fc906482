package portcullis.lang.value;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory that documents from outside may take in the whole process, and one client of it. What is to be parsed is
 * reserved first, and released when the values are no longer needed. A reservation that does not fit waits for a second
 * at most. Thread safe.
 */
public final class ParseMemory {
  /** A quarter of the heap, which is one for all, too. */
  public static final ParseMemory PROCESS = new ParseMemory(Runtime.getRuntime().maxMemory() / 4);

  private static final long WAIT_MILLIS = 1000;
  private static final int MOST_WAITING = 256;

  private final long capacity;
  private final Map<String, Long> byClient = new HashMap<>();
  private long used;
  private int waiting;

  /** With so many bytes, half of which one client may have. */
  public ParseMemory(long capacity) {
    this.capacity = capacity;
  }

  /**
   * A lease that holds nothing yet.
   *
   * @param client whose share counts; empty for the program's own
   */
  public Lease lease(String client) {
    return new Lease(client);
  }

  /** How many bytes are reserved. */
  public synchronized long used() {
    return used;
  }

  private long share() {
    return capacity / 2;
  }

  private synchronized boolean reserve(String client, long bytes, long waitMillis) {
    long end = waitMillis == 0 ? 0 : System.nanoTime() + waitMillis * 1_000_000;
    while (!fits(client, bytes)) {
      long left = waitMillis == 0 ? 0 : (end - System.nanoTime()) / 1_000_000;
      if (left <= 0 || waiting >= MOST_WAITING || !await(left)) {
        return false;
      }
    }
    used += bytes;
    if (!client.isEmpty()) {
      byClient.merge(client, bytes, Long::sum);
    }
    return true;
  }

  private boolean fits(String client, long bytes) {
    return used + bytes <= capacity && (client.isEmpty() || byClient.getOrDefault(client, 0L) + bytes <= share());
  }

  private synchronized boolean await(long millis) {
    waiting++;
    try {
      wait(millis);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting--;
    }
  }

  private synchronized void release(String client, long bytes) {
    used -= bytes;
    if (!client.isEmpty()) {
      byClient.computeIfPresent(client, (_, held) -> held > bytes ? held - bytes : null);
    }
    if (waiting > 0) {
      notifyAll();
    }
  }

  /** What one request or one document holds; for one thread at a time. {@link #close} releases all of it. */
  public final class Lease implements AutoCloseable {
    private final String client;
    private long held;

    private Lease(String client) {
      this.client = client;
    }

    /** How many bytes it holds. */
    public long held() {
      return held;
    }

    /** Another one for the same client. */
    public Lease another() {
      return lease(client);
    }

    /**
     * Reserves more, waiting for others to end where nothing is held yet: who holds something and waits for more could
     * wait for somebody who does the same.
     *
     * @throws OverBudget where it does not fit
     */
    public void reserve(long bytes) throws OverBudget {
      if (held + bytes > share()) {
        throw OverBudget.tooLarge("it takes more memory than one client may have for parsing");
      }
      if (!ParseMemory.this.reserve(client, bytes, held == 0 ? WAIT_MILLIS : 0)) {
        throw OverBudget.noMemory();
      }
      held += bytes;
    }

    @Override
    public void close() {
      if (held > 0) {
        release(client, held);
        held = 0;
      }
    }
  }
}

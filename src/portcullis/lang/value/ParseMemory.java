package portcullis.lang.value;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the memory for documents from outside, in the whole process and per client. Memory is reserved before parsing
 * and released when the values are no longer needed. A reservation that does not fit waits for at most a second.
 * Thread safe.
 */
public final class ParseMemory {
  /** The memory of the process, a quarter of the heap. */
  public static final ParseMemory PROCESS = new ParseMemory(Runtime.getRuntime().maxMemory() / 4);

  private static final long WAIT_MILLIS = 1000;
  private static final int MOST_WAITING = 256;

  private final long capacity;
  private final Map<String, Long> byClient = new HashMap<>();
  private long used;
  private int waiting;

  /** Creates a memory of so many bytes, of which one client may hold half. */
  public ParseMemory(long capacity) {
    this.capacity = capacity;
  }

  /**
   * Returns an empty lease.
   *
   * @param client whose share is limited; empty for the program itself
   */
  public Lease lease(String client) {
    return new Lease(client);
  }

  /** Returns the number of reserved bytes. */
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

  /** The reservations of one request or document; for one thread at a time. {@link #close} releases them. */
  public final class Lease implements AutoCloseable {
    private final String client;
    private long held;

    private Lease(String client) {
      this.client = client;
    }

    /** Returns the number of bytes it holds. */
    public long held() {
      return held;
    }

    /**
     * Reserves more. Waits for memory only while nothing is held yet, as two holders could wait for each other.
     *
     * @throws BudgetExceededException where it does not fit
     */
    public void reserve(long bytes) throws BudgetExceededException {
      if (held + bytes > share()) {
        throw BudgetExceededException.tooLarge("it takes more memory than one client may have for parsing");
      }
      if (!ParseMemory.this.reserve(client, bytes, held == 0 ? WAIT_MILLIS : 0)) {
        throw BudgetExceededException.noMemory();
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

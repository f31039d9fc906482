package portcullis.observe.profiling;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers for functions, in place of the program counters that a JVM has not; known as long as the program runs, at
 * most 100,000 of them. Thread safe.
 */
final class Symbols {
  private static final int MOST = 100_000;
  private static final long APART = 0x1000;

  private final Map<Long, String> names = new ConcurrentHashMap<>();
  private final Map<String, Long> addresses = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  /** The same for the same function; 0 where there are too many. */
  long address(String function) {
    Long known = addresses.get(function);
    if (known != null || addresses.size() >= MOST) {
      return known == null ? 0 : known;
    }
    long address = addresses.computeIfAbsent(function, _ -> APART * last.incrementAndGet());
    names.put(address, function);
    return address;
  }

  /** The name of the function; empty where there is none. */
  String name(long address) {
    return names.getOrDefault(address, "");
  }
}

package portcullis.observe.profiling;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Assigns addresses to functions, as profiles need program counters and Java has none. At most 100,000 functions are
 * kept. Thread safe.
 */
final class Symbols {
  private static final int MAX_FUNCTIONS = 100_000;
  private static final long DISTANCE = 0x1000;

  private final Map<Long, String> names = new ConcurrentHashMap<>();
  private final Map<String, Long> addresses = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  /** Returns the address of a function; 0 if there are too many. */
  long address(String function) {
    Long known = addresses.get(function);
    if (known != null || addresses.size() >= MAX_FUNCTIONS) {
      return known == null ? 0 : known;
    }
    long address = addresses.computeIfAbsent(function, _ -> DISTANCE * last.incrementAndGet());
    names.put(address, function);
    return address;
  }

  /** Returns the name of the function at an address; empty if there is none. */
  String name(long address) {
    return names.getOrDefault(address, "");
  }
}

package portcullis.policy.limit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what rate limits decided, by their names, of which a configuration has few. Thread safe. */
public final class RateCounts {
  private final Map<Id, LongAdder> counts = new ConcurrentHashMap<>();

  /** What a limit decided about a request. */
  public enum Outcome {
    ALLOWED, REFUSED, OUTAGE
  }

  private record Id(String limit, Outcome outcome) {}

  /** A count. */
  public record Count(String limit, Outcome outcome, long count) {}

  public void add(String limit, Outcome outcome) {
    counts.computeIfAbsent(new Id(limit, outcome), _ -> new LongAdder()).increment();
  }

  public List<Count> all() {
    return counts.entrySet().stream()
        .map(entry -> new Count(entry.getKey().limit, entry.getKey().outcome, entry.getValue().sum())).toList();
  }
}

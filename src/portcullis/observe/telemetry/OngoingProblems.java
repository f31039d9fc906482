package portcullis.observe.telemetry;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The problems that last, by keys that the program chooses, in the order of their beginning. Thread safe. */
public final class OngoingProblems {
  private final SequencedMap<String, OngoingProblem> all = new LinkedHashMap<>();

  /** Begins a problem, or replaces the text of one that lasts; returns whether either was new. */
  public synchronized boolean begin(String key, Instant since, String text) {
    OngoingProblem before = all.get(key);
    if (before != null && before.text().equals(text)) {
      return false;
    }
    all.put(key, new OngoingProblem(before == null ? since : before.since(), text));
    return true;
  }

  /** Ends a problem; returns whether it lasted. */
  public synchronized boolean end(String key) {
    return all.remove(key) != null;
  }

  public synchronized List<OngoingProblem> list() {
    return List.copyOf(all.values());
  }
}

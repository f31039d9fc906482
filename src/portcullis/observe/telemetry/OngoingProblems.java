package portcullis.observe.telemetry;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/** The problems that last, by keys that the program chooses, in the order of their beginning. Thread safe. */
public final class OngoingProblems {
  /** The maximum number of texts of a problem that are remembered. */
  static final int MOST_TEXTS = 16;

  private final SequencedMap<String, OngoingProblem> all = new LinkedHashMap<>();
  private final Map<String, Set<String>> texts = new HashMap<>();

  /** Begins a problem, or replaces the text of one that lasts; returns whether either was new. */
  public synchronized boolean begin(String key, Instant since, String text) {
    OngoingProblem before = all.get(key);
    if (before != null && before.text().equals(text)) {
      return false;
    }
    all.put(key, new OngoingProblem(before == null ? since : before.since(), text));
    return true;
  }

  /** Begins or replaces a problem likewise; returns whether it has not had this text since it began. */
  public synchronized boolean change(String key, Instant since, String text) {
    begin(key, since, text);
    Set<String> known = texts.computeIfAbsent(key, _ -> new HashSet<>());
    return known.size() < MOST_TEXTS && known.add(text);
  }

  /** Ends a problem; returns whether it lasted. */
  public synchronized boolean end(String key) {
    texts.remove(key);
    return all.remove(key) != null;
  }

  /** Returns whether the problem lasts. */
  public synchronized boolean lasts(String key) {
    return all.containsKey(key);
  }

  public synchronized List<OngoingProblem> list() {
    return List.copyOf(all.values());
  }
}

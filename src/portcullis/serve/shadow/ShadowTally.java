package portcullis.serve.shadow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what changes. Of limited size: groups beyond a hundred are counted together only. Thread safe. */
final class ShadowTally {
  private static final int MOST_GROUPS = 100;
  private static final int LONGEST_ID = 64;

  private final Instant since;
  private final Map<ShadowReport.Change, Long> counts = new EnumMap<>(ShadowReport.Change.class);
  private final Map<Key, Found> groups = new HashMap<>();
  private long dropped;
  /** Counted by the threads of requests, which do not wait for a report. */
  private final AtomicLong waiting = new AtomicLong();

  private record Key(ShadowReport.Change change, String before, String now) {}

  private record Found(long count, String request) {}

  ShadowTally(Instant since) {
    this.since = since;
  }

  synchronized void add(ShadowReport.Change change, String before, String now, String request) {
    counts.merge(change, 1L, Long::sum);
    Key key = new Key(change, before, now);
    if (change != ShadowReport.Change.UNCHANGED && (groups.size() < MOST_GROUPS || groups.containsKey(key))) {
      String id = request.substring(0, Math.min(request.length(), LONGEST_ID));
      groups.merge(key, new Found(1, id), (a, b) -> new Found(a.count + b.count, b.request));
    }
  }

  synchronized void drop() {
    dropped++;
  }

  /** Counts a request that is to be decided, until {@link #left}. */
  void joined() {
    waiting.incrementAndGet();
  }

  void left() {
    waiting.decrementAndGet();
  }

  synchronized ShadowReport report() {
    List<ShadowReport.Group> out = new ArrayList<>();
    groups.forEach((key, found) -> out
        .add(new ShadowReport.Group(key.change, found.count, key.before, key.now, found.request)));
    out.sort(Comparator.comparing(ShadowReport.Group::change)
        .thenComparing(ShadowReport.Group::count, Comparator.reverseOrder()).thenComparing(ShadowReport.Group::before)
        .thenComparing(ShadowReport.Group::now));
    return new ShadowReport(since, counts, dropped, waiting.get(), out);
  }
}

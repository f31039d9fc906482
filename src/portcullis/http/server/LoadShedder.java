package portcullis.http.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import portcullis.lang.address.Network;

/**
 * Makes room by ending what waits for its client: first what belongs to the peer with most, of that what has waited
 * longest. It looks for such things a hundred times a second at most, and then makes room for several at once. For any
 * threads.
 */
final class LoadShedder {
  /** A wait for a client, its peer, and how many such waits the peer has. */
  record Candidate(Network peer, boolean proxy, ClientWait held) {}

  /** Finds what waits now. */
  interface Search {
    List<Candidate> waiting();
  }

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int PORTION = 128;

  private final int atOnce;
  private long next = System.nanoTime();

  /** @param limit of the pool, of which a small part is made free at once */
  LoadShedder(int limit) {
    this.atOnce = Math.max(1, limit / PORTION);
  }

  /** Ends something that waits; false where nothing does, or the last search was a moment ago. */
  synchronized boolean makeRoom(Search search) {
    if (System.nanoTime() - next < 0) {
      return false;
    }
    int ended = end(search.waiting(), atOnce);
    next = System.nanoTime() + PAUSE;
    return ended > 0;
  }

  /** Ends up to that many, of the expected waits a single one where no other is left; returns how many. */
  static int end(List<Candidate> waiting, int most) {
    Map<Network, Integer> sizes = new HashMap<>();
    waiting.forEach(candidate -> sizes.merge(candidate.peer, 1, Integer::sum));
    List<Candidate> order = new ArrayList<>(waiting);
    long now = System.nanoTime();
    order.sort(Comparator.comparing((Candidate c) -> c.held.expected()).thenComparing(Candidate::proxy)
        .thenComparing(c -> -sizes.get(c.peer)).thenComparing(c -> c.held.since() - now));
    int unexpected = (int) waiting.stream().filter(candidate -> !candidate.held.expected()).count();
    int count = Math.min(order.size(), Math.clamp(unexpected, 1, most));
    order.subList(0, count).forEach(candidate -> candidate.held.end().run());
    return count;
  }
}

package portcullis.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The latest decisions of the proxy, explained; the oldest ones are forgotten. Thread safe. */
public final class Decisions {
  private static final int MOST = 200;
  private static final String ID = "X-Request-Id";

  private final Map<String, Decided> latest = new LinkedHashMap<>();

  /**
   * A decision.
   *
   * @param path of the request, without the query
   * @param lines the explanation
   */
  public record Decided(String path, boolean allowed, List<String> lines) {}

  /** Adds the decision on the request that has this id. */
  public synchronized void add(String id, Decided decided) {
    latest.put(id, decided);
    if (latest.size() > MOST) {
      latest.remove(latest.keySet().iterator().next());
    }
  }

  /** Returns the decision on a request that the proxy has forwarded. */
  synchronized Optional<Decided> of(Visit visit) {
    return visit.fields().first(ID).map(latest::get);
  }

  /** Returns the latest decision by which a request for this path and query was refused. */
  synchronized Optional<Decided> refused(String target) {
    String path = target.replaceFirst("\\?.*", "");
    return latest.values().stream().filter(one -> !one.allowed && one.path.equals(path))
        .reduce((_, later) -> later);
  }
}

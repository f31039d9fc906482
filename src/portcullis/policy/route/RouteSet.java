package portcullis.policy.route;

import java.util.List;

/** All rules of one source, in the order written, which decides among rules of one host and path; immutable. */
public record RouteSet<V>(String source, List<RuleEntry<V>> entries) {
  public RouteSet {
    entries = List.copyOf(entries);
  }
}

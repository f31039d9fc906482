package portcullis.policy.route;

import java.util.List;
import portcullis.lang.source.LocatedText;

/**
 * A rule to add to an index; immutable.
 *
 * @param id names it in messages; one set has it once
 */
public record RuleEntry<V>(LocatedText id, Conditions conditions, List<Route> routes, V value) {
  public RuleEntry {
    routes = List.copyOf(routes);
  }
}

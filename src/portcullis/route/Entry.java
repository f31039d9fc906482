package portcullis.route;

import java.util.List;
import portcullis.source.Origin;

/**
 * A rule as the index takes it; immutable.
 *
 * @param id names it in messages; one set has it once
 * @param at where it was written
 */
public record Entry<V>(String id, Origin at, Conditions conditions, List<Route> routes, V value) {
  public Entry {
    routes = List.copyOf(routes);
  }
}

package portcullis.policy.route;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Ways by host, under {@link HostKeys}; immutable. */
final class HostTable<V> {
  private final Edges<V> edges;
  private final Edges.Rows rows;
  private final Optional<RouteNode<V>> ofAny;
  private final boolean hasPorts;
  private final boolean hasWildcards;

  /** @param rows where the edges have them */
  HostTable(Map<String, RouteNode<V>> ways, Edges<V> edges, Edges.Rows rows) {
    this.edges = edges;
    this.rows = rows;
    this.ofAny = Optional.ofNullable(ways.get(HostKeys.ANY));
    this.hasPorts = ways.keySet().stream().anyMatch(key -> HostName.of(key).port() != 0);
    this.hasWildcards = ways.keySet().stream().anyMatch(key -> key.startsWith("*."));
  }

  /** Returns what {@code take} first makes of a way whose host takes such a request, the most specific host first. */
  <R> Optional<R> taking(HostName host, String scheme, Function<RouteNode<V>, Optional<R>> take) {
    int defaultPort = HostName.defaultPort(scheme);
    int port = host.port() == 0 ? defaultPort : host.port();
    boolean mayBeBare = port == defaultPort;
    Optional<R> found = named(host.name(), port, mayBeBare, take);
    int dot = hasWildcards && found.isEmpty() ? host.name().indexOf('.', 1) : -1;
    while (dot >= 0 && found.isEmpty()) {
      found = named("*" + host.name().substring(dot), port, mayBeBare, take);
      dot = host.name().indexOf('.', dot + 1);
    }
    return found.isEmpty() ? ofAny.flatMap(take) : found;
  }

  private <R> Optional<R> named(String name, int port, boolean mayBeBare, Function<RouteNode<V>, Optional<R>> take) {
    Optional<R> found = hasPorts && port != 0 ? under(name + ":" + port, take) : Optional.empty();
    return found.isEmpty() && mayBeBare ? under(name, take) : found;
  }

  private <R> Optional<R> under(String key, Function<RouteNode<V>, Optional<R>> take) {
    byte[] text = Octets.of(key);
    int row = edges.first(rows, Octets.hash(text), text, 0);
    while (row != Edges.NONE && edges.length(row) < text.length) {
      row = edges.next(row, rows, text, 0);
    }
    return row != Edges.NONE && edges.kind(row) instanceof RouteNode<V> way ? take.apply(way) : Optional.empty();
  }
}

package portcullis.policy.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Routes laid out for lookups: on its way one comes past few objects, whose order a fork and its {@link Edges} give.
 * Literals come before single wildcards and these before free ones, each way to its end. Immutable.
 */
final class RouteTable<V> {
  private final HostTable<V> hosts;
  private final Edges<V> edges;

  private RouteTable(HostTable<V> hosts, Edges<V> edges) {
    this.hosts = hosts;
    this.edges = edges;
  }

  /** Returns the table of routes, in the order in which those with the same host and path are tried. */
  static <V> RouteTable<V> of(Iterable<IndexedRoute<V>> routes) {
    Map<String, List<IndexedRoute<V>>> byHost = new HashMap<>();
    routes.forEach(
        placed -> placed.hosts().forEach(host -> byHost.computeIfAbsent(host, _ -> new ArrayList<>()).add(placed)));
    Map<String, RouteNode<V>> nodes = HashMap.newHashMap(byHost.size());
    Builder<V> builder = new Builder<>();
    byHost
        .forEach((host, there) -> nodes.put(host,
            builder.node(0, PathTree.of(there, IndexedRoute::segments, Candidates::of))));
    Edges.Rows rows = builder.edges.texts(nodes);
    Edges<V> edges = builder.edges.built();
    return new RouteTable<>(new HostTable<>(nodes, edges, rows), edges);
  }

  /** Takes the edges out of the trees of all hosts. */
  private static final class Builder<V> {
    private final Edges.Builder<V> edges = new Edges.Builder<>();

    private RouteNode<V> node(int depth, PathTree<Candidates<V>> tree) {
      return switch (tree) {
        case PathTail<Candidates<V>> tail -> tail.thing();
        case PathFork<Candidates<V>> fork -> fork(depth, fork);
      };
    }

    private Fork<V> fork(int depth, PathFork<Candidates<V>> tree) {
      Map<String, RouteNode<V>> literals = HashMap.newHashMap(tree.literals().size());
      tree.literals().forEach((text, below) -> literals.put(text, node(depth + 1, below)));
      List<RouteNode<V>> single = tree.single().stream().map(below -> node(depth + 1, below)).toList();
      Edges.Range rows = edges.segments(depth, literals);
      return new Fork<>(rows.first(), rows.count(), Fork.bits(literals.keySet()), single, tree.rest(), tree.end());
    }
  }

  Optional<Match<V>> find(RouteQuery query) {
    return hosts.taking(query.host(), query.lookup().scheme(), node -> first(node, query, 0));
  }

  /** Returns the first match below a node, whose next segment is {@code depth}. */
  private Optional<Match<V>> first(RouteNode<V> node, RouteQuery query, int depth) {
    return switch (node) {
      case Candidates<V> routes -> routes.fit(query.path()) ? routes.first(query) : Optional.empty();
      case Fork<V> fork -> behind(fork, query, depth);
    };
  }

  private Optional<Match<V>> behind(Fork<V> fork, RouteQuery query, int depth) {
    SplitPath path = query.path();
    if (depth == path.size()) {
      return of(fork.end(), query);
    }
    Optional<Match<V>> found = behindLiteral(fork, query, depth);
    if (found.isEmpty() && !fork.single().isEmpty() && !path.isEmpty(depth)) {
      found = first(fork.single().getFirst(), query, depth + 1);
    }
    return found.isEmpty() && !path.endsBefore(depth) ? of(fork.rest(), query) : found;
  }

  /** Returns the match behind a literal segment, of which there is at most one row. */
  private Optional<Match<V>> behindLiteral(Fork<V> fork, RouteQuery query, int depth) {
    SplitPath path = query.path();
    long hash = path.hash(depth);
    if (!fork.mayHave(hash)) {
      return Optional.empty();
    }
    int from = path.start(depth);
    int row = edges.first(fork, hash, path.octets(), from);
    while (row != Edges.NONE && !isMeant(row, path, depth)) {
      row = edges.next(row, fork, path.octets(), from);
    }
    return row == Edges.NONE ? Optional.empty() : switch (edges.kind(row)) {
      case RouteShape<V> form -> form.match(query, edges.value(row), edges.written(row));
      case Fork<V> next -> behind(next, query, depth + 1);
      case Candidates<V> routes -> routes.first(query);
    };
  }

  /**
   * Whether a row whose text was found is that of the whole segment, or, where it goes on alone, of all that is left.
   */
  private boolean isMeant(int row, SplitPath path, int depth) {
    int end = path.start(depth) + edges.length(row);
    return switch (edges.kind(row)) {
      case RouteShape<V> form -> form.fits(path, end);
      case Fork<V> _ -> end == path.end(depth);
      case Candidates<V> routes -> routes.fit(path);
    };
  }

  private static <V> Optional<Match<V>> of(List<Candidates<V>> routes, RouteQuery query) {
    return routes.isEmpty() ? Optional.empty() : routes.getFirst().first(query);
  }
}

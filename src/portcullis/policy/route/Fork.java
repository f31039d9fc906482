package portcullis.policy.route;

import java.util.Collection;
import java.util.List;

/**
 * Where patterns part; immutable.
 *
 * @param first where its literals are among the {@link Edges}, with {@code count}
 * @param bits one for each literal, chosen by its hash: most segments that none is are known here already, without a
 * look at
 *     the edges, which are far away
 * @param single what follows a single wildcard; none or one
 * @param rest the routes that take all from here on; none or one
 * @param end the routes that end here; none or one
 */
record Fork<V>(int first, int count, long bits, List<RouteNode<V>> single, List<Candidates<V>> rest,
    List<Candidates<V>> end)
    implements RouteNode<V>, Edges.Rows {
  static long bits(Collection<String> literals) {
    return literals.stream().mapToLong(text -> bit(Octets.hash(Octets.of(text)))).reduce(0,
        (some, more) -> some | more);
  }

  boolean mayHave(long hash) {
    return (bits & bit(hash)) != 0;
  }

  private static long bit(long hash) {
    return 1L << (hash >>> 58);
  }
}

package portcullis.policy.route;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of one path pattern by their hosts, to find those of other sources on the same hosts; for one thread. */
final class HostClaims<V> {
  private static final String NARROWER = "<";

  private final List<IndexedRoute<V>> routes;
  private final boolean areOfOneSource;
  private final Map<String, Claim<V>> claims = new HashMap<>(2);

  /** The routes that claim a host: the first one, and the first one of another source, or the first one again. */
  private record Claim<V>(IndexedRoute<V> first, IndexedRoute<V> other) {
    Claim<V> and(IndexedRoute<V> next) {
      boolean isNew = first.equals(other) && !next.source().equals(first.source());
      return isNew ? new Claim<>(first, next) : this;
    }

    Optional<IndexedRoute<V>> against(String source) {
      return !first.source().equals(source) ? Optional.of(first)
          : Optional.of(other).filter(o -> !o.source().equals(source));
    }
  }

  /** @param routes at least one */
  HostClaims(List<IndexedRoute<V>> routes) {
    this.routes = routes;
    String source = routes.getFirst().source();
    this.areOfOneSource = routes.stream().allMatch(placed -> placed.source().equals(source));
  }

  /**
   * Returns a route of another source with a host that takes all that this route's hosts take, or the other way round.
   */
  Optional<IndexedRoute<V>> against(IndexedRoute<V> placed) {
    if (areOfOneSource && routes.getFirst().source().equals(placed.source())) {
      return Optional.empty();
    }
    if (claims.isEmpty()) {
      routes.forEach(this::claim);
    }
    for (String host : placed.hosts()) {
      for (String wider : HostKeys.covering(host)) {
        Optional<IndexedRoute<V>> found = under(wider, placed.source());
        if (found.isPresent()) {
          return found;
        }
      }
      Optional<IndexedRoute<V>> found = under(NARROWER + host, placed.source());
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private void claim(IndexedRoute<V> placed) {
    for (String host : placed.hosts()) {
      claim(host, placed);
      HostKeys.covering(host).stream().filter(wider -> !wider.equals(host))
          .forEach(wider -> claim(NARROWER + wider, placed));
    }
  }

  private void claim(String key, IndexedRoute<V> placed) {
    claims.merge(key, new Claim<>(placed, placed), (claim, _) -> claim.and(placed));
  }

  private Optional<IndexedRoute<V>> under(String key, String source) {
    Claim<V> claim = claims.get(key);
    return claim == null ? Optional.empty() : claim.against(source);
  }
}

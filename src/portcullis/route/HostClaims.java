package portcullis.route;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of one path pattern by their hosts, to find those of other sources on the same hosts; immutable. */
final class HostClaims<V> {
  private static final String NARROWER = "<";

  private final Map<String, Claim<V>> claims = new HashMap<>();

  /** Who has a host: the first, and the first of another source, if there is one, else the same again. */
  private record Claim<V>(Placed<V> first, Placed<V> other) {
    Claim<V> and(Placed<V> next) {
      boolean isNew = first == other && !next.source().equals(first.source());
      return isNew ? new Claim<>(first, next) : this;
    }

    Optional<Placed<V>> against(String source) {
      return !first.source().equals(source) ? Optional.of(first)
          : Optional.of(other).filter(o -> !o.source().equals(source));
    }
  }

  HostClaims(List<Placed<V>> routes) {
    for (Placed<V> placed : routes) {
      for (String host : HostKeys.of(placed.entry().conditions())) {
        claim(host, placed);
        HostKeys.covering(host).stream().filter(wider -> !wider.equals(host))
            .forEach(wider -> claim(NARROWER + wider, placed));
      }
    }
  }

  private void claim(String key, Placed<V> placed) {
    Claim<V> claim = claims.computeIfAbsent(key, _ -> new Claim<>(placed, placed));
    claims.put(key, claim.and(placed));
  }

  /** A route of another source with a host that takes all that this route's hosts take, or the other way round. */
  Optional<Placed<V>> against(Placed<V> placed) {
    for (String host : HostKeys.of(placed.entry().conditions())) {
      for (String wider : HostKeys.covering(host)) {
        Optional<Placed<V>> found = against(wider, placed.source());
        if (found.isPresent()) {
          return found;
        }
      }
      Optional<Placed<V>> found = against(NARROWER + host, placed.source());
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Placed<V>> against(String key, String source) {
    Claim<V> claim = claims.get(key);
    return claim == null ? Optional.empty() : claim.against(source);
  }
}

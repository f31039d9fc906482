package portcullis.crypto.jwt;

import java.util.List;
import java.util.Optional;

/**
 * Which scopes a token must have; immutable. Scopes are words of segments with dots between them, as
 * {@code shop.orders.read}.
 *
 * @param required each of these; empty if none is required
 */
public record ScopesMatcher(Strategy strategy, List<String> required) {
  /** Requires no scope. */
  public static final ScopesMatcher NONE = new ScopesMatcher(Strategy.EXACT, List.of());

  public enum Strategy {
    /** Requires the same string. */
    EXACT,
    /** Requires the same string or a prefix of its segments: {@code shop} includes {@code shop.orders}. */
    HIERARCHIC,
    /** Granted scopes are patterns: {@code *} stands for one segment, as the last one for one or more. */
    WILDCARD
  }

  public ScopesMatcher {
    required = List.copyOf(required);
  }

  /** Returns the first required scope that none of the granted ones satisfies. */
  public Optional<String> missing(List<String> granted) {
    return required.stream().filter(scope -> granted.stream().noneMatch(grant -> grants(grant, scope))).findFirst();
  }

  private boolean grants(String grant, String scope) {
    return switch (strategy) {
      case EXACT -> grant.equals(scope);
      case HIERARCHIC -> grant.equals(scope) || scope.startsWith(grant + ".");
      case WILDCARD -> matches(grant.split("\\.", -1), scope.split("\\.", -1));
    };
  }

  private static boolean matches(String[] pattern, String[] segments) {
    int last = pattern.length - 1;
    if (pattern.length > segments.length || pattern.length < segments.length && !pattern[last].equals("*")) {
      return false;
    }
    for (int i = 0; i < pattern.length; i++) {
      boolean fits = pattern[i].equals("*") ? !segments[i].isEmpty() : pattern[i].equals(segments[i]);
      if (!fits) {
        return false;
      }
    }
    return true;
  }
}

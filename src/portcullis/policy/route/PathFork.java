package portcullis.policy.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where patterns part; immutable.
 *
 * @param literals what follows each literal; not changed afterwards
 * @param single what follows a single wildcard; none or one
 * @param rest the thing of the patterns that take all from here on; none or one
 * @param end the thing of the patterns that end here; none or one
 */
record PathFork<T>(Map<String, PathTree<T>> literals, List<PathTree<T>> single, List<T> rest, List<T> end)
    implements PathTree<T> {
  @Override
  public <R> Optional<R> covering(List<Segment> pattern, int depth, Function<T, Optional<R>> take) {
    if (depth == pattern.size()) {
      return wrapped(end, take);
    }
    Segment segment = pattern.get(depth);
    Optional<R> found = Optional.empty();
    if (segment instanceof Segment.Literal(String text) && literals.containsKey(text)) {
      found = literals.get(text).covering(pattern, depth + 1, take);
    }
    if (found.isEmpty() && !single.isEmpty() && segment.isOneWhole()) {
      found = single.getFirst().covering(pattern, depth + 1, take);
    }
    return found.isEmpty() && Segment.leaveSomething(pattern, depth) ? wrapped(rest, take) : found;
  }

  private static <T, R> Optional<R> wrapped(List<T> thing, Function<T, Optional<R>> take) {
    return thing.isEmpty() ? Optional.empty() : take.apply(thing.getFirst());
  }
}

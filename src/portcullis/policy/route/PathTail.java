package portcullis.policy.route;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a pattern goes on alone; immutable.
 *
 * @param rest of the pattern, from the segment on to which the way through the tree has led; equal ones are one
 */
record PathTail<T>(List<Segment> rest, T thing) implements PathTree<T> {
  @Override
  public <R> Optional<R> covering(List<Segment> pattern, int depth, Function<T, Optional<R>> take) {
    return covers(pattern, depth) ? take.apply(thing) : Optional.empty();
  }

  private boolean covers(List<Segment> pattern, int depth) {
    for (int i = 0; i < rest.size(); i++) {
      int at = depth + i;
      boolean covers = at < pattern.size() && switch (rest.get(i)) {
        case Segment.Literal literal -> literal.equals(pattern.get(at));
        case Segment.Single _ -> pattern.get(at).isOneWhole();
        case Segment.Rest _ -> Segment.leaveSomething(pattern, at);
      };
      if (!covers || rest.get(i) instanceof Segment.Rest) {
        return covers;
      }
    }
    return pattern.size() == depth + rest.size();
  }
}

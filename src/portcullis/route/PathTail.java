package portcullis.route;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Where a pattern goes on alone: the whole of it, of which what led here is known to fit; immutable. */
record PathTail<T>(List<Segment> whole, T thing) implements PathTree<T> {
  @Override
  public <R> Optional<R> fitting(SplitPath path, int depth, Function<T, Optional<R>> take) {
    return fits(path, depth) ? take.apply(thing) : Optional.empty();
  }

  private boolean fits(SplitPath path, int depth) {
    for (int i = depth; i < whole.size(); i++) {
      boolean fits = i < path.size() && switch (whole.get(i)) {
        case Segment.Literal(String text) -> path.is(i, text);
        case Segment.Single _ -> !path.isEmpty(i);
        case Segment.Rest _ -> !path.endsBefore(i);
      };
      if (!fits || whole.get(i) instanceof Segment.Rest) {
        return fits;
      }
    }
    return path.size() == whole.size();
  }

  @Override
  public <R> Optional<R> covering(List<Segment> pattern, int depth, Function<T, Optional<R>> take) {
    return covers(pattern, depth) ? take.apply(thing) : Optional.empty();
  }

  private boolean covers(List<Segment> pattern, int depth) {
    for (int i = depth; i < whole.size(); i++) {
      boolean covers = i < pattern.size() && switch (whole.get(i)) {
        case Segment.Literal literal -> literal.equals(pattern.get(i));
        case Segment.Single _ -> pattern.get(i).isOneWhole();
        case Segment.Rest _ -> Segment.leaveSomething(pattern, i);
      };
      if (!covers || whole.get(i) instanceof Segment.Rest) {
        return covers;
      }
    }
    return pattern.size() == whole.size();
  }
}

package portcullis.policy.route;

import java.util.List;

/** Proves that a route takes each request of another one. What cannot be proven may be so nevertheless. */
final class RouteCover {
  private RouteCover() {}

  /** Returns whether every request of the second route, whatever its method, is one of the first on the same host. */
  static boolean coversButMethods(IndexedRoute<?> one, IndexedRoute<?> other) {
    RouteShape.Terms terms = one.form().terms();
    RouteShape.Terms others = other.form().terms();
    List<Segment> path = one.segments();
    boolean same = path.equals(other.segments());
    return (same || terms.parameters().isEmpty() && coversPath(path, other.segments()))
        && new RouteShape.Terms(terms.scheme(), MethodSet.ANY, terms.hostTexts(), terms.slashes(), terms.parameters())
            .cover(others);
  }

  private static boolean coversPath(List<Segment> one, List<Segment> other) {
    for (int i = 0; i < one.size(); i++) {
      if (i >= other.size()) {
        return false;
      }
      boolean covered = switch (one.get(i)) {
        case Segment.Literal literal -> literal.equals(other.get(i));
        case Segment.Single _ -> other.get(i).isOneWhole();
        case Segment.Rest _ -> Segment.leaveSomething(other, i);
      };
      if (!covered || one.get(i) instanceof Segment.Rest) {
        return covered;
      }
    }
    return one.size() == other.size();
  }
}

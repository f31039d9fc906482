package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;

/**
 * A wildcard with a name.
 *
 * @param index of its segment
 * @param isRest whether it takes all that is left
 */
record Capture(int index, String name, boolean isRest) {
  /** Returns those of a pattern, in its order. */
  static List<Capture> all(List<Segment> pattern) {
    List<Capture> out = new ArrayList<>();
    for (int i = 0; i < pattern.size(); i++) {
      String name = pattern.get(i).capture();
      if (!name.equals(Segment.UNNAMED)) {
        out.add(new Capture(i, name, pattern.get(i) instanceof Segment.Rest));
      }
    }
    return List.copyOf(out);
  }

  /** Returns what it takes of a path that fits, still percent-encoded. */
  String captured(SplitPath path) {
    return isRest ? path.from(index) : path.segment(index);
  }
}

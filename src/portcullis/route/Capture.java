package portcullis.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A wildcard with a name.
 *
 * @param index of its segment
 * @param isRest whether it takes all that is left
 */
record Capture(int index, String name, boolean isRest) {
  /** Those of a pattern, in its order. */
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

  /** What they take of a path that fits, still percent-encoded. */
  static SequencedMap<String, String> taken(List<Capture> captures, SplitPath path) {
    SequencedMap<String, String> out = new LinkedHashMap<>();
    captures.forEach(c -> out.put(c.name, c.isRest ? path.from(c.index) : path.segment(c.index)));
    return out;
  }
}

package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * A path with wildcards: {@code :name} is one segment, {@code *name} all that is left, {@code :*} and {@code **} the
 * same without a capture; a backslash before {@code :}, {@code *} or a backslash at the start of a segment makes it a
 * character. Literal segments are kept as normalised paths spell them. Immutable.
 *
 * @param source as written
 */
public record PathPattern(LocatedText source, List<Segment> segments) {
  public PathPattern {
    segments = List.copyOf(segments);
  }

  /** Reads a pattern; empty exactly if a problem was added. */
  public static Optional<PathPattern> compile(LocatedText text, Problems problems) {
    return new PathReader(text, problems).read();
  }

  /** Returns whether one of its literal segments has an encoded backslash. */
  public boolean hasBackslash() {
    return segments.stream()
        .anyMatch(segment -> segment instanceof Segment.Literal(String text) && text.contains("%5C"));
  }

  /** Returns the names it captures under, in order. */
  public List<String> names() {
    return segments.stream().map(Segment::capture).filter(name -> !name.equals(Segment.UNNAMED)).toList();
  }

  /**
   * Returns the segments of a path that both patterns match, as normalised paths spell them; empty if there is none.
   *
   * @param values of segments that both leave open, by their index; {@code 1} behind their end
   */
  public Optional<List<String>> common(PathPattern other, List<String> values) {
    List<String> out = new ArrayList<>();
    int end = Math.max(segments.size(), other.segments.size());
    for (int i = 0; i < end; i++) {
      Optional<Segment> mine = at(i);
      Optional<Segment> others = other.at(i);
      if (mine.isEmpty() || others.isEmpty()) {
        return Optional.empty();
      }
      boolean continued = i >= segments.size() || i >= other.segments.size();
      Optional<String> segment = common(mine.get(), others.get(), continued, i < values.size() ? values.get(i) : "1");
      if (segment.isEmpty()) {
        return Optional.empty();
      }
      out.add(segment.get());
    }
    return Optional.of(out);
  }

  /** A wildcard for all that is left stands for as many segments as the other pattern has. */
  private Optional<Segment> at(int index) {
    boolean beyond = index >= segments.size();
    return !beyond ? Optional.of(segments.get(index))
        : Optional.of(segments.getLast()).filter(Segment.Rest.class::isInstance);
  }

  /** @param continued whether one of them has begun to take all that is left before */
  private static Optional<String> common(Segment one, Segment other, boolean continued, String value) {
    if (one instanceof Segment.Literal(String text)) {
      boolean fits = other instanceof Segment.Literal ? one.equals(other) : continued || !text.isEmpty();
      return fits ? Optional.of(text) : Optional.empty();
    }
    return other instanceof Segment.Literal ? common(other, one, continued, value)
        : Optional.of(value.isEmpty() ? "1" : value);
  }
}

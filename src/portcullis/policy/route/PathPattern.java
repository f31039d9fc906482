package portcullis.policy.route;

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

  /** Whether one of its literal segments has an encoded backslash. */
  public boolean hasBackslash() {
    return segments.stream()
        .anyMatch(segment -> segment instanceof Segment.Literal(String text) && text.contains("%5C"));
  }

  /** The names it captures under, in order. */
  public List<String> names() {
    return segments.stream().map(Segment::capture).filter(name -> !name.equals(Segment.UNNAMED)).toList();
  }
}

package portcullis.route;

import java.util.Optional;
import portcullis.source.LocatedText;
import portcullis.source.Origin;
import portcullis.source.Problems;

/** A condition on what a wildcard took; immutable. */
public record PathParameter(Origin at, String place, String name, TextPattern pattern) {
  /** The types a rule file names. */
  public enum Type { EXACT, GLOB, REGEX }

  /** Reads a condition; empty exactly if a problem was added. */
  public static Optional<PathParameter> compile(LocatedText name, Type type, LocatedText value,
      EncodedSlashes slashes, Problems problems) {
    Origin at = name.at(0, name.text().length());
    if (name.text().equals(Segment.UNNAMED)) {
      problems.error(at, name.path(), "`*` captures nothing", "name the wildcard, and write its name here");
      return Optional.empty();
    }
    return pattern(type, value, slashes, problems).map(p -> new PathParameter(at, name.path(), name.text(), p));
  }

  private static Optional<TextPattern> pattern(Type type, LocatedText value, EncodedSlashes slashes, Problems problems) {
    return switch (type) {
      case EXACT -> Optional.of(exact(value, slashes, problems));
      case GLOB -> Glob.compile(value, '/', problems).map(TextPattern.Globbed::new);
      case REGEX -> Regex.compile(value, problems).map(TextPattern.Found::new);
    };
  }

  private static TextPattern exact(LocatedText value, EncodedSlashes slashes, Problems problems) {
    if (slashes != EncodedSlashes.OFF) {
      return new TextPattern.Exact(value.text());
    }
    String spelled = Escapes.normalized(value.text());
    String compared = Escapes.withNormalizedEscapes(value.text());
    if (!spelled.equals(compared)) {
      problems.warning(value.at(0, value.text().length()), value.path(),
          "`" + value.text() + "` never occurs: without `allow_encoded_slashes` captures are compared percent-encoded",
          "write `" + spelled + "`");
    }
    return new TextPattern.Exact(compared);
  }
}

package portcullis.policy.route;

import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * A condition on what a wildcard took; immutable.
 *
 * @param source the name of the wildcard, as the condition says it
 */
public record PathParameter(LocatedText source, StringPattern pattern) {
  /** The types a rule file names. */
  public enum Type {
    EXACT, GLOB, REGEX
  }

  /** Reads a condition; empty exactly if a problem was added. */
  public static Optional<PathParameter> compile(LocatedText name, Type type, LocatedText value,
      EncodedSlashes slashes, Problems problems) {
    if (name.text().equals(Segment.UNNAMED)) {
      problems.error(name.at(0, 1), name.path(), "`*` captures nothing", "name the wildcard, and write its name here");
      return Optional.empty();
    }
    return pattern(type, value, slashes, problems).map(p -> new PathParameter(name, p));
  }

  PathParameter ignoringCase() {
    return new PathParameter(source, pattern.ignoringCase());
  }

  String name() {
    return source.text();
  }

  private static Optional<StringPattern> pattern(Type type, LocatedText value, EncodedSlashes slashes,
      Problems problems) {
    return switch (type) {
      case EXACT -> Optional.of(exact(value, slashes, problems));
      case GLOB -> Glob.compile(value, '/', problems).map(StringPattern.Globbed::new);
      case REGEX -> StringPattern.Found.compile(value, problems);
    };
  }

  private static StringPattern exact(LocatedText value, EncodedSlashes slashes, Problems problems) {
    if (slashes != EncodedSlashes.OFF) {
      return new StringPattern.Exact(value.text());
    }
    String spelled = Escapes.normalizedPath(value.text());
    String compared = Escapes.withNormalizedEscapes(value.text());
    if (!spelled.equals(compared)) {
      problems.warning(Origins.of(value), value.path(),
          "`" + value.text() + "` never occurs: without `allow_encoded_slashes` captures are compared percent-encoded",
          "write `" + spelled + "`");
    }
    return new StringPattern.Exact(compared);
  }
}

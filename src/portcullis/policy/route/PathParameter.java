package portcullis.policy.route;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * A condition on what a wildcard took; immutable.
 *
 * @param source the name of the wildcard, as the condition says it
 */
public record PathParameter(LocatedText source, StringPattern pattern) {
  private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

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
    String spelled = RequestPath.normalized(value.text());
    String compared = ESCAPE.matcher(value.text())
        .replaceAll(escape -> Matcher.quoteReplacement(RequestPath.normalized(escape.group())));
    if (!spelled.equals(compared)) {
      problems.warning(Origins.of(value), value.path(),
          "`" + value.text() + "` never occurs: without `allow_encoded_slashes` captures are compared percent-encoded",
          "write `" + spelled + "`");
    }
    return new StringPattern.Exact(compared);
  }
}

package portcullis.policy.route;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** A regular expression in RE2 syntax, not anchored; it takes time linear in the text, whatever it is. */
public final class Regex {
  private final Pattern pattern;

  private Regex(Pattern pattern) {
    this.pattern = pattern;
  }

  public static Optional<Regex> compile(LocatedText text, Problems problems) {
    return compile(text, 0, problems);
  }

  static Optional<Regex> ignoringCase(LocatedText text, Problems problems) {
    return compile(text, Pattern.CASE_INSENSITIVE, problems);
  }

  private static Optional<Regex> compile(LocatedText text, int flags, Problems problems) {
    try {
      return Optional.of(new Regex(Pattern.compile(text.text(), flags)));
    } catch (PatternSyntaxException e) {
      problems.error(Origins.of(text), text.path(),
          "`" + text.text() + "` is no regular expression: " + e.getDescription(), "write it in RE2 syntax");
      return Optional.empty();
    }
  }

  /** The same for letters in any case. */
  Regex ignoringCase() {
    return new Regex(Pattern.compile(pattern.pattern(), Pattern.CASE_INSENSITIVE));
  }

  public boolean isFoundIn(String text) {
    return pattern.matcher(text).find();
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Regex regex && regex.pattern.equals(pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }
}

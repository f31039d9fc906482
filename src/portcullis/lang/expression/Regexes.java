package portcullis.lang.expression;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code matches}, {@code regexFind}, {@code regexFindAll}: in RE2's syntax and in linear time. */
final class Regexes {
  private static final int LONGEST = 4_000;
  private static final int LARGEST = 20_000;
  private static final String TOO_DEEP = "the regular expression is too deep";

  private Regexes() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "matches" -> Optional.of(a -> matches(a, pattern(a)));
      case "regexFind" -> Optional.of(a -> first(a, pattern(a)));
      case "regexFindAll" -> Optional.of(a -> all(a, pattern(a)));
      default -> Optional.empty();
    };
  }

  /** The same with a pattern that is known beforehand, so that the second argument is not looked at. */
  static Optional<Function> find(String name, Pattern pattern) {
    return switch (name) {
      case "matches" -> Optional.of(a -> matches(a, pattern));
      case "regexFind" -> Optional.of(a -> first(a, pattern));
      case "regexFindAll" -> Optional.of(a -> all(a, pattern));
      default -> Optional.empty();
    };
  }

  private static Pattern pattern(Arguments a) throws EvaluationFailure {
    String text = a.text(1);
    a.meter().charge(10L * text.length());
    return compile(text);
  }

  static Pattern compile(String text) throws EvaluationFailure {
    if (text.length() > LONGEST) {
      throw new EvaluationFailure("a regular expression of more than " + LONGEST + " characters");
    }
    if (Repeats.tooMany(text)) {
      throw new EvaluationFailure("the regular expression repeats too much");
    }
    try {
      Pattern pattern = Pattern.compile(text);
      if (pattern.programSize() > LARGEST) {
        throw new EvaluationFailure("the regular expression is too large");
      }
      return pattern;
    } catch (StackOverflowError _) {
      throw new EvaluationFailure(TOO_DEEP);
    } catch (PatternSyntaxException e) {
      throw new EvaluationFailure("`" + Words.cut(e.getPattern()) + "` in a regular expression: " + e.getDescription());
    }
  }

  private static Matcher matcher(Arguments a, Pattern pattern) throws EvaluationFailure {
    String text = a.text(0);
    a.meter().charge(1 + text.length() * (1L + pattern.programSize() / 16) / 16);
    return pattern.matcher(text);
  }

  /** The library follows a chain of optional parts, as {@code (a?){900}}, on the stack. */
  private static boolean find(Matcher matcher) throws EvaluationFailure {
    try {
      return matcher.find();
    } catch (StackOverflowError _) {
      throw new EvaluationFailure(TOO_DEEP);
    }
  }

  private static Val matches(Arguments a, Pattern pattern) throws EvaluationFailure {
    return Val.of(find(matcher(a, pattern)));
  }

  private static Val first(Arguments a, Pattern pattern) throws EvaluationFailure {
    Matcher matcher = matcher(a, pattern);
    return find(matcher) ? Val.of(matcher.group()) : Val.EMPTY;
  }

  private static Val all(Arguments a, Pattern pattern) throws EvaluationFailure {
    Matcher matcher = matcher(a, pattern);
    List<Val> found = new ArrayList<>();
    while (find(matcher)) {
      a.meter().charge(1);
      found.add(Val.of(matcher.group()));
    }
    return new Val.Items(found);
  }
}

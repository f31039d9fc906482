package portcullis.lang.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.ValueException;

/**
 * A regular expression of RE2's syntax that finds matches in time linear to the string, with the results of Go's
 * regexp. Immutable.
 */
public final class Regex {
  private static final String TOO_DEEP = "the regular expression is nested too deeply";
  private static final int LONGEST_SHOWN = 60;
  /** How many characters go through a pattern of {@link #PARTS_PER_STEP} parts for one step. */
  private static final int CHARACTERS_PER_STEP = 64;
  private static final int PARTS_PER_STEP = 50;

  private final Pattern pattern;
  private final List<String> names;
  private final long weight;

  private Regex(Pattern pattern, List<String> names, long weight) {
    this.pattern = pattern;
    this.names = names;
    this.weight = weight;
  }

  /** Takes the steps that a search costs out of the budget of a rendering or an evaluation. */
  @FunctionalInterface
  public interface Cost<X extends Exception> {
    void charge(long steps) throws X;
  }

  /** Compiles an expression whose size is bounded, as it may come from a request. */
  public static Regex of(String text) throws ValueException {
    return of(text, RegexShape.bounded(text));
  }

  /** Compiles an expression of any size, which an operator has written. */
  public static Regex unbounded(String text) throws ValueException {
    return of(text, RegexShape.unbounded(text));
  }

  private static Regex of(String text, RegexShape shape) throws ValueException {
    try {
      return new Regex(Pattern.compile(shape.unnamed()), shape.names(), 1 + shape.size() / PARTS_PER_STEP);
    } catch (PatternSyntaxException e) {
      String part = e.getPattern() == null || e.getPattern().isEmpty() ? text : e.getPattern();
      String shown = TerminalText.of(part, LONGEST_SHOWN);
      throw new ValueException("invalid regular expression `" + shown + "`: " + e.getDescription());
    } catch (StackOverflowError _) {
      throw new ValueException(TOO_DEEP);
    }
  }

  /** Returns the expression that matches letters in upper and lower case. */
  public Regex ignoringCase() {
    return new Regex(Pattern.compile(pattern.pattern(), Pattern.CASE_INSENSITIVE), names, weight);
  }

  /** Returns whether the expression matches a part of the string. */
  public boolean isFoundIn(String text) {
    return pattern.matcher(text).find();
  }

  /** Returns the first match, or an empty optional. */
  public <X extends Exception> Optional<Match> first(String text, Cost<X> cost) throws X, ValueException {
    List<Match> found = matches(text, 1, cost);
    return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
  }

  /** Returns up to {@code most} matches; an empty one right behind another match is not one. */
  public <X extends Exception> List<Match> matches(String text, long most, Cost<X> cost) throws X, ValueException {
    List<Match> out = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    int at = 0;
    int lastEnd = -1;
    while (at <= text.length() && out.size() < most) {
      cost.charge(1 + (text.length() - at) * weight / CHARACTERS_PER_STEP);
      if (!find(matcher, at)) {
        return out;
      }
      boolean empty = matcher.end() == matcher.start();
      if (!empty || matcher.start() != lastEnd) {
        out.add(match(text, matcher));
      }
      lastEnd = matcher.end();
      at = matcher.end() > at ? matcher.end() : at + charactersAt(text, at);
    }
    return out;
  }

  /** The library follows a chain of optional parts, as {@code (a?){900}}, on the stack. */
  private static boolean find(Matcher matcher, int from) throws ValueException {
    try {
      return matcher.find(from);
    } catch (StackOverflowError _) {
      throw new ValueException(TOO_DEEP);
    }
  }

  private static int charactersAt(String text, int at) {
    return at < text.length() ? Character.charCount(text.codePointAt(at)) : 1;
  }

  private Match match(String text, Matcher matcher) {
    int[] starts = new int[matcher.groupCount() + 1];
    int[] ends = new int[starts.length];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = matcher.start(i);
      ends[i] = matcher.end(i);
    }
    return new Match(text, names, starts, ends);
  }

  /** Returns whether the empty string is the expression itself. */
  public boolean isEmpty() {
    return pattern.pattern().isEmpty();
  }

  /** Returns the expression that matches exactly the string. */
  public static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      out.append("\\.+*?()|[]{}^$".indexOf(text.charAt(i)) >= 0 ? "\\" : "").append(text.charAt(i));
    }
    return out.toString();
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Regex regex && regex.pattern.equals(pattern) && regex.names.equals(names);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }
}

package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;
import portcullis.lang.regex.Match;
import portcullis.lang.regex.Regex;
import portcullis.lang.value.ValueException;

/** {@code matches}, {@code regexFind}, {@code regexFindAll}: in RE2's syntax and in linear time. */
final class Regexes {
  private Regexes() {}

  /** Works on the first argument with a regular expression. */
  @FunctionalInterface
  private interface Search {
    Val of(Arguments arguments, Regex regex) throws EvaluationFailure, ValueException;
  }

  static Optional<Function> find(String name) {
    return search(name).map(search -> a -> result(search, a, dynamic(a)));
  }

  /** Returns the function with a pattern that is known beforehand, so that it ignores the second argument. */
  static Optional<Function> find(String name, Regex regex) {
    return search(name).map(search -> a -> result(search, a, regex));
  }

  private static Optional<Search> search(String name) {
    return switch (name) {
      case "matches" -> Optional.of((a, regex) -> Val.of(regex.first(a.text(0), a.meter()::charge).isPresent()));
      case "regexFind" -> Optional.of((a, regex) -> regex.first(a.text(0), a.meter()::charge)
          .map(match -> (Val) Val.of(match.text())).orElse(Val.EMPTY));
      case "regexFindAll" -> Optional.of(Regexes::all);
      default -> Optional.empty();
    };
  }

  private static Val all(Arguments a, Regex regex) throws EvaluationFailure, ValueException {
    List<Match> found = regex.matches(a.text(0), Long.MAX_VALUE, a.meter()::charge);
    return new Val.Items(found.stream().map(match -> (Val) Val.of(match.text())).toList());
  }

  private static Val result(Search search, Arguments a, Regex regex) throws EvaluationFailure {
    try {
      return search.of(a, regex);
    } catch (ValueException e) {
      throw new EvaluationFailure(e.getMessage());
    }
  }

  private static Regex dynamic(Arguments a) throws EvaluationFailure {
    String text = a.text(1);
    a.meter().charge(10L * text.length());
    return compile(text);
  }

  static Regex compile(String text) throws EvaluationFailure {
    try {
      return Regex.of(text);
    } catch (ValueException e) {
      throw new EvaluationFailure(e.getMessage());
    }
  }
}

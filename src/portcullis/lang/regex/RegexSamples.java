package portcullis.lang.regex;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds strings that a regular expression of RE2's syntax may match, of each of its alternatives. They are guesses:
 * what is not understood is left out, so whoever uses them tries whether they match. For one expression.
 */
public final class RegexSamples {
  /** Of each part of the expression. */
  private static final int MOST = 32;
  private static final int MOST_CHARACTERS = 6;
  private static final int DEEPEST = 40;
  private static final int LONGEST = 512;
  private static final String USUAL = "x1aA-_.09zZ";
  private static final Pattern COUNT = Pattern.compile("\\{(\\d{1,4})(,(\\d{0,4}))?}");
  private static final Pattern GROUP = Pattern.compile("\\((?:\\?(?:P?<[^>]*>|([a-zA-Z-]*)([:)])))?");
  private static final Pattern NUMBER = Pattern.compile("\\\\x(?:\\{([0-9A-Fa-f]{1,6})}|([0-9A-Fa-f]{2}))");
  private static final Pattern NAMED = Pattern.compile("\\\\[pP](?:[A-Z]|\\{[^}]*})|\\[:\\^?[a-z]+:]");

  private final String text;
  private int at;
  private int depth;

  private RegexSamples(String text) {
    this.text = text;
  }

  public static List<String> of(String expression) {
    return new RegexSamples(expression).alternatives().stream().filter(one -> one.length() <= LONGEST).toList();
  }

  private boolean next(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private Matcher look(Pattern pattern) {
    return pattern.matcher(text).region(at, text.length());
  }

  private List<String> alternatives() {
    List<List<String>> out = new ArrayList<>();
    if (depth++ < DEEPEST) {
      out.add(sequence());
      while (next('|')) {
        at++;
        out.add(sequence());
      }
    } else {
      at = text.length(); // given up
    }
    depth--;
    return Combinations.either(out, MOST);
  }

  private List<String> sequence() {
    List<List<String>> parts = new ArrayList<>();
    while (at < text.length() && !next('|') && !next(')')) {
      parts.add(repeated(one()));
    }
    return Combinations.concatenated(parts, MOST);
  }

  private List<String> repeated(List<String> part) {
    List<String> out = part;
    while (at < text.length()) {
      Matcher count = look(COUNT);
      if (next('*') || next('+') || next('?')) {
        int least = next('+') ? 1 : 0;
        int most = next('?') ? 1 : 2;
        at++;
        out = times(out, least, most);
      } else if (count.lookingAt()) {
        at = count.end();
        int least = Integer.parseInt(count.group(1));
        boolean open = count.group(2) != null && count.group(3).isEmpty();
        int most = count.group(2) == null ? least : open ? least + 1 : Integer.parseInt(count.group(3));
        out = times(out, least, Math.min(most, least + 1));
      } else {
        return out;
      }
      at += next('?') ? 1 : 0; // as few as possible
    }
    return out;
  }

  private static List<String> times(List<String> part, int least, int most) {
    List<List<String>> out = new ArrayList<>();
    IntStream.rangeClosed(Math.max(1, least), most)
        .forEach(n -> out.add(part.stream().filter(one -> one.length() * n <= LONGEST).map(one -> one.repeat(n))
            .toList()));
    if (least == 0) {
      out.add(List.of(""));
    }
    return Combinations.either(out, MOST);
  }

  private List<String> one() {
    char c = text.charAt(at);
    if (c == '(') {
      return group();
    }
    if (c == '[') {
      return listed();
    }
    if (c == '\\') {
      return escape();
    }
    int code = text.codePointAt(at);
    at += Character.charCount(code);
    return switch (c) {
      case '^', '$' -> List.of("");
      case '.' -> List.of("x", "1", "a");
      default -> List.of(Character.toString(code));
    };
  }

  private List<String> group() {
    Matcher begin = look(GROUP);
    if (!begin.lookingAt()) {
      at = text.length();
      return List.of();
    }
    at = begin.end();
    if (")".equals(begin.group(2))) {
      return List.of(""); // flags for what follows
    }
    List<String> out = alternatives();
    at += next(')') ? 1 : 0;
    return out;
  }

  private List<String> escape() {
    int end = text.indexOf("\\E", at);
    if (text.startsWith("\\Q", at)) {
      String literal = text.substring(at + 2, end < 0 ? text.length() : end);
      at = end < 0 ? text.length() : end + 2;
      return List.of(literal);
    }
    if (at + 1 < text.length() && "AzbBC".indexOf(text.charAt(at + 1)) >= 0) {
      at += 2;
      return List.of("");
    }
    return characters(escaped());
  }

  /** Reads an escape that stands for characters. */
  private IntPredicate escaped() {
    Matcher named = look(NAMED);
    if (named.lookingAt()) {
      at = named.end();
      return Character::isLetterOrDigit; // or something else, which shows when it is tried
    }
    Matcher number = look(NUMBER);
    if (number.lookingAt()) {
      at = number.end();
      int code = Integer.parseInt(number.group(1) == null ? number.group(2) : number.group(1), 16);
      return c -> c == code;
    }
    char c = at + 1 < text.length() ? text.charAt(at + 1) : '\\';
    at = Math.min(at + 2, text.length());
    return switch (c) {
      case 'd' -> RegexSamples::isDigit;
      case 'D' -> other -> !isDigit(other);
      case 'w' -> RegexSamples::isWord;
      case 'W' -> other -> !isWord(other);
      case 's' -> other -> " \t\n\f\r".indexOf(other) >= 0;
      case 'S' -> other -> " \t\n\f\r".indexOf(other) < 0;
      case 't' -> other -> other == '\t';
      case 'n' -> other -> other == '\n';
      case 'r' -> other -> other == '\r';
      default -> other -> other == c;
    };
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWord(int c) {
    return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  /** Reads a class in brackets. */
  private List<String> listed() {
    at++;
    boolean negated = next('^');
    at += negated ? 1 : 0;
    IntPredicate all = _ -> false;
    List<String> first = new ArrayList<>();
    for (boolean begin = true; at < text.length() && (begin || !next(']')); begin = false) {
      if (next('\\') || look(NAMED).lookingAt()) {
        all = all.or(escaped());
        continue;
      }
      int low = text.codePointAt(at);
      at += Character.charCount(low);
      int high = low;
      if (next('-') && at + 1 < text.length() && text.charAt(at + 1) != ']') {
        high = text.codePointAt(at + 1);
        at += 1 + Character.charCount(high);
      }
      int last = high;
      all = all.or(c -> c >= low && c <= last);
      first.add(Character.toString(low));
    }
    at = Math.min(at + 1, text.length());
    List<String> out = characters(negated ? all.negate() : all);
    return negated ? out : Combinations.either(List.of(out, first), MOST_CHARACTERS);
  }

  private static List<String> characters(IntPredicate which) {
    return IntStream.concat(USUAL.chars(), IntStream.rangeClosed('\t', '~')).filter(which).distinct()
        .limit(MOST_CHARACTERS).mapToObj(Character::toString).toList();
  }
}

package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;

/**
 * Random globs against the JDK's regular expressions: each glob is written together with the expression that means the
 * same, so that neither our parser nor our state machine is trusted.
 */
class GlobPropertyTest {
  private static final String LETTERS = "abmxyzAZ09.-/!^$()|+&\u00e9\u4e16";
  private static final String SPECIAL = "*?[]{},\\";
  private final Random random = new Random(20_261_122);

  /** A glob and the expression that means the same. */
  private record Pair(String glob, String expression) {
    Pair and(Pair next) {
      return new Pair(glob + next.glob, expression + next.expression);
    }
  }

  @Test
  void matchesWhatAnEquivalentExpressionMatches() {
    int matched = 0;
    for (int i = 0; i < 20_000; i++) {
      char separator = random.nextBoolean() ? '.' : '/';
      Pair pair = sequence(separator, 0);
      Pattern expression = Pattern.compile(pair.expression(), Pattern.DOTALL);
      Glob glob = compiled(pair.glob(), separator);
      for (int j = 0; j < 20; j++) {
        String text = text();
        boolean expected = expression.matcher(text).matches();
        matched += expected ? 1 : 0;
        assertEquals(expected, glob.matches(text), () -> "`" + pair.glob() + "` and `" + text + "`");
      }
    }
    assertTrue(matched > 5_000, "only " + matched + " texts matched");
  }

  @Test
  void negatedRangeMatchesBelowAndAboveIt() {
    Glob glob = compiled("[!m-p]", '.');
    assertEquals(List.of(true, true, false, false, false, true, true, true),
        List.of("A", "l", "m", "n", "p", "q", "\u00e9", ".").stream().map(glob::matches).toList());
  }

  @Test
  void negatedRangeOfOneCharacterExcludesThatOneOnly() {
    Glob glob = compiled("x[!m-m]", '.');
    assertEquals(List.of(true, false, true), List.of("xl", "xm", "xn").stream().map(glob::matches).toList());
  }

  private static Glob compiled(String glob, char separator) {
    return Glob.compile(RuleText.written(glob), separator, new Problems()).orElseThrow(() -> new AssertionError(glob));
  }

  private Pair sequence(char separator, int depth) {
    Pair out = new Pair("", "");
    for (int n = random.nextInt(depth == 0 ? 5 : 3); n >= 0; n--) {
      out = out.and(part(separator, depth));
    }
    return out;
  }

  private Pair part(char separator, int depth) {
    return switch (random.nextInt(depth > 2 ? 8 : 10)) {
      case 0 -> new Pair("**", ".*").and(literal());
      case 1 -> new Pair("*", "[^" + quoted(separator) + "]*").and(literal());
      case 2 -> new Pair("?", "[^" + quoted(separator) + "]");
      case 3 -> range();
      case 4 -> list();
      case 5, 6, 7 -> literal();
      default -> choice(separator, depth + 1);
    };
  }

  private Pair literal() {
    if (random.nextInt(5) == 0) {
      char special = SPECIAL.charAt(random.nextInt(SPECIAL.length()));
      return new Pair("\\" + special, quoted(special));
    }
    char c = letter();
    return new Pair((random.nextInt(8) == 0 ? "\\" : "") + c, quoted(c));
  }

  private Pair range() {
    char one = letter();
    char two = letter();
    char low = (char) Math.min(one, two);
    char high = (char) Math.max(one, two);
    if (low == '!') {
      return literal();
    }
    boolean negated = random.nextBoolean();
    return new Pair("[" + (negated ? "!" : "") + low + "-" + high + "]",
        "[" + (negated ? "^" : "") + quoted(low) + "-" + quoted(high) + "]");
  }

  private Pair list() {
    boolean negated = random.nextBoolean();
    StringBuilder glob = new StringBuilder(negated ? "[!" : "[");
    StringBuilder expression = new StringBuilder(negated ? "[^" : "[");
    for (int n = random.nextInt(3); n >= 0; n--) {
      char c = random.nextInt(4) == 0 ? SPECIAL.charAt(random.nextInt(SPECIAL.length())) : letter();
      if (c == '-' && expression.length() < 3) {
        c = 'q'; // `[\\-a]` is the range from the backslash to `a`, in the Go library too
      }
      glob.append(c == '!' || c == '-' || c == ']' || c == '\\' ? "\\" : "").append(c);
      expression.append(quoted(c));
    }
    return new Pair(glob.append(']').toString(), expression.append(']').toString());
  }

  private Pair choice(char separator, int depth) {
    List<String> globs = new ArrayList<>();
    List<String> expressions = new ArrayList<>();
    for (int n = random.nextInt(3); n >= 0; n--) {
      Pair alternative = random.nextInt(8) == 0 ? new Pair("", "") : sequence(separator, depth);
      globs.add(alternative.glob());
      expressions.add(alternative.expression());
    }
    return new Pair("{" + String.join(",", globs) + "}", "(?:" + String.join("|", expressions) + ")");
  }

  private static String quoted(char c) {
    return Character.isLetterOrDigit(c) ? String.valueOf(c) : "\\" + c;
  }

  private char letter() {
    return LETTERS.charAt(random.nextInt(LETTERS.length()));
  }

  private String text() {
    StringBuilder out = new StringBuilder();
    for (int n = random.nextInt(6); n > 0; n--) {
      out.append(random.nextInt(6) == 0 ? SPECIAL.charAt(random.nextInt(SPECIAL.length())) : letter());
    }
    return out.toString();
  }
}

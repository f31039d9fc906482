package portcullis.lang.expression;

import java.util.List;
import java.util.Random;

/**
 * Generates well-typed expressions over literals and {@code Subject.Attributes}, from a seed. What is inside of a list
 * does not fail, as for cel-tools a list is different from what cannot be computed, where cel-go fails.
 */
final class RandomExpressions {
  private static final int DEPTH = 4;
  private static final String A = "Subject.Attributes.";

  private final Random random;
  private boolean mayFail = true;

  RandomExpressions(long seed) {
    random = new Random(seed);
  }

  String next() {
    return switch (random.nextInt(5)) {
      case 0 -> number(DEPTH);
      case 1 -> string(DEPTH);
      case 2 -> list(DEPTH);
      default -> truth(DEPTH);
    };
  }

  private String one(String... options) {
    return options[random.nextInt(options.length)];
  }

  private String truth(int depth) {
    if (depth == 0) {
      return one("true", "false", A + "admin", "has(" + A + "none)", "has(" + A + "age)");
    }
    int next = depth - 1;
    return switch (random.nextInt(12)) {
      case 0 -> "(" + truth(next) + " && " + truth(next) + ")";
      case 1 -> "(" + truth(next) + " || " + truth(next) + ")";
      case 2 -> "!" + truth(next);
      case 3 -> "(" + number(next) + one(" < ", " <= ", " > ", " >= ", " == ", " != ") + number(next) + ")";
      case 4 -> "(" + string(next) + one(" < ", " <= ", " > ", " >= ", " == ", " != ") + string(next) + ")";
      case 5 -> string(next) + one(".startsWith(", ".endsWith(", ".contains(") + string(next) + ")";
      case 6 -> string(next) + ".matches(" + one("'^a'", "'[0-9]+'", "'dev|ops'", "'.'", "'x$'") + ")";
      case 7 -> "(" + string(next) + " in " + list(next) + ")";
      case 8 -> list(next) + one(".exists(", ".all(", ".exists_one(") + "s, s" + one(" == ", " != ", " < ")
          + string(next) + ")";
      case 9 -> "(" + list(next) + one(" == ", " != ") + list(next) + ")";
      case 10 -> "(" + truth(next) + " ? " + truth(next) + " : " + truth(next) + ")";
      default -> "(" + string(next) + " in {" + string(next) + ": " + number(next) + "})";
    };
  }

  private String number(int depth) {
    if (!mayFail) {
      return depth == 0 ? one("0", "1", "-1", "7") : "size(" + string(depth - 1) + ")";
    }
    if (depth == 0) {
      return one("0", "1", "-1", "7", "9223372036854775807", "-9223372036854775808", A + "count", A + "missing");
    }
    int next = depth - 1;
    return switch (random.nextInt(9)) {
      case 0 -> "(" + number(next) + one(" + ", " - ", " * ", " / ", " % ") + number(next) + ")";
      case 1 -> "size(" + string(next) + ")";
      case 2 -> list(next) + ".size()";
      case 3 -> "int(" + string(next) + ")";
      case 4 -> "(" + truth(next) + " ? " + number(next) + " : " + number(next) + ")";
      case 5 -> "-(" + number(next) + ")";
      case 6 -> "{'a': " + number(next) + ", 'b': " + number(next) + "}" + one(".a", ".b", ".c", "['a']");
      case 7 -> "[" + number(next) + ", " + number(next) + "][" + one("0", "1", "2", "-1") + "]";
      default -> number(0);
    };
  }

  private String string(int depth) {
    if (depth == 0) {
      return one("''", "'a'", "'dev'", "'1'", "'é🌍'", "'\\n'", A + "name", "\"x\"", "r'\\d'",
          mayFail ? A + "missing" : "'-'");
    }
    int next = depth - 1;
    return switch (random.nextInt(6)) {
      case 0 -> "(" + string(next) + " + " + string(next) + ")";
      case 1 -> "string(" + number(next) + ")";
      case 2 -> mayFail ? list(next) + "[" + one("0", "1", "5") + "]" : string(0);
      case 3 -> "(" + truth(next) + " ? " + string(next) + " : " + string(next) + ")";
      case 4 -> "string(" + truth(next) + ")";
      default -> string(0);
    };
  }

  private String list(int depth) {
    boolean before = mayFail;
    mayFail = false;
    String list = sound(depth);
    mayFail = before;
    return list;
  }

  private String sound(int depth) {
    if (depth == 0) {
      return one("['a', 'dev']", "[" + A + "name]", A + "groups", "['']");
    }
    int next = depth - 1;
    return switch (random.nextInt(5)) {
      case 0 -> "(" + list(next) + " + " + list(next) + ")";
      case 1 -> "[" + String.join(", ", List.of(string(next), string(next))) + "]";
      case 2 -> list(next) + ".filter(s, s" + one(" == ", " != ", " > ") + string(next) + ")";
      case 3 -> list(next) + ".map(s, s + " + string(next) + ")";
      default -> list(0);
    };
  }
}

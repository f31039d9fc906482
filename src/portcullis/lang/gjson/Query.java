package portcullis.lang.gjson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A question to the elements of a list, {@code #(path op value)}.
 *
 * @param operator empty where only existence is asked for
 * @param all whether every element is meant that fits, not only the first: {@code #(…)#}
 * @param end the offset behind it in its path
 */
record Query(String path, String operator, String value, boolean all, int end) {
  /** One that has no end. */
  static final Query BAD = new Query("", "", "", false, 0);

  private static final String OPERATORS = "!=<>%";
  private static final Set<String> TRUTHS = Set.of("~*", "~null", "~true", "~false");

  static Optional<Query> parse(String text) {
    int operator = 0;
    boolean escaped = false;
    int depth = 1;
    int i = 2;
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      if (depth == 1 && operator == 0 && OPERATORS.indexOf(c) >= 0) {
        operator = i;
      } else if (c == '\\') {
        i++;
      } else if (c == '[' || c == '(') {
        depth++;
      } else if (c == ']' || c == ')') {
        if (--depth == 0) {
          break;
        }
      } else if (c == '"') {
        int end = RawJson.endOfString(text, i + 1);
        escaped |= text.substring(i, end < 0 ? text.length() : end).indexOf('\\') >= 0;
        i = end < 0 ? text.length() : end - 1;
      }
    }
    if (depth > 0) {
      return Optional.empty();
    }
    boolean all = text.startsWith("#", i + 1);
    return Optional.of(operator == 0 ? new Query(trimmed(text.substring(2, i)), "", "", all, i + 1)
        : compared(text, operator, i, escaped, all));
  }

  private static Query compared(String text, int operator, int end, boolean escaped, boolean all) {
    String right = trimmed(text.substring(operator, end));
    boolean two = right.startsWith("!=") || right.startsWith("!%") || right.startsWith("<=") || right.startsWith(">=");
    // a sign of exclamation alone is none
    int size = right.length() == 1 ? 1 : two ? 2 : right.startsWith("==") ? 2 : right.charAt(0) == '!' ? 0 : 1;
    String value = trimmed(right.substring(size));
    if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
      String content = value.substring(1, value.length() - 1);
      value = escaped ? RawJson.unescaped(content) : content;
    }
    String sign = right.substring(0, size);
    return new Query(trimmed(text.substring(2, operator)), sign.equals("==") ? "=" : sign, value, all, end + 1);
  }

  private static String trimmed(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) <= ' ') {
      from++;
    }
    while (to > from && text.charAt(to - 1) <= ' ') {
      to--;
    }
    return text.substring(from, to);
  }

  /** Whether what the path found in an element fits. */
  boolean fits(GjsonResult found) {
    if (value.startsWith("~")) {
      return fitsTruth(found);
    }
    return found.exists() && (operator.isEmpty() || compares(found, value));
  }

  /** {@code ~true} and its like ask whether the value counts as such. */
  private boolean fitsTruth(GjsonResult found) {
    boolean is = switch (value.substring(1)) {
      case "*" -> found.exists();
      case "null" -> found.kind() == GjsonResult.Kind.NULL;
      case "true" -> found.isTrue();
      case "false" -> isFalse(found);
      default -> false;
    };
    boolean known = TRUTHS.contains(value);
    GjsonResult truth = GjsonResult.of(is ? GjsonResult.Kind.TRUE : GjsonResult.Kind.FALSE, "");
    return known && (operator.isEmpty() || compares(truth, "true"));
  }

  private static boolean isFalse(GjsonResult found) {
    return switch (found.kind()) {
      case NULL, FALSE -> true;
      case STRING -> Digits.isFalse(found.string());
      case NUMBER -> found.number() == 0;
      case TRUE, JSON -> false;
    };
  }

  private boolean compares(GjsonResult found, String wanted) {
    return switch (found.kind()) {
      case STRING -> texts(found.string(), wanted);
      case NUMBER -> numbers(found.number(), Digits.number(wanted));
      case TRUE -> switch (operator) {
        case "=" -> wanted.equals("true");
        case "!=" -> !wanted.equals("true");
        case ">" -> wanted.equals("false");
        case ">=" -> true;
        default -> false;
      };
      case FALSE -> switch (operator) {
        case "=" -> wanted.equals("false");
        case "!=" -> !wanted.equals("false");
        case "<" -> wanted.equals("true");
        case "<=" -> true;
        default -> false;
      };
      case NULL, JSON -> false;
    };
  }

  private boolean texts(String found, String wanted) {
    return switch (operator) {
      case "=" -> found.equals(wanted);
      case "!=" -> !found.equals(wanted);
      case "%" -> Wildcard.matches(found, wanted);
      case "!%" -> !Wildcard.matches(found, wanted);
      default -> ordered(Arrays.compareUnsigned(
          found.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8)));
    };
  }

  private boolean ordered(int comparison) {
    return switch (operator) {
      case "<" -> comparison < 0;
      case "<=" -> comparison <= 0;
      case ">" -> comparison > 0;
      case ">=" -> comparison >= 0;
      default -> false;
    };
  }

  private boolean numbers(double found, double wanted) {
    return switch (operator) {
      case "=" -> found == wanted;
      case "!=" -> found != wanted;
      case "<" -> found < wanted;
      case "<=" -> found <= wanted;
      case ">" -> found > wanted;
      case ">=" -> found >= wanted;
      default -> false;
    };
  }
}

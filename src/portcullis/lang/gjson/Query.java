package portcullis.lang.gjson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.lang.value.Value;

/**
 * A condition on the elements of an array, {@code #(path op value)}.
 *
 * @param operator empty if the path only has to find something
 * @param all whether every element that fits is selected, {@code #(…)#}, not only the first
 * @param end the offset behind the query in its path
 */
record Query(String path, String operator, String value, boolean all, int end) {
  /** Replaces a query without a closing bracket; it only accepts what has an empty name. */
  static final Query UNCLOSED = new Query("", "", "", false, 0);

  private static final String OPERATORS = "!=<>%";
  private static final Pattern UNESCAPABLE = Pattern
      .compile("(?:[^\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+");
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
        int end = PathSyntax.endOfString(text, i + 1);
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
    // an exclamation mark alone is no operator
    int size = right.length() == 1 ? 1 : two ? 2 : right.startsWith("==") ? 2 : right.charAt(0) == '!' ? 0 : 1;
    String value = trimmed(right.substring(size));
    if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
      String content = value.substring(1, value.length() - 1);
      value = escaped ? unescaped(content) : content;
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

  /** Decodes the content of a JSON string up to its first invalid character. */
  private static String unescaped(String content) {
    Matcher valid = UNESCAPABLE.matcher(content);
    return valid.lookingAt() ? DocumentStep.json('"' + valid.group() + '"').map(GjsonPath::text).orElse("") : "";
  }

  /** Returns whether the element meets the condition. */
  boolean accepts(Value element, Evaluation evaluation) {
    boolean container = element instanceof Value.Array || element instanceof Value.Dict;
    if (!container && !path.isEmpty()) {
      return false;
    }
    Optional<Value> found = container ? evaluation.find(element, path) : Optional.of(element);
    if (value.startsWith("~")) {
      return acceptsTruth(found);
    }
    return found.filter(f -> operator.isEmpty() || compare(f, value)).isPresent();
  }

  /** Compares how the value reads as a boolean, for {@code ~true} and the like. */
  private boolean acceptsTruth(Optional<Value> found) {
    boolean is = switch (value) {
      case "~*" -> found.isPresent();
      case "~null" -> found.isEmpty() || found.get() instanceof Value.Null;
      case "~true" -> found.filter(GjsonPath::isTrue).isPresent();
      case "~false" -> found.isEmpty() || isFalse(found.get());
      default -> false;
    };
    return TRUTHS.contains(value) && (operator.isEmpty() || compare(Value.of(is), "true"));
  }

  private static boolean isFalse(Value found) {
    return switch (found) {
      case Value.Null _ -> true;
      case Value.Str text -> GoScalars.isFalse(text.value());
      case Value.Bool _, Value.Int _, Value.Float _ -> !GjsonPath.isTrue(found);
      default -> false;
    };
  }

  private boolean compare(Value found, String wanted) {
    return switch (found) {
      case Value.Str text -> compare(text.value(), wanted);
      case Value.Int number -> compare(number.value(), GoScalars.number(wanted));
      case Value.Float number -> compare(number.value(), GoScalars.number(wanted));
      case Value.Bool bool -> compare(bool.value(), wanted);
      default -> false;
    };
  }

  private boolean compare(boolean found, String wanted) {
    String own = Boolean.toString(found);
    String other = Boolean.toString(!found);
    return switch (operator) {
      case "=" -> wanted.equals(own);
      case "!=" -> !wanted.equals(own);
      case ">" -> found && wanted.equals(other);
      case ">=" -> found;
      case "<" -> !found && wanted.equals(other);
      case "<=" -> !found;
      default -> false;
    };
  }

  private boolean compare(String found, String wanted) {
    return switch (operator) {
      case "=" -> found.equals(wanted);
      case "!=" -> !found.equals(wanted);
      case "%" -> Wildcard.matches(found, wanted);
      case "!%" -> !Wildcard.matches(found, wanted);
      default -> ordered(Arrays.compareUnsigned(found.getBytes(StandardCharsets.UTF_8),
          wanted.getBytes(StandardCharsets.UTF_8)));
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

  private boolean compare(double found, double wanted) {
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

package portcullis.config;

import java.util.Locale;
import java.util.Optional;

/** What plain scalars mean by the core schema (YAML 1.2, 10.3.2). */
final class Scalars {
  private Scalars() {}

  static Node.Meaning meaning(String plain) {
    return switch (plain) {
      case "", "~", "null", "Null", "NULL" -> Node.Meaning.NULL;
      case "true", "True", "TRUE", "false", "False", "FALSE" -> Node.Meaning.BOOL;
      default -> number(plain);
    };
  }

  private static Node.Meaning number(String plain) {
    char first = plain.charAt(0);
    if (!(first >= '0' && first <= '9') && first != '-' && first != '+' && first != '.') {
      return Node.Meaning.TEXT;
    }
    if (integer(plain).isPresent()) {
      return Node.Meaning.INT;
    }
    return isFloat(plain) ? Node.Meaning.FLOAT : Node.Meaning.TEXT;
  }

  /** Returns what a variable means by a truth value. */
  static Optional<Boolean> flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> Optional.of(true);
      case "false", "0" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  /** {@code [-+]? [0-9]+ | 0o [0-7]+ | 0x [0-9a-fA-F]+}, within 64 bits. */
  static Optional<Long> integer(String plain) {
    try {
      if (plain.startsWith("0x")) {
        return Optional.of(Long.parseUnsignedLong(plain, 2, plain.length(), 16));
      }
      if (plain.startsWith("0o")) {
        return Optional.of(Long.parseUnsignedLong(plain, 2, plain.length(), 8));
      }
      return Optional.of(Long.parseLong(plain));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** {@code [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? | [-+]? \.inf | \.nan}. */
  private static boolean isFloat(String plain) {
    int at = plain.startsWith("-") || plain.startsWith("+") ? 1 : 0;
    String rest = plain.substring(at);
    if (rest.equalsIgnoreCase(".inf") || at == 0 && rest.equalsIgnoreCase(".nan")) {
      return true;
    }
    int before = digits(rest, 0);
    boolean point = before < rest.length() && rest.charAt(before) == '.';
    int after = point ? digits(rest, before + 1) : before;
    if (before == 0 && after <= 1) {
      return false;
    }
    if (after < rest.length() && (rest.charAt(after) == 'e' || rest.charAt(after) == 'E')) {
      int sign = after + 1 < rest.length() && "+-".indexOf(rest.charAt(after + 1)) >= 0 ? 1 : 0;
      int power = digits(rest, after + 1 + sign);
      return power > after + 1 + sign && power == rest.length();
    }
    return after == rest.length();
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}

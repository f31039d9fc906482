package portcullis.config;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** The operators of {@code ${NAME…}}: how a variable's value is changed. */
final class VariableOperators {
  private VariableOperators() {}

  static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the first letter or, by a doubled operator, all of them in upper ({@code ^}) or lower ({@code ,}) case. */
  static String cased(String value, String operator) {
    IntUnaryOperator change = operator.startsWith("^") ? Character::toUpperCase : Character::toLowerCase;
    return switch (operator) {
      case "^^", ",," -> value.codePoints().map(change).collect(StringBuilder::new, StringBuilder::appendCodePoint,
          StringBuilder::append).toString();
      case "^", "," -> value.isEmpty() ? value
          : Character.toString(change.applyAsInt(value.codePointAt(0)))
              + value.substring(value.offsetByCodePoints(0, 1));
      default -> value;
    };
  }

  /**
   * The bytes from an offset on, which counts from the end if it is negative. The whole value where offset or length is
   * not a number; empty where a character would be cut in two or the length is negative.
   */
  static Optional<String> part(String value, String offset, Optional<String> length) {
    Optional<Long> from = number(offset);
    Optional<Long> count = length.isEmpty() ? Optional.of(Long.MAX_VALUE) : number(length.get());
    if (from.isEmpty() || count.isEmpty()) {
      return Optional.of(value);
    }
    byte[] bytes = bytes(value);
    long begin = from.get() < 0 ? Math.max(0, bytes.length + from.get()) : Math.min(from.get(), bytes.length);
    if (begin < bytes.length && count.get() < 0) {
      return Optional.empty();
    }
    long size = Math.clamp(count.get(), 0, bytes.length - begin);
    try {
      return Optional
          .of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, (int) begin, (int) size)).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  /** {@code [-+]? [0-9]+} within 64 bits. */
  private static Optional<Long> number(String text) {
    try {
      return text.chars().allMatch(c -> c < 0x80) ? Optional.of(Long.parseLong(text)) : Optional.empty();
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /**
   * Returns the value without the shortest or, by a doubled operator, the longest beginning ({@code #}) or ending
   * ({@code %}) that fits the pattern, of one character at least.
   */
  static String trimmed(String value, String operator, String pattern) {
    boolean longest = operator.length() == 2;
    if (operator.startsWith("#")) {
      return value.substring(ShellPattern.of(pattern).fit(value, longest));
    }
    // the reference turns both around, so that classes and escapes fit nothing at the end
    String turned = turned(value);
    return turned(turned.substring(ShellPattern.of(turned(pattern)).fit(turned, longest)));
  }

  private static String turned(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /**
   * Replaces the first occurrence, all ({@code //}), the one at the beginning ({@code /#}) or at the end
   * ({@code /%}). The latter two change nothing where there is no new text.
   */
  static String replaced(String value, String operator, String old, Optional<String> with) {
    String text = with.orElse("");
    return switch (operator) {
      case "//" -> value.replace(old, text);
      case "/#" -> with.isPresent() && value.startsWith(old) ? text + value.substring(old.length()) : value;
      case "/%" ->
        with.isPresent() && value.endsWith(old) ? value.substring(0, value.length() - old.length()) + text : value;
      default -> {
        int at = value.indexOf(old);
        yield at < 0 ? value : value.substring(0, at) + text + value.substring(at + old.length());
      }
    };
  }
}

package portcullis.lang.template;

import java.math.BigInteger;
import portcullis.lang.value.ValueException;

/**
 * Scans the parts of versions by the grammar of semver.org 2.0.0, where minor and patch are optional and the
 * numbers of the core may begin with 0. Takes linear time. For one thread.
 */
final class VersionScanner {
  private static final String BLANKS = " \t\n\f\r";
  private static final int PARTS = 3;

  private final String text;
  private int at;

  VersionScanner(String text) {
    this.text = text;
  }

  /**
   * The numbers of a version, 0 for a missing one.
   *
   * @param given the number of them before the first missing one or placeholder
   */
  record Core(long major, long minor, long patch, int given) {}

  /** Consumes the token if it comes next. */
  boolean take(String token) {
    boolean taken = isNext(token);
    at += taken ? token.length() : 0;
    return taken;
  }

  boolean isNext(String token) {
    return text.startsWith(token, at);
  }

  boolean isAtEnd() {
    return at == text.length();
  }

  /** Consumes blanks and returns whether there were any. */
  boolean skipBlanks() {
    int start = at;
    while (!isAtEnd() && BLANKS.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at > start;
  }

  /** Consumes a dash that stands between blanks, with them; nothing if there is none. */
  boolean takeDash() {
    int start = at;
    boolean taken = skipBlanks() && take("-") && skipBlanks();
    at = taken ? at : start;
    return taken;
  }

  /** Reads {@code major[.minor[.patch]]} after an optional {@code v}. */
  Core core() throws ValueException {
    return core(false);
  }

  /** Reads a core that may have {@code x}, {@code X} or {@code *} for a number; what follows is ignored. */
  Core coreWithPlaceholders() throws ValueException {
    return core(true);
  }

  private Core core(boolean placeholders) throws ValueException {
    take("v");
    long[] numbers = new long[PARTS];
    int given = 0;
    boolean open = false;
    for (int i = 0; i < PARTS && (i == 0 || take(".")); i++) {
      if (placeholders && (take("x") || take("X") || take("*"))) {
        open = true;
        continue;
      }
      long number = number();
      if (!open) {
        numbers[given++] = number;
      }
    }
    return new Core(numbers[0], numbers[1], numbers[2], given);
  }

  /** Returns the identifiers after {@code -}, or an empty string. Numeric ones do not begin with 0. */
  String prerelease() throws ValueException {
    if (!take("-")) {
      return "";
    }
    String identifiers = identifiers();
    for (String one : identifiers.split("\\.")) {
      if (one.length() > 1 && one.startsWith("0") && one.chars().allMatch(VersionScanner::isDigit)) {
        throw new ValueException("a number of the prerelease begins with 0");
      }
    }
    return identifiers;
  }

  /** Returns the identifiers after {@code +}, or an empty string. */
  String metadata() throws ValueException {
    return take("+") ? identifiers() : "";
  }

  /** Fails unless everything is consumed. */
  void end() throws ValueException {
    if (!isAtEnd()) {
      throw unexpected();
    }
  }

  private String identifiers() throws ValueException {
    int start = at;
    do {
      int begin = at;
      while (!isAtEnd() && isOfIdentifier(text.charAt(at))) {
        at++;
      }
      if (at == begin) {
        throw unexpected();
      }
    } while (take("."));
    return text.substring(start, at);
  }

  private long number() throws ValueException {
    int start = at;
    while (!isAtEnd() && isDigit(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw unexpected();
    }
    BigInteger number = new BigInteger(text.substring(start, at));
    if (number.bitLength() >= Long.SIZE) {
      throw new ValueException("a number of the version is too large");
    }
    return number.longValue();
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isOfIdentifier(char c) {
    return isDigit(c) || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-';
  }

  private ValueException unexpected() {
    return new ValueException(isAtEnd() ? "the version ends too early, write it as `1.2.3-rc.1+build`"
        : "unexpected character at position " + (at + 1) + " of the version, write it as `1.2.3-rc.1+build`");
  }
}

package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Implements the functions of strings; positions and sizes count code points. */
final class Strings {
  private Strings() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "contains" -> Optional.of(a -> Val.of(searched(a).contains(a.text(1))));
      case "startsWith" -> Optional.of(a -> Val.of(a.text(0).startsWith(a.text(1))));
      case "endsWith" -> Optional.of(a -> Val.of(a.text(0).endsWith(a.text(1))));
      case "charAt" -> Optional.of(Strings::charAt);
      case "indexOf" -> Optional.of(Strings::indexOf);
      case "lastIndexOf" -> Optional.of(Strings::lastIndexOf);
      case "join" -> Optional.of(Strings::join);
      case "lowerAscii" -> Optional.of(a -> Val.of(mapped(searched(a), 'A', 'Z', 32)));
      case "upperAscii" -> Optional.of(a -> Val.of(mapped(searched(a), 'a', 'z', -32)));
      case "replace" -> Optional.of(Strings::replace);
      case "split" -> Optional.of(Strings::split);
      case "substring" -> Optional.of(Strings::substring);
      case "trim" -> Optional.of(a -> Val.of(trim(searched(a))));
      case "strings.quote" -> Optional.of(a -> Val.of(quote(searched(a))));
      default -> Optional.empty();
    };
  }

  /** Returns the first argument and charges for its characters. */
  private static String searched(Arguments a) throws EvaluationFailure {
    String text = a.text(0);
    a.meter().chargeText(text.length());
    return text;
  }

  static int size(String text) {
    return text.codePointCount(0, text.length());
  }

  private static int position(long position, int size) throws EvaluationFailure {
    if (position < 0 || position > size) {
      throw new EvaluationFailure("no position " + position + " in a string of " + size);
    }
    return (int) position;
  }

  private static Val charAt(Arguments a) throws EvaluationFailure {
    String text = searched(a);
    int size = size(text);
    int position = position(a.whole(1), size);
    int at = text.offsetByCodePoints(0, position);
    return position == size ? Val.EMPTY : Val.of(Character.toString(text.codePointAt(at)));
  }

  private static Val indexOf(Arguments a) throws EvaluationFailure {
    String text = searched(a);
    int from = a.count() == 2 ? 0 : offset(a, text);
    int at = text.indexOf(a.text(1), text.offsetByCodePoints(0, from));
    return new Val.Int(at < 0 ? -1 : text.codePointCount(0, at));
  }

  private static Val lastIndexOf(Arguments a) throws EvaluationFailure {
    String text = searched(a);
    int size = size(text);
    int from = a.count() == 2 ? size : offset(a, text);
    boolean beyond = a.count() == 3 && a.whole(2) >= size && !a.text(1).isEmpty();
    int at = beyond ? -1 : text.lastIndexOf(a.text(1), text.offsetByCodePoints(0, from));
    return new Val.Int(at < 0 ? -1 : text.codePointCount(0, at));
  }

  /** Returns the position to search from, which may lie beyond the end, where nothing is found. */
  private static int offset(Arguments a, String text) throws EvaluationFailure {
    long offset = a.whole(2);
    if (offset < 0) {
      throw new EvaluationFailure("no position " + offset + " in a string");
    }
    return (int) Math.min(offset, size(text));
  }

  private static Val join(Arguments a) throws EvaluationFailure {
    String separator = a.count() == 1 ? "" : a.text(1);
    StringBuilder out = new StringBuilder();
    String before = "";
    for (Val item : a.list(0)) {
      if (!(item instanceof Val.Text text)) {
        throw new EvaluationFailure("`join` takes strings, not " + item.type());
      }
      a.meter().chargeText((long) text.value().length() + separator.length());
      out.append(before).append(text.value());
      before = separator;
    }
    return Val.of(out.toString());
  }

  private static String mapped(String text, char from, char to, int by) {
    StringBuilder out = new StringBuilder(text.length());
    text.chars().forEach(c -> out.append((char) (c >= from && c <= to ? c + by : c)));
    return out.toString();
  }

  /** Replaces like Go's {@code strings.Replace}: an empty string matches before each character and at the end. */
  private static Val replace(Arguments a) throws EvaluationFailure {
    String text = searched(a);
    String old = a.text(1);
    String by = a.text(2);
    long times = a.count() == 3 ? -1 : a.whole(3);
    StringBuilder out = new StringBuilder();
    int copied = 0;
    for (long n = 0; n != times && copied <= text.length(); n++) {
      int at = old.isEmpty() ? n == 0 ? 0 : next(text, copied) : text.indexOf(old, copied);
      if (at < 0) {
        break;
      }
      a.meter().chargeText(by.length());
      out.append(text, copied, at).append(by);
      copied = at + old.length();
    }
    return Val.of(out.append(text, copied, text.length()).toString());
  }

  /** Returns the offset after the character at {@code at}; -1 if there is none. */
  private static int next(String text, int at) {
    return at == text.length() ? -1 : at + Character.charCount(text.codePointAt(at));
  }

  /** Splits like Go's {@code strings.SplitN}: at most so many parts, none for 0, all for a negative number. */
  private static Val split(Arguments a) throws EvaluationFailure {
    String text = searched(a);
    String separator = a.text(1);
    long most = a.count() == 2 ? -1 : a.whole(2);
    List<Val> parts = new ArrayList<>();
    int start = 0;
    while (parts.size() + 1 != most && most != 0) {
      int end = separator.isEmpty() ? next(text, start) : text.indexOf(separator, start);
      if (end < 0 || separator.isEmpty() && end == text.length()) {
        break;
      }
      a.meter().charge(1);
      parts.add(Val.of(text.substring(start, end)));
      start = end + separator.length();
    }
    if (most != 0 && !(separator.isEmpty() && text.isEmpty())) {
      parts.add(Val.of(text.substring(start)));
    }
    return new Val.Items(parts);
  }

  private static Val substring(Arguments a) throws EvaluationFailure {
    String text = searched(a);
    int size = size(text);
    int from = position(a.whole(1), size);
    int to = a.count() == 2 ? size : position(a.whole(2), size);
    if (from > to) {
      throw new EvaluationFailure("no part from " + from + " to " + to + " of a string");
    }
    int start = text.offsetByCodePoints(0, from);
    return Val.of(text.substring(start, text.offsetByCodePoints(start, to - from)));
  }

  private static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  /** Unicode's White_Space. */
  private static boolean isSpace(char c) {
    return c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 || c == 0xa0 || c == 0x1680 || c >= 0x2000 && c <= 0x200a
        || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
  }

  /** Returns the string in double quotes, with escapes for quotes, backslashes and control characters that have one. */
  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.chars().forEach(c -> {
      int escape = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
      out.append(escape < 0 ? Character.toString((char) c) : "\\" + "abfnrtv\\\"".charAt(escape));
    });
    return out.append('"').toString();
  }
}

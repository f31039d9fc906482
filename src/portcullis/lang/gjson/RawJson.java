package portcullis.lang.gjson;

import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Finds the ends of things in a JSON text that need not be well formed. */
final class RawJson {
  private RawJson() {}

  /** The offset behind the text whose quote stands before {@code from}; -1 if it has no end. */
  static int endOfString(String json, int from) {
    for (int i = from; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        return i + 1;
      }
    }
    return -1;
  }

  /**
   * The offset behind the brackets that begin at {@code from}, whatever stands there; the end if they are not closed,
   * and one more if a text in them is not.
   */
  static int endOfBrackets(String json, int from) {
    int depth = 1;
    for (int i = from + 1; i < json.length(); i++) {
      switch (json.charAt(i)) {
        case '"' -> {
          int end = endOfString(json, i + 1);
          if (end < 0) {
            return json.length() + 1;
          }
          i = end - 1;
        }
        case '{', '[', '(' -> depth++;
        case '}', ']', ')' -> {
          if (--depth == 0) {
            return i + 1;
          }
        }
        default -> {
        }
      }
    }
    return json.length();
  }

  /** The offset behind the brackets or the text that begin at {@code from}. */
  static int endOfBlock(String json, int from) {
    if (json.charAt(from) != '"') {
      return Math.min(json.length(), endOfBrackets(json, from));
    }
    int end = endOfString(json, from + 1);
    return end < 0 ? json.length() : end;
  }

  static int endOfNumber(String json, int from) {
    int i = from + 1;
    while (i < json.length() && json.charAt(i) > ' ' && ",]}".indexOf(json.charAt(i)) < 0) {
      i++;
    }
    return i;
  }

  static int endOfWord(String json, int from) {
    int i = from + 1;
    while (i < json.length() && json.charAt(i) >= 'a' && json.charAt(i) <= 'z') {
      i++;
    }
    return i;
  }

  /** Whether a number begins there; gjson takes {@code nan}, {@code inf} and their like for numbers. */
  static boolean isNumber(String json, int at) {
    char c = json.charAt(at);
    return c >= '0' && c <= '9' || "+-iIN".indexOf(c) >= 0
        || c == 'n' && at + 1 < json.length() && json.charAt(at + 1) != 'u';
  }

  static boolean isWord(char c) {
    return c == 't' || c == 'f' || c == 'n';
  }

  /** The value between the two offsets; a text's last quote may be missing. */
  static GjsonResult value(String json, int from, int to) {
    String raw = json.substring(from, Math.min(json.length(), to));
    return switch (raw.charAt(0)) {
      case '{', '[' -> GjsonResult.of(GjsonResult.Kind.JSON, raw);
      case '"' -> new GjsonResult(GjsonResult.Kind.STRING, raw,
          unescaped(raw.substring(1, endOfString(raw, 1) < 0 ? raw.length() : raw.length() - 1)));
      default -> GjsonResult.of(isNumber(json, from) ? GjsonResult.Kind.NUMBER : switch (raw.charAt(0)) {
        case 't' -> GjsonResult.Kind.TRUE;
        case 'f' -> GjsonResult.Kind.FALSE;
        default -> GjsonResult.Kind.NULL;
      }, raw);
    };
  }

  /** The content of a text, up to the first character that may not be there. */
  static String unescaped(String content) {
    if (content.indexOf('\\') < 0) {
      return content;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      if (c < ' ') {
        break;
      }
      if (c != '\\') {
        out.append(c);
        continue;
      }
      if (++i == content.length()) {
        break;
      }
      int plain = "\\/bfnrt\"".indexOf(content.charAt(i));
      if (plain >= 0) {
        out.append("\\/\b\f\n\r\t\"".charAt(plain));
      } else if (content.charAt(i) == 'u' && i + 5 <= content.length()) {
        i = appendCode(content, i + 1, out);
      } else {
        break;
      }
    }
    return out.toString();
  }

  /**
   * Appends the character of the four digits at {@code at}, with the other half if there is one; the last offset read.
   */
  private static int appendCode(String content, int at, StringBuilder out) {
    int code = code(content, at);
    if (!Character.isSurrogate((char) code)) {
      out.append((char) code);
      return at + 3;
    }
    if (at + 10 > content.length() || !content.startsWith("\\u", at + 4)) {
      out.append('\ufffd');
      return at + 3;
    }
    int low = code(content, at + 6);
    boolean pair = Character.isHighSurrogate((char) code) && Character.isLowSurrogate((char) low);
    out.appendCodePoint(pair ? Character.toCodePoint((char) code, (char) low) : '\ufffd');
    return at + 9;
  }

  private static int code(String content, int at) {
    int code = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = content.charAt(i) < 128 ? Character.digit(content.charAt(i), 16) : -1;
      if (digit < 0) {
        return 0;
      }
      code = code * 16 + digit;
    }
    return code;
  }

  /** The text as JSON, with {@code < > &} escaped. */
  static String quoted(String text) {
    return JsonText.of(Value.of(text));
  }
}

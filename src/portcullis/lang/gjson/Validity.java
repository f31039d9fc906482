package portcullis.lang.gjson;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a text is one well-formed JSON value (RFC 8259), however deep and of whatever numbers. For one text. */
final class Validity {
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?+([eE][+-]?[0-9]++)?+");
  private static final int DEEPEST = 1_000;

  private final String json;
  private int at;

  private Validity(String json) {
    this.json = json;
  }

  static boolean isValid(String json) {
    Validity validity = new Validity(json);
    boolean value = validity.value(0);
    validity.skipBlanks();
    return value && validity.at == json.length();
  }

  private void skipBlanks() {
    while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean accept(String token) {
    boolean there = json.startsWith(token, at);
    at += there ? token.length() : 0;
    return there;
  }

  private boolean value(int depth) {
    skipBlanks();
    if (at == json.length() || depth > DEEPEST) {
      return false;
    }
    return switch (json.charAt(at)) {
      case '{' -> members("}", true, depth);
      case '[' -> members("]", false, depth);
      case '"' -> string();
      case 't' -> accept("true");
      case 'f' -> accept("false");
      case 'n' -> accept("null");
      default -> number();
    };
  }

  private boolean members(String close, boolean named, int depth) {
    at++;
    skipBlanks();
    if (accept(close)) {
      return true;
    }
    do {
      skipBlanks();
      if (named && !name() || !value(depth + 1)) {
        return false;
      }
      skipBlanks();
    } while (accept(","));
    return accept(close);
  }

  private boolean name() {
    if (at == json.length() || json.charAt(at) != '"' || !string()) {
      return false;
    }
    skipBlanks();
    return accept(":");
  }

  private boolean string() {
    for (at++; at < json.length() && json.charAt(at) >= ' '; at++) {
      if (json.charAt(at) == '"') {
        at++;
        return true;
      }
      if (json.charAt(at) == '\\') {
        at++;
        if (at == json.length() || "\"\\/bfnrt".indexOf(json.charAt(at)) < 0 && !code()) {
          return false;
        }
      }
    }
    return false;
  }

  private boolean code() {
    boolean is = at + 5 <= json.length() && json.substring(at, at + 5).matches("u[0-9a-fA-F]{4}");
    at += is ? 4 : 0;
    return is;
  }

  private boolean number() {
    Matcher number = NUMBER.matcher(json).region(at, json.length());
    boolean is = number.lookingAt();
    at = is ? number.end() : at;
    return is;
  }
}

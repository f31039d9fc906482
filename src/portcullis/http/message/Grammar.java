package portcullis.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The grammar that all fields share: tokens, values, lists and quoted strings (RFC 9110, 5.5 and 5.6). On the wire a
 * value is bytes, written as characters 0 to 255; templates and expressions see strings.
 */
public final class Grammar {
  private static final boolean[] TOKEN = tokenCharacters();

  private Grammar() {}

  private static boolean[] tokenCharacters() {
    boolean[] out = new boolean[256];
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".chars().forEach(c -> out[c] = true);
    return out;
  }

  /** {@code token = 1*tchar} (RFC 9110, 5.6.2). */
  public static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isTokenCharacter(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  static boolean isTokenCharacter(char c) {
    return c < 256 && TOKEN[c];
  }

  /**
   * Returns whether it can be written as it stands: bytes, of them no controls but tabs, no blanks around (RFC 9110,
   * 5.5).
   */
  public static boolean isFieldValue(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
        return false;
      }
    }
    return value.isEmpty() || !isBlank(value.charAt(0)) && !isBlank(value.charAt(value.length() - 1));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** Returns the value without surrounding blanks and tabs (RFC 9110, 5.6.3). */
  public static String trimmed(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (from < to && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  /**
   * Returns the elements of a list except empty ones, trimmed; a comma inside a quoted string does not separate (RFC
   * 9110, 5.6.1).
   */
  public static List<String> list(String value) {
    return parts(value, ',');
  }

  static List<String> parts(String value, char separator) {
    if (value.indexOf(separator) < 0) {
      String only = trimmed(value);
      return only.isEmpty() ? List.of() : List.of(only);
    }
    List<String> out = new ArrayList<>();
    int from = 0;
    int to;
    do {
      to = next(value, separator, from);
      String part = trimmed(value.substring(from, to));
      if (!part.isEmpty()) {
        out.add(part);
      }
      from = to + 1;
    } while (to != value.length());
    return out;
  }

  /** Returns where the separator comes next outside of quoted strings, else the end. */
  private static int next(String value, char separator, int from) {
    boolean quoted = false;
    for (int i = from; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (quoted && c == '\\') {
        i++;
      } else if (!quoted && c == separator) {
        return i;
      }
    }
    return value.length();
  }

  /** {@code quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE}; what it says, empty for everything else. */
  public static Optional<String> unquoted(String text) {
    int end = text.length() - 1;
    if (end < 1 || text.charAt(0) != '"' || text.charAt(end) != '"') {
      return Optional.empty();
    }
    StringBuilder out = new StringBuilder(end);
    for (int i = 1; i < end; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\' && ++i == end) {
        return Optional.empty();
      }
      out.append(text.charAt(i));
    }
    return Optional.of(out.toString());
  }

  /** Returns the text of bytes, as {@link #text(String)} does of their characters. */
  public static String text(byte[] bytes) {
    return text(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Decodes UTF-8, or ISO 8859-1 if that is invalid. */
  public static String text(String wire) {
    if (isAscii(wire)) {
      return wire;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(wire.getBytes(StandardCharsets.ISO_8859_1));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException _) {
      return wire;
    }
  }

  /** Returns the text as it is written: its bytes in UTF-8. */
  public static String wire(String text) {
    return isAscii(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7f) {
        return false;
      }
    }
    return true;
  }
}

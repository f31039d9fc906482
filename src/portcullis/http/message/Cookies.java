package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes cookies in header fields (RFC 6265, 4): reads leniently and without changes, writes only what cannot
 * be misread.
 */
public final class Cookies {
  private static final String COOKIE = "Cookie";

  private Cookies() {}

  /** Returns the value of the first cookie of that name, byte for byte, quotes included. */
  public static Optional<String> first(Fields fields, String name) {
    for (Field field : fields) {
      if (field.is(COOKIE)) {
        for (String pair : field.value().split(";")) {
          if (name(pair).equals(name)) {
            return Optional.of(value(pair));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the fields without the cookies of these names, all else byte for byte. */
  public static Fields without(Fields fields, CookieNames names) {
    if (names.isEmpty() || !fields.has(COOKIE)) {
      return fields;
    }
    List<Field> out = new ArrayList<>(fields.size());
    boolean changed = false;
    for (Field field : fields) {
      String kept = field.is(COOKIE) ? names.without(field.value()) : field.value();
      boolean same = kept.length() == field.value().length();
      changed |= !same;
      if (same) {
        out.add(field);
      } else if (!kept.isEmpty()) {
        out.add(new Field(field.name(), kept));
      }
    }
    return changed ? Fields.of(out) : fields;
  }

  private static String name(String pair) {
    int equals = pair.indexOf('=');
    return Grammar.trimmed(equals < 0 ? pair : pair.substring(0, equals));
  }

  private static String value(String pair) {
    int equals = pair.indexOf('=');
    return equals < 0 ? "" : Grammar.trimmed(pair.substring(equals + 1));
  }

  /** Returns a value without the quotes around it, where it has both. */
  public static String unquoted(String value) {
    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  /**
   * {@code name=value} as {@code Cookie} and {@code Set-Cookie} write it, in quotes where the value has blanks or
   * commas; empty if the name is not a token or the value has a semicolon or control character.
   *
   * @param value a string
   */
  public static Optional<String> pair(String name, String value) {
    String bytes = Grammar.wire(value);
    if (!Grammar.isToken(name) || !bytes.chars().allMatch(c -> c >= ' ' && c != ';' && c != 0x7f)) {
      return Optional.empty();
    }
    boolean bare = bytes.indexOf(' ') < 0 && bytes.indexOf(',') < 0 || bytes.indexOf('"') >= 0;
    return bare && Grammar.trimmed(bytes).equals(bytes) ? Optional.of(name + "=" + bytes)
        : Optional.of(name + "=\"" + bytes + "\"");
  }
}

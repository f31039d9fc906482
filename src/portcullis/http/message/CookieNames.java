package portcullis.http.message;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Names of cookies that only rules may set. A name belongs to it in every spelling that some application reads as the
 * same cookie: in any letter case, with any other separators ({@code x.user}, {@code x user} and {@code x[user} are
 * {@code x_user} in PHP), with escapes, as an array ({@code user[]}), with blanks, quotes or equals signs around it
 * (CVE-2023-23934). Immutable.
 */
public final class CookieNames {
  public static final CookieNames NONE = new CookieNames(Set.of());

  private final Set<String> folded;

  private CookieNames(Set<String> folded) {
    this.folded = folded;
  }

  public static CookieNames of(Collection<String> names) {
    Set<String> out = new HashSet<>();
    names.forEach(name -> out.add(NameSet.folded(name)));
    return new CookieNames(Set.copyOf(out));
  }

  public boolean isEmpty() {
    return folded.isEmpty();
  }

  /** Returns whether an application may read a cookie of that name as one of these. */
  public boolean covers(String name) {
    String bare = bare(Escapes.bytes(name));
    int array = bare.indexOf('[');
    return isIn(bare) || array > 0 && isIn(bare.substring(0, array));
  }

  private boolean isIn(String name) {
    return folded.contains(NameSet.folded(bare(name)));
  }

  /** Returns a name without what some readers skip before and after it, and without what follows a NUL. */
  private static String bare(String name) {
    int from = 0;
    int nul = name.indexOf(0);
    int to = nul < 0 ? name.length() : nul;
    while (from < to && isSkipped(name.charAt(from))) {
      from++;
    }
    while (from < to && isSkipped(name.charAt(to - 1))) {
      to--;
    }
    return name.substring(from, to);
  }

  private static boolean isSkipped(char c) {
    return c <= ' ' || c == '+' || c == '"' || c == '=' || c == 0x7f || c == 0xa0;
  }

  /**
   * A {@code Cookie} value without the pairs of these names; the others stay byte for byte. Pairs end at semicolons;
   * what begins behind a comma or blank and has an equals sign is a pair too for some applications (RFC 2109, 4.3.4),
   * so from there the pair is cut off.
   */
  String without(String value) {
    StringBuilder out = new StringBuilder(value.length());
    int from = 0;
    boolean first = true;
    while (from <= value.length()) {
      int semicolon = value.indexOf(';', from);
      int to = semicolon < 0 ? value.length() : semicolon;
      int end = end(value, from, to);
      if (end > from || end == to) {
        out.append(first ? "" : ";").append(value, from, end);
        first = false;
      }
      from = to + 1;
    }
    return out.length() == value.length() ? value : Grammar.trimmed(out.toString());
  }

  /**
   * Returns where the part of a pair ends that may stay; {@code from} where nothing may. Linear in the pair's length.
   */
  private int end(String value, int from, int to) {
    int start = skipped(value, from, to);
    int equals = value.indexOf('=', start, to);
    if (covers(value.substring(start, equals < 0 ? to : equals))) {
      return from;
    }
    int at = separator(value, start, to);
    while (at < to) {
      int name = skipped(value, at, to);
      int behind = name;
      while (behind < to && value.charAt(behind) != '=' && !isSeparator(value.charAt(behind))) {
        behind++;
      }
      int next = behind;
      while (next < to && isBlank(value.charAt(next))) {
        next++;
      }
      if (next < to && value.charAt(next) == '=' && covers(value.substring(name, behind))) {
        return at;
      }
      at = separator(value, behind, to);
    }
    return to;
  }

  private static int skipped(String value, int from, int to) {
    int at = from;
    while (at < to && (value.charAt(at) == ',' || isSkipped(value.charAt(at)))) {
      at++;
    }
    return at;
  }

  private static int separator(String value, int from, int to) {
    int at = from;
    while (at < to && !isSeparator(value.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isSeparator(char c) {
    return c == ',' || isBlank(c);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}

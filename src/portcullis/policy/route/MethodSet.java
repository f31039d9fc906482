package portcullis.policy.route;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;

/** The methods a rule is for: every one, or those named, compared as written (RFC 9110, 9.1); immutable. */
public record MethodSet(boolean isAny, Set<String> names) {
  public static final MethodSet ANY = new MethodSet(true, Set.of());

  private static final String ALL = "ALL";
  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT",
      "OPTIONS", "TRACE");
  /** Registered methods (RFC 9110, 16.1.1) and what caches purge by. */
  private static final Set<String> REGISTERED = Set.of("ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY",
      "LABEL", "LINK", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE",
      "ORDERPATCH", "PRI", "PROPFIND", "PROPPATCH", "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH", "UNBIND",
      "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL");
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  public MethodSet {
    names = Set.copyOf(names);
  }

  /**
   * Reads a list as {@code [ALL, "!TRACE"]}: {@code ALL} is the nine of RFC 9110 and RFC 5789, {@code !X} takes X away.
   * An empty list is every method; one of which nothing is left is an error.
   */
  public static Optional<MethodSet> compile(List<? extends LocatedText> list, Problems problems) {
    if (list.isEmpty()) {
      return Optional.of(ANY);
    }
    long before = problems.errors();
    list.forEach(name -> check(name, problems));
    if (problems.errors() > before) {
      return Optional.empty();
    }
    Set<String> left = left(list.stream().map(LocatedText::text).toList());
    if (left.isEmpty()) {
      LocatedText last = list.getLast();
      problems.error(Origins.of(last), last.path(), "of these methods none is left",
          "begin with `ALL` to mean all but some: `[ALL, \"!GET\"]`");
      return Optional.empty();
    }
    return Optional.of(new MethodSet(false, left));
  }

  private static Set<String> left(List<String> list) {
    Set<String> left = new LinkedHashSet<>();
    for (String name : list) {
      if (name.equals(ALL)) {
        left.addAll(METHODS);
      } else if (!name.startsWith("!")) {
        left.add(name);
      }
    }
    list.stream().filter(name -> name.startsWith("!")).forEach(name -> left.remove(name.substring(1)));
    return left;
  }

  private static void check(LocatedText entry, Problems problems) {
    String name = entry.text().startsWith("!") ? entry.text().substring(1) : entry.text();
    String upper = name.toUpperCase(Locale.ROOT);
    if (name.isEmpty() || !name.chars().allMatch(MethodSet::isTokenCharacter)) {
      problems.error(Origins.of(entry), entry.path(), "invalid method `" + entry.text() + "`",
          "write a name as `GET`, `ALL`, or `!` and a name");
    } else if (entry.text().equals("!" + ALL)) {
      problems.error(Origins.of(entry), entry.path(), "`!ALL` leaves no method",
          "take single ones away, as `!TRACE`");
    } else if (!name.equals(upper) && (METHODS.contains(upper) || upper.equals(ALL))) {
      problems.warning(Origins.of(entry), entry.path(),
          "`" + name + "` is not the method `" + upper + "`, letter case counts", "write `" + upper + "`");
    } else if (!METHODS.contains(name) && !name.equals(ALL) && !REGISTERED.contains(name)) {
      problems.warning(Origins.of(entry), entry.path(), "`" + name + "` is not a registered method of HTTP",
          Nearest.hint(name, METHODS));
    }
  }

  private static boolean isTokenCharacter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || TOKEN_MARKS.indexOf(c) >= 0;
  }

  boolean has(String method) {
    return isAny || names.contains(method);
  }

  /** Returns whether this takes every method that the other takes. */
  boolean covers(MethodSet other) {
    return isAny || !other.isAny && names.containsAll(other.names);
  }
}

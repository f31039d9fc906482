package portcullis.lang.source;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Suggests the known name that a mistyped one was meant to be. */
public final class Nearest {
  private static final int LISTED = 12;

  private Nearest() {}

  /** Returns the closest known name, if one is close enough, else the only one that has all of its words. */
  public static Optional<String> of(String name, Collection<String> known) {
    int bound = Math.max(1, name.length() / 3);
    Optional<String> close = known.stream().filter(k -> distance(name, k) <= bound)
        .min(Comparator.comparingInt((String k) -> distance(name, k)).thenComparing(Comparator.naturalOrder()));
    return close.or(() -> longer(name, known));
  }

  private static Optional<String> longer(String name, Collection<String> known) {
    Set<String> words = words(name);
    List<String> having = known.stream().distinct().filter(k -> words(k).containsAll(words)).toList();
    return having.size() == 1 && !words.contains("") ? Optional.of(having.getFirst()) : Optional.empty();
  }

  /** Splits the name of a key, type or flag into words. */
  private static Set<String> words(String name) {
    return Set.copyOf(List.of(name.toLowerCase(Locale.ROOT).split("[-_ ]", -1)));
  }

  /** Returns the hint for an unknown name: {@code did you mean `x`?}, or the known names. */
  public static String hint(String name, Collection<String> known) {
    if (known.isEmpty()) {
      return "none is defined";
    }
    List<String> sorted = known.stream().distinct().sorted().toList();
    return of(name, known).map(k -> "did you mean `" + k + "`?").orElseGet(() -> "known: "
        + String.join(", ", sorted.subList(0, Math.min(LISTED, sorted.size())))
        + (sorted.size() > LISTED ? ", …" : ""));
  }

  /** Returns the number of edits between two names, ignoring case; a transposition is one edit. */
  static int distance(String a, String b) {
    String s = a.toLowerCase(Locale.ROOT);
    String t = b.toLowerCase(Locale.ROOT);
    int[][] d = new int[s.length() + 1][t.length() + 1];
    for (int i = 0; i <= s.length(); i++) {
      for (int j = 0; j <= t.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : step(d, s, t, i, j);
      }
    }
    return d[s.length()][t.length()];
  }

  private static int step(int[][] d, String s, String t, int i, int j) {
    int same = s.charAt(i - 1) == t.charAt(j - 1) ? 0 : 1;
    int best = Math.min(d[i - 1][j - 1] + same, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
    boolean exchanged = i > 1 && j > 1 && s.charAt(i - 1) == t.charAt(j - 2) && s.charAt(i - 2) == t.charAt(j - 1);
    return exchanged ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }
}

package portcullis.message;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Names of fields that only we may say. A name belongs to it in every spelling that some server behind us takes for the
 * same: letter case plays no part, and what is no letter or digit is all one. Immutable; looking up allocates nothing.
 */
public final class NameSet {
  public static final NameSet EMPTY = of(List.of());

  private final String[][] buckets;

  private NameSet(String[][] buckets) {
    this.buckets = buckets;
  }

  public static NameSet of(Collection<String> names) {
    int size = Integer.highestOneBit(Math.max(1, names.size())) * 4;
    List<List<String>> buckets = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      buckets.add(new ArrayList<>(1));
    }
    for (String name : names) {
      buckets.get(hash(name) & size - 1).add(folded(name));
    }
    return new NameSet(buckets.stream().map(b -> b.toArray(String[]::new)).toArray(String[][]::new));
  }

  public boolean has(String name) {
    for (String candidate : buckets[hash(name) & buckets.length - 1]) {
      if (isFoldedTo(name, candidate)) {
        return true;
      }
    }
    return false;
  }

  static String folded(String name) {
    StringBuilder out = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      out.append(folded(name.charAt(i)));
    }
    return out.toString();
  }

  private static char folded(char c) {
    if (c >= 'A' && c <= 'Z') {
      return (char) (c + 32);
    }
    return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' ? c : '-';
  }

  private static int hash(String name) {
    int hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = hash * 31 + folded(name.charAt(i));
    }
    return hash ^ hash >>> 15;
  }

  private static boolean isFoldedTo(String name, String folded) {
    if (name.length() != folded.length()) {
      return false;
    }
    for (int i = 0; i < folded.length(); i++) {
      if (folded(name.charAt(i)) != folded.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}

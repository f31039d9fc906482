package portcullis.http.message;

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
  /** A bit for each length that a name has, the last one for all that are longer. */
  private final long lengths;

  private NameSet(String[][] buckets, long lengths) {
    this.buckets = buckets;
    this.lengths = lengths;
  }

  public static NameSet of(Collection<String> names) {
    int size = Integer.highestOneBit(Math.max(1, names.size())) * 4;
    List<List<String>> buckets = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      buckets.add(new ArrayList<>(1));
    }
    long lengths = 0;
    for (String name : names) {
      lengths |= lengthBit(name);
      buckets.get(hash(name) & size - 1).add(name);
    }
    String[][] found = new String[size][];
    for (int i = 0; i < size; i++) {
      found[i] = buckets.get(i).toArray(String[]::new);
    }
    return new NameSet(found, lengths);
  }

  private static long lengthBit(String name) {
    return 1L << Math.min(name.length(), Long.SIZE - 1);
  }

  public boolean has(String name) {
    if ((lengths & lengthBit(name)) == 0) {
      return false; // most names of most requests
    }
    for (String candidate : buckets[hash(name) & buckets.length - 1]) {
      if (areSame(name, candidate)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether some server behind us takes them for the same. */
  public static boolean areSame(String a, String b) {
    if (a.length() != b.length()) {
      return false;
    }
    for (int i = 0; i < a.length(); i++) {
      if (folded(a.charAt(i)) != folded(b.charAt(i))) {
        return false;
      }
    }
    return true;
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

}

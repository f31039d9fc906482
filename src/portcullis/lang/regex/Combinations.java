package portcullis.lang.regex;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Chooses one of several values for each part of a whole: the most different choices first, not all of them. */
public final class Combinations {
  private Combinations() {}

  /**
   * Returns the indices of chosen values, none where a part has no value: first the first value of each, then the
   * second of each and so on as far as half of them go, then choices that differ from the first in one part, then
   * others.
   *
   * @param sizes how many values each part has
   * @param most how many are returned at most
   */
  public static List<List<Integer>> of(List<Integer> sizes, int most) {
    if (sizes.contains(0)) {
      return List.of();
    }
    Set<List<Integer>> out = new LinkedHashSet<>();
    int widest = sizes.isEmpty() ? 1 : Collections.max(sizes);
    for (int i = 0; i < Math.min(widest, most / 2); i++) {
      int row = i;
      out.add(sizes.stream().map(size -> Math.min(row, size - 1)).toList());
    }
    for (int part = 0; part < sizes.size() && out.size() < most; part++) {
      for (int value = 1; value < sizes.get(part) && out.size() < most; value++) {
        List<Integer> next = new ArrayList<>(Collections.nCopies(sizes.size(), 0));
        next.set(part, value);
        out.add(List.copyOf(next));
      }
    }
    for (int number = 0; number < most && out.size() < most; number++) {
      out.add(digits(number, sizes));
    }
    return List.copyOf(out);
  }

  private static List<Integer> digits(int number, List<Integer> sizes) {
    List<Integer> out = new ArrayList<>();
    int left = number;
    for (int size : sizes) {
      out.add(left % size);
      left /= size;
    }
    return List.copyOf(out);
  }

  /** Returns strings that are put together of one of the strings of each part. */
  public static List<String> concatenated(List<List<String>> parts, int most) {
    return of(parts.stream().map(List::size).toList(), most).stream().map(chosen -> {
      StringBuilder out = new StringBuilder();
      IntStream.range(0, parts.size()).forEach(part -> out.append(parts.get(part).get(chosen.get(part))));
      return out.toString();
    }).distinct().toList();
  }

  /** Returns the strings of all alternatives: the first of each, then the second of each, and so on. */
  public static List<String> either(List<List<String>> alternatives, int most) {
    Set<String> out = new LinkedHashSet<>();
    int longest = alternatives.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<String> one : alternatives) {
        if (i < one.size() && out.size() < most) {
          out.add(one.get(i));
        }
      }
    }
    return List.copyOf(out);
  }
}

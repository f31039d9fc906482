package portcullis.lang.regex;

import java.util.List;

/** A match of a regular expression with its groups; immutable. */
public final class Match {
  private final String text;
  private final List<String> names;
  private final int[] starts;
  private final int[] ends;

  /** @param starts by group, negative for a group that took no part; the first one is the whole match */
  Match(String text, List<String> names, int[] starts, int[] ends) {
    this.text = text;
    this.names = names;
    this.starts = starts;
    this.ends = ends;
  }

  public int start() {
    return starts[0];
  }

  public int end() {
    return ends[0];
  }

  /** Returns what was matched. */
  public String text() {
    return text.substring(start(), end());
  }

  /** Returns what a group matched, by its number or name; empty where no such group took part. */
  public String group(String name) {
    boolean number = name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9')
        && (name.length() == 1 || !name.startsWith("0"));
    for (int i = number ? Integer.parseInt(name) : 0; i < starts.length; i++) {
      if (number || names.get(i).equals(name) && starts[i] >= 0) {
        return starts[i] < 0 ? "" : text.substring(starts[i], ends[i]);
      }
    }
    return "";
  }
}

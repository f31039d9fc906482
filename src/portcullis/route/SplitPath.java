package portcullis.route;

import java.util.Arrays;

/** A path and where its segments begin; {@code /a/} has the segments {@code a} and the empty one. */
final class SplitPath {
  private final String path;
  private final int[] starts;

  /** Of a path that begins with a slash. */
  SplitPath(String path) {
    this.path = path;
    int[] found = new int[16];
    int count = 0;
    for (int slash = 0; slash >= 0; slash = path.indexOf('/', slash + 1)) {
      found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
      found[count++] = slash + 1;
    }
    this.starts = Arrays.copyOf(found, count);
  }

  int size() {
    return starts.length;
  }

  String segment(int index) {
    return path.substring(starts[index], end(index));
  }

  private int end(int index) {
    return index + 1 < starts.length ? starts[index + 1] - 1 : path.length();
  }

  boolean is(int index, String segment) {
    return end(index) - starts[index] == segment.length() && path.startsWith(segment, starts[index]);
  }

  boolean isEmpty(int index) {
    return end(index) == starts[index];
  }

  /** Everything from that segment on. */
  String from(int index) {
    return path.substring(starts[index]);
  }

  /** Whether nothing is left from that segment on. */
  boolean endsBefore(int index) {
    return starts[index] == path.length();
  }

  @Override
  public String toString() {
    return path;
  }
}

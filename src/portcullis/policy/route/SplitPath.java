package portcullis.policy.route;

import java.util.Arrays;

/** A path and where its segments begin; {@code /a/} has the segments {@code a} and the empty one. */
final class SplitPath {
  private final String path;
  private final byte[] octets;
  private final int[] starts;

  /** @param path begins with a slash */
  SplitPath(String path) {
    this.path = path;
    octets = Octets.of(path);
    int count = 0;
    for (byte octet : octets) {
      count += octet == '/' ? 1 : 0;
    }
    starts = new int[count];
    int segment = 0;
    for (int i = 0; segment < count; i++) {
      if (octets[i] == '/') {
        starts[segment++] = i + 1;
      }
    }
  }

  int size() {
    return starts.length;
  }

  /** In characters. */
  int length() {
    return octets.length;
  }

  String segment(int index) {
    return path.substring(starts[index], end(index));
  }

  /** Returns that of the segment's text. */
  long hash(int index) {
    return Octets.hash(octets, starts[index], end(index));
  }

  /** Returns all segments; not to be changed. */
  byte[] octets() {
    return octets;
  }

  /** Returns where a segment begins. */
  int start(int index) {
    return starts[index];
  }

  /** Returns where it ends. */
  int end(int index) {
    return index + 1 < starts.length ? starts[index + 1] - 1 : octets.length;
  }

  boolean is(int index, String segment) {
    return end(index) - starts[index] == segment.length() && path.startsWith(segment, starts[index]);
  }

  boolean beginsWith(byte[] text) {
    return octets.length >= text.length && Arrays.equals(octets, 0, text.length, text, 0, text.length);
  }

  boolean isEmpty(int index) {
    return end(index) == starts[index];
  }

  /** Everything from that segment on. */
  String from(int index) {
    return path.substring(starts[index]);
  }

  /** Returns whether nothing is left from that segment on. */
  boolean endsBefore(int index) {
    return starts[index] == octets.length;
  }

  @Override
  public String toString() {
    return path;
  }
}

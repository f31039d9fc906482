package portcullis.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import portcullis.lang.source.Origin;
import portcullis.lang.source.SourceFile;

/**
 * The text of a file after substitution of variables, with the mapping of its positions to those of the file.
 * Immutable.
 */
public final class SubstitutedSource {
  private static final int NUMBERS = 4;

  private final SourceFile file;
  private final String text;
  private final int[] spans;
  private final String[] unset;
  private final int[] lines;

  /**
   * @param spans four numbers for each substitution: where it begins and ends in the text, and where in the file's
   * @param unset for each substitution the variable that is not set; empty if there is none
   */
  SubstitutedSource(SourceFile file, String text, int[] spans, String[] unset) {
    this.unset = unset;
    this.file = file;
    this.text = text;
    this.spans = spans;
    this.lines = lines(file.text());
  }

  /** Returns a file without substitutions. */
  public static SubstitutedSource unchanged(SourceFile file) {
    return new SubstitutedSource(file, file.text(), new int[0], new String[0]);
  }

  private static int[] lines(String text) {
    int[] out = new int[16];
    int count = 1;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      out = count == out.length ? Arrays.copyOf(out, count * 2) : out;
      out[count++] = end + 1;
    }
    return Arrays.copyOf(out, count);
  }

  public SourceFile file() {
    return file;
  }

  public String text() {
    return text;
  }

  /**
   * Where in the file the characters of the text from {@code from} to before {@code to} come from, as far as one line
   * goes.
   */
  Origin.InFile at(int from, int to) {
    return there(begin(from), end(Math.max(from, to - 1)));
  }

  private Origin.InFile there(int start, int stop) {
    int end = Math.max(start + 1, stop);
    int line = line(start);
    int lineEnd = line < lines.length ? lines[line] - 1 : file.text().length();
    return new Origin.InFile(file, line, start - lines[line - 1] + 1, Math.min(end, lineEnd) - start);
  }

  /** Returns the variable that is not set at a place without text: a substituted value may have been empty. */
  Origin.InFile atNothing(int offset) {
    int next = offset;
    while (next < text.length() && text.charAt(next) == ' ') {
      next++;
    }
    int span = span(next);
    boolean emptied = span >= 0 && spans[span] >= offset && spans[span] == spans[span + 1];
    return emptied ? there(spans[span + 2], spans[span + 3]) : at(offset, offset + 1);
  }

  /** A place where a variable is needed that is not set. */
  record Unset(String variable, int from, int to, Origin.InFile at) {}

  /**
   * Returns the unset variables between two offsets of the text and in the blanks around.
   *
   * @param to itself included
   */
  List<Unset> unset(int from, int to) {
    if (unset.length == 0) {
      return List.of();
    }
    int begin = from;
    while (begin > 0 && text.charAt(begin - 1) == ' ') {
      begin--;
    }
    int end = to;
    while (end < text.length() && text.charAt(end) == ' ') {
      end++;
    }
    List<Unset> out = new ArrayList<>();
    int first = span(begin - 1) / NUMBERS + 1;
    for (int i = first; i < unset.length && spans[i * NUMBERS + 1] <= end; i++) {
      int span = i * NUMBERS;
      if (!unset[i].isEmpty()) {
        out.add(new Unset(unset[i], spans[span], spans[span + 1], there(spans[span + 2], spans[span + 3])));
      }
    }
    return out;
  }

  /** Returns all places that need unset variables, but those in comments. */
  List<Unset> unset() {
    return unset(0, text.length()).stream().filter(place -> !isComment(place.from())).toList();
  }

  /** Returns whether a {@code #} stands before it, as a comment begins (YAML 1.2, 6.6). */
  boolean isComment(int offset) {
    int line = text.lastIndexOf('\n', offset - 1) + 1;
    int mark = text.indexOf('#', line);
    while (mark >= 0 && mark < offset) {
      if (mark == line || text.charAt(mark - 1) == ' ') {
        return true;
      }
      mark = text.indexOf('#', mark + 1);
    }
    return false;
  }

  /** Returns how the file writes a part of the text, with variables not substituted. */
  String written(int from, int to) {
    return from >= to ? "" : file.text().substring(begin(from), Math.min(file.text().length(), end(to - 1)));
  }

  /** Returns whether a part of the text comes from a variable. */
  boolean isFilledIn(int from, int to) {
    int span = span(Math.max(from, to - 1));
    return span >= 0 && spans[span + 1] > from;
  }

  /** Returns where the place in the file begins that gave the character. */
  private int begin(int offset) {
    int span = span(offset);
    if (span < 0) {
      return offset;
    }
    return offset < spans[span + 1] ? spans[span + 2] : offset - spans[span + 1] + spans[span + 3];
  }

  private int end(int offset) {
    int span = span(offset);
    return span >= 0 && offset < spans[span + 1] ? spans[span + 3] : begin(offset) + 1;
  }

  /** Returns the last filled-in place that does not begin behind the character; below 0 where there is none. */
  private int span(int offset) {
    int low = 0;
    int high = spans.length / NUMBERS;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (spans[middle * NUMBERS] <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (low - 1) * NUMBERS;
  }

  private int line(int offset) {
    int found = Arrays.binarySearch(lines, offset);
    return found >= 0 ? found + 1 : -found - 1;
  }
}

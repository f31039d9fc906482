package portcullis.source;

import java.util.List;

/** A text that was read, with the name by which its reader knows it; immutable. */
public record SourceFile(String name, String text) {
  /** The line of that number, counted from 1, without its end; empty beyond the last one. */
  public String line(int number) {
    List<String> lines = text.lines().skip(number - 1L).limit(1).toList();
    return lines.isEmpty() ? "" : lines.getFirst();
  }

  @Override
  public String toString() {
    return name;
  }
}

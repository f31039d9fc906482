package portcullis.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Changes that a person has looked at and that make no difference anybody could test. One paragraph each: the file and
 * the change as the report prints it or {@value #EVERY} of the line, the source line as it is, and the reason.
 */
final class Reviewed {
  /**
   * One of them.
   *
   * @param file relative to the folder of the sources
   * @param line the text of the line, without what surrounds it
   */
  record Entry(String file, String what, String line, String reason) {
    boolean isOf(Mutation mutation, String source) {
      return file.equals(mutation.file().toString()) && (what.equals(EVERY) || what.equals(mutation.what()))
          && line.equals(mutation.original(source));
    }
  }

  private static final String EVERY = "every change";

  private final List<Entry> entries;

  Reviewed(List<Entry> entries) {
    this.entries = entries;
  }

  static Reviewed read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  static Reviewed parse(String text) {
    return new Reviewed(text.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"))
        .strip().transform(all -> all.isEmpty() ? List.<String>of() : List.of(all.split("\n\n+"))).stream()
        .map(Reviewed::entry).toList());
  }

  private static Entry entry(String paragraph) {
    String[] lines = paragraph.strip().split("\n");
    int colon = lines[0].indexOf(": ");
    if (lines.length < 3 || colon < 0) {
      throw new IllegalArgumentException(
          "`" + lines[0] + "`: needs `FILE: CHANGE`, the source line and the reason, a line each");
    }
    return new Entry(lines[0].substring(0, colon), lines[0].substring(colon + 2), lines[1].strip(),
        String.join(" ", List.of(lines).subList(2, lines.length)));
  }

  /** Why the change makes no difference, where somebody has said so. */
  Optional<String> reason(Mutation mutation, String source) {
    return entries.stream().filter(entry -> entry.isOf(mutation, source)).findFirst().map(Entry::reason);
  }

  /** @throws IllegalArgumentException if an entry is no change of its file, or no more */
  void check(Path sources) throws IOException {
    List<Entry> stale = stale(sources);
    if (!stale.isEmpty()) {
      throw new IllegalArgumentException(stale.stream()
          .map(entry -> entry.file + ": " + entry.what + "\n" + entry.line).collect(Collectors.joining("\n\n",
              "reviewed, but no change that is tried; write the line as it is now, or remove the entry:\n\n", "")));
    }
  }

  private List<Entry> stale(Path sources) throws IOException {
    List<Entry> out = new ArrayList<>();
    for (Entry entry : entries) {
      Path file = sources.resolve(entry.file);
      String source = Files.exists(file) ? Files.readString(file) : "";
      if (Mutator.of(Path.of(entry.file), source).stream().noneMatch(mutation -> entry.isOf(mutation, source))) {
        out.add(entry);
      }
    }
    return out;
  }
}

package portcullis.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which test classes run which lines, and how long each takes. */
final class Coverage {
  /**
   * What a test class ran.
   *
   * @param version of the test class's package
   * @param millis how long it took, with probes and its classes loaded by it alone
   */
  record Row(String test, String version, long millis, BitSet lines) {
    @Override
    public String toString() {
      return test + " " + version + " " + millis + " "
          + lines.stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    static Row read(String line) {
      String[] parts = line.split(" ", -1);
      BitSet lines = new BitSet();
      for (String number : parts[3].split(",")) {
        if (!number.isEmpty()) {
          lines.set(Integer.parseInt(number));
        }
      }
      return new Row(parts[0], parts[1], Long.parseLong(parts[2]), lines);
    }
  }

  private final Map<Place, Integer> numbers = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();

  Coverage(List<Place> places, List<Row> rows) {
    for (int i = 0; i < places.size(); i++) {
      numbers.put(places.get(i), i);
    }
    this.rows.addAll(rows);
  }

  /** @param file rows as runs for coverage have written them; may be missing */
  static List<Row> rows(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).stream().map(Row::read).toList() : List.of();
  }

  /**
   * The test classes that run one of these lines of a file, or any line of it where these have no code of their own:
   * those named after it first, then those of its package, then the quick ones.
   */
  List<String> tests(String file, int from, int to) {
    String named = file.substring(0, file.lastIndexOf('.')).replace('/', '.');
    String tested = named.substring(0, named.lastIndexOf('.') + 1);
    BitSet within = numbers(file, from, to);
    BitSet wanted = within.isEmpty() ? numbers(file, 0, Integer.MAX_VALUE) : within;
    return rows.stream().filter(row -> row.lines.intersects(wanted))
        .sorted(Comparator.comparing((Row row) -> !row.test.startsWith(named))
            .thenComparing(row -> !row.test.startsWith(tested)).thenComparing(Row::millis))
        .map(Row::test).toList();
  }

  private BitSet numbers(String file, int from, int to) {
    BitSet out = new BitSet();
    numbers.forEach(
        (place, number) -> out.set(number, place.file().equals(file) && place.line() >= from && place.line() <= to));
    return out;
  }

  /** How long this test class takes. */
  long millis(String test) {
    return rows.stream().filter(row -> row.test.equals(test)).mapToLong(Row::millis).sum();
  }
}

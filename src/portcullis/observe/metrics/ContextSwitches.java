package portcullis.observe.metrics;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import portcullis.observe.metrics.Metric.Sample;
import portcullis.observe.metrics.Metric.Whole;

/**
 * Counts context switches of this process. Linux counts them per thread, so the increase of each thread since the last
 * reading is added, and the sums remain when threads end. Thread safe.
 */
final class ContextSwitches {
  private static final String VOLUNTARY = "voluntary_ctxt_switches:";
  private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

  private final Path tasks;
  private Map<Path, Counts> last = Map.of();
  private Counts sum = Counts.NONE;

  /** @param tasks the directory with a directory for each thread, {@code /proc/self/task} */
  ContextSwitches(Path tasks) {
    this.tasks = tasks;
  }

  private record Counts(long voluntary, long involuntary) {
    static final Counts NONE = new Counts(0, 0);

    Counts plus(Counts other) {
      return new Counts(voluntary + other.voluntary, involuntary + other.involuntary);
    }

    /** Returns the increase since an earlier count; the whole count if a new thread has the same id. */
    Counts since(Counts earlier) {
      return voluntary < earlier.voluntary || involuntary < earlier.involuntary ? this
          : new Counts(voluntary - earlier.voluntary, involuntary - earlier.involuntary);
    }
  }

  /** Returns the sums by type; none without the directory. */
  synchronized List<Sample> read() {
    Map<Path, Counts> now = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      threads.forEach(thread -> now.put(thread, counts(thread)));
    } catch (IOException _) {
      return List.of();
    }
    now.forEach((thread, counts) -> sum = sum.plus(counts.since(last.getOrDefault(thread, Counts.NONE))));
    last = now;
    return List.of(Registry.sample(new Whole(sum.voluntary), "process.context_switch.type", "voluntary"),
        Registry.sample(new Whole(sum.involuntary), "process.context_switch.type", "involuntary"));
  }

  /** Returns zero for a thread that has ended. */
  private static Counts counts(Path thread) {
    List<String> lines = new ArrayList<>();
    try {
      lines.addAll(Files.readAllLines(thread.resolve("status")));
    } catch (IOException _) {
      return Counts.NONE;
    }
    return new Counts(number(lines, VOLUNTARY), number(lines, INVOLUNTARY));
  }

  private static long number(List<String> lines, String name) {
    return lines.stream().filter(line -> line.startsWith(name)).mapToLong(
        line -> Machine.number(line.substring(name.length()).strip())).findFirst().orElse(0);
  }
}

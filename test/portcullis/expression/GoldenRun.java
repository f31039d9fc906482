package portcullis.expression;

import java.util.ArrayList;
import java.util.List;

/** Prints how many rows of the corpora at {@code $CORPORA} pass, a line a file and one for all; with {@code -v} those that do not. */
public final class GoldenRun {
  private static int passed;
  private static int failed;

  private GoldenRun() {}

  public static void main(String[] arguments) {
    boolean show = List.of(arguments).contains("-v");
    List<String> files = new ArrayList<>(List.of(GoldenRows.FILE));
    files.addAll(ConformanceRows.FILES);
    for (String file : files) {
      if (Corpora.has(file)) {
        GoldenRows.Result result = file.equals(GoldenRows.FILE) ? GoldenRows.run() : ConformanceRows.run(file);
        List<String> misses = result.misses().stream()
            .map(m -> m.name() + ": " + m.expression() + " should be " + m.wanted() + ", is " + m.got()).toList();
        print(file, result.rows(), show, misses);
      }
    }
    if (Corpora.has(portcullis.gjson.GoldenRows.FILE)) {
      portcullis.gjson.GoldenRows.Result result = portcullis.gjson.GoldenRows.run();
      print(portcullis.gjson.GoldenRows.FILE, result.rows(), show, result.misses().stream()
          .map(m -> m.name() + ": " + m.path() + " should be " + m.wanted() + ", is " + m.got()).toList());
    }
    System.out.println("all: " + passed + " passed, " + failed + " failed");
  }

  private static void print(String file, int rows, boolean show, List<String> misses) {
    passed += rows - misses.size();
    failed += misses.size();
    System.out.println(file + ": " + (rows - misses.size()) + " passed, " + misses.size() + " failed");
    misses.forEach(miss -> System.out.print(show ? "  " + miss + "\n" : ""));
  }
}

package portcullis.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import portcullis.fixture.GoldenReport;

/**
 * Runs the golden rows and those of the corpora in the folder that {@code CORPORA} names, where they are: prints for
 * each file {@code NAME: N passed, N failed}, and the total last. Ends with 1 where more than 2 % of the rows of a file
 * fail. What fails is written to the file that the argument names.
 */
final class GoldenRun {
  private static final List<Supplier<List<GoldenReport>>> FILES = List.of(portcullis.lang.template.GoldenRows::reports,
      portcullis.lang.expression.GoldenRows::reports, portcullis.lang.gjson.GoldenRows::reports,
      portcullis.config.GoldenRows::reports,
      portcullis.policy.route.GlobRows::reports);

  private GoldenRun() {}

  public static void main(String[] arguments) throws IOException {
    List<GoldenReport> all = new ArrayList<>();
    List<String> misses = new ArrayList<>();
    FILES.forEach(files -> files.get().forEach(report -> {
      all.add(report);
      System.out.println(report.name() + ": " + report.passed() + " passed, " + report.misses().size() + " failed");
      report.misses().forEach(miss -> misses.add(report.name() + ": " + miss));
    }));
    Files.write(Path.of(arguments[0]), misses);
    System.out
        .println("all: " + all.stream().mapToInt(GoldenReport::passed).sum() + " passed, " + misses.size() + " failed");
    System.exit(!all.isEmpty() && all.stream().allMatch(GoldenReport::isGood) ? 0 : 1);
  }
}

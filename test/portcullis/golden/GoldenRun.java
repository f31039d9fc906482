package portcullis.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import portcullis.config.EnvsubstRows;
import portcullis.fixture.GoldenReport;
import portcullis.lang.expression.ExpressionRows;
import portcullis.lang.gjson.GjsonRows;
import portcullis.lang.template.TemplateRows;
import portcullis.policy.route.GlobRows;

/**
 * Runs the golden rows and those of the corpora that exist; prints for each file {@code NAME: N passed, N failed} and
 * the total last. Exits with 1 if more than 2 % of the rows of a file fail. The argument names the file that lists what
 * failed.
 */
final class GoldenRun {
  private static final List<Supplier<List<GoldenReport>>> FILES = List.of(TemplateRows::reports,
      ExpressionRows::reports, () -> List.of(GjsonRows.report(), EnvsubstRows.report(), GlobRows.report()));

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

package portcullis.lang.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import portcullis.fixture.GoldenReport;

/** Runs the templates of the corpora. */
public final class GoldenRows {
  private GoldenRows() {}

  /** A row that came out otherwise than it should. */
  record Miss(GoldenRow row, String got) {
    String text() {
      return row.name() + ": `" + row.template() + "` gives `" + got + "` for `" + row.wanted() + "`";
    }
  }

  /** @param leftOut rows that call a function that is left out on purpose; they are in no other number */
  record Result(int rows, int leftOut, List<Miss> misses) {}

  static Result run(GoldenFile file) {
    List<GoldenRow> rows = file.rows();
    List<Miss> misses = new ArrayList<>();
    int leftOut = 0;
    for (GoldenRow row : rows) {
      String got = row.got();
      if (GoldenRow.isLeftOut(got)) {
        leftOut++;
      } else if (!row.isMetBy(got)) {
        misses.add(new Miss(row, got));
      }
    }
    return new Result(rows.size(), leftOut, misses);
  }

  /** A report on each of the files that are there; rows of functions that are left out on purpose do not count. */
  public static List<GoldenReport> reports() {
    return Arrays.stream(GoldenFile.values()).filter(GoldenFile::exists).map(file -> {
      Result result = run(file);
      return new GoldenReport(file.path(), result.rows() - result.leftOut(),
          result.misses().stream().map(Miss::text).toList());
    }).toList();
  }
}

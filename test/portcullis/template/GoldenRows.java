package portcullis.template;

import java.util.ArrayList;
import java.util.List;

/** Runs the templates of the corpora; as a program it reports on each file. */
final class GoldenRows {
  private GoldenRows() {}

  /** A row that came out otherwise than it should. */
  record Miss(GoldenRow row, String got) {
    String text() {
      return row.name() + ": `" + row.template() + "` gives `" + got + "` for `" + row.wanted() + "`";
    }
  }

  /** @param leftOut rows that call a function that is left out on purpose; they are in no other number */
  record Result(int rows, int leftOut, List<Miss> misses) {
    int passed() {
      return rows - leftOut - misses.size();
    }
  }

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

  /** Prints each miss and then, for each file, {@code NAME: N passed, N failed}. */
  public static void main(String[] arguments) {
    for (GoldenFile file : GoldenFile.values()) {
      if (file.exists()) {
        Result result = run(file);
        result.misses().forEach(miss -> System.out.println(miss.text()));
        System.out.println(file.shortName() + ": " + result.passed() + " passed, " + result.misses().size() + " failed"
            + (result.leftOut() == 0 ? "" : " (" + result.leftOut() + " call functions that are left out)"));
      }
    }
  }
}

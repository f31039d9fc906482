package portcullis.lang.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.GoldenRow;

/** Renders the golden templates and those of the corpora. */
public final class TemplateRows {
  private TemplateRows() {}

  /** Returns a report on each file that exists. */
  public static List<GoldenReport> reports() {
    return Arrays.stream(TemplateFile.values()).filter(TemplateFile::exists).map(TemplateRows::report).toList();
  }

  /** Rows that call a function that is left out on purpose do not count. */
  static GoldenReport report(TemplateFile file) {
    List<GoldenReport.Miss> misses = new ArrayList<>();
    int rows = 0;
    for (TemplateRow row : file.rows()) {
      String got = row.got();
      if (TemplateRow.isLeftOut(got)) {
        continue;
      }
      rows++;
      if (!row.isMetBy(got)) {
        GoldenRow.difference(row.template(), row.wanted(), got)
            .ifPresent(why -> misses.add(new GoldenReport.Miss(row.name(), why)));
      }
    }
    return new GoldenReport(file.path(), rows, misses);
  }
}

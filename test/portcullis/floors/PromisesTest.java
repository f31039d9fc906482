package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every promise of the security page names tests, and these tests exist. */
class PromisesTest {
  private static final Pattern PROMISE = Pattern.compile("^- \\*\\*([^*]+?)[.,:]?\\*\\*", Pattern.MULTILINE);
  private static final Pattern ROW = Pattern.compile("^\\| ([^|`]+) \\| (`.*`) \\|$", Pattern.MULTILINE);
  private static final Pattern TEST = Pattern.compile("`([a-z/]+)/(\\w+)\\.(\\w+)`");

  private static String page() throws IOException {
    return Files.readString(Path.of("config/docs/security.md"));
  }

  private static Map<String, String> rows(String page) {
    Map<String, String> rows = new LinkedHashMap<>();
    Matcher row = ROW.matcher(page.substring(page.indexOf("## Proven by")));
    while (row.find()) {
      rows.put(row.group(1).strip(), row.group(2));
    }
    return rows;
  }

  @Test
  void everyPromiseNamesTests() throws IOException {
    List<String> promises = PROMISE.matcher(page()).results().map(found -> found.group(1)).toList();
    assertFalse(promises.isEmpty());
    assertEquals(promises, List.copyOf(rows(page()).keySet()));
  }

  @Test
  void namedTestsExist() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, String> row : rows(page()).entrySet()) {
      List<String> tests = TEST.matcher(row.getValue()).results().map(found -> found.group()).toList();
      if (tests.isEmpty() || tests.size() != row.getValue().split(", ").length) {
        missing.add(row.getKey() + ": " + row.getValue());
      }
      Matcher test = TEST.matcher(row.getValue());
      while (test.find()) {
        Path file = Path.of("test/portcullis", test.group(1), test.group(2) + ".java");
        if (!Files.exists(file) || !Files.readString(file).contains("  void " + test.group(3) + "(")) {
          missing.add(row.getKey() + ": " + test.group());
        }
      }
    }
    assertEquals(List.of(), missing);
  }
}

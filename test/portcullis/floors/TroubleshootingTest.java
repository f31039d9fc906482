package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each message that the page quotes is one that the program writes. */
class TroubleshootingTest {
  private static final Path PAGE = Path.of("config/docs/troubleshooting.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`.*?) \\| [^|]+ \\| [^|]+ \\|$");
  private static final Pattern CODE = Pattern.compile("``\\s?(.+?)``|`([^`]+)`");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  /** Returns the sources with string literals that are joined as one. */
  private static String sources() throws IOException {
    StringBuilder out = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/portcullis"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        out.append(JOINED.matcher(Files.readString(file)).replaceAll("")).append('\n');
      }
    }
    return out.toString();
  }

  @Test
  void quotedMessagesAreInTheSources() throws IOException {
    String sources = sources();
    List<String> missing = new ArrayList<>();
    List<String> rows = ROW.matcher(Files.readString(PAGE)).results().map(row -> row.group(1)).toList();
    assertTrue(rows.size() > 50, () -> "only " + rows.size() + " messages");
    for (String row : rows) {
      CODE.matcher(row).results().map(code -> code.group(1) == null ? code.group(2) : code.group(1))
          .filter(part -> !sources.contains(part)).forEach(missing::add);
    }
    assertEquals(List.of(), missing);
  }
}

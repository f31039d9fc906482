package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.fixture.LimitsPage;
import portcullis.serve.service.ListenerSettings;

/** What the page on security says of memory, and of who listens where, is what counts. */
class LimitsPageTest {
  private static String option(String begin) throws IOException {
    return Files.readAllLines(Path.of("jlink/options")).stream().filter(line -> line.startsWith(begin)).findFirst()
        .orElseThrow()
        .substring(begin.length());
  }

  @Test
  void theTableSaysWhatCounts() throws IOException {
    Map<String, String> expected = new LinkedHashMap<>();
    CacheSettings.InMemory cache = (CacheSettings.InMemory) CacheSettings.DEFAULT;
    expected.put("`cache.config.memory_limit`", (cache.mostBytes() >> 20) + " MB, at most a quarter of the heap");
    expected.put("the container's, or `PORTCULLIS_JAVA_OPTIONS=-Xmx256m`", option("-XX:MaxRAMPercentage=")
        + " % of what there is, at most " + option("-XX:ErgoHeapSizeLimit=").replace("m", " MB"));
    Map<String, String> reported = LimitsPage.rows();
    reported.keySet().removeIf(where -> where.startsWith("`serve."));
    assertEquals(expected, reported);
  }

  @Test
  void everyLimitIsInThePage() throws IOException {
    String page = Files.readString(Path.of("config/docs/security.md"));
    String limits = page.substring(page.indexOf("## Limits"), page.indexOf("## Under it"));
    List<String> missing = SchemaRows.of(Settings.decoder(Enforcement.ALL).shape()).stream().map(SchemaRows.Row::path)
        .filter(path -> path.matches("serve\\.(timeout|request_limit|buffer_limit|connections_limit)\\.\\w+"
            + "|cache\\[in-memory]\\.config\\.\\w+"))
        .filter(path -> !isNamed(limits, path.replace("[in-memory]", ""))).toList();
    assertEquals(List.of(), missing);
  }

  /** By its path, or by its name in a line that has a path of the same section. */
  private static boolean isNamed(String limits, String path) {
    int dot = path.lastIndexOf('.') + 1;
    return limits.lines().anyMatch(line -> line.contains("`" + path + "`")
        || line.contains("`" + path.substring(0, dot)) && line.contains("`" + path.substring(dot) + "`"));
  }

  @Test
  void managementListensEverywhereAndProfilingOnLoopback() {
    assertEquals("", ListenerSettings.defaults(4457).host());
    assertEquals(List.of("localhost", "127.0.0.1", "[::1]"), ListenerSettings.defaults(4457).statusHosts());
    assertEquals(new Settings.Profiling(false, "127.0.0.1", 10251), Settings.Profiling.DEFAULT);
  }
}

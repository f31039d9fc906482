package portcullis.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.fixture.LimitsPage;
import portcullis.service.ListenerSettings;

/** What the page on security says of memory, and of who listens where, is what counts. */
class LimitsPageTest {
  private static String option(String begin) throws IOException {
    return Files.readAllLines(Path.of("jlink/options")).stream().filter(line -> line.startsWith(begin)).findFirst().orElseThrow()
        .substring(begin.length());
  }

  @Test
  void theTableSaysWhatCounts() throws IOException {
    Map<String, String> expected = new LinkedHashMap<>();
    CacheSettings.InMemory cache = (CacheSettings.InMemory) CacheSettings.STANDARD;
    expected.put("`cache.config.memory_limit`", (cache.mostBytes() >> 20) + " MB");
    expected.put("the container's, or `PORTCULLIS_JAVA_OPTIONS=-Xmx256m`", option("-XX:MaxRAMPercentage=")
        + " % of what there is, at most " + option("-XX:ErgoHeapSizeLimit=").replace("m", " MB"));
    Map<String, String> said = LimitsPage.rows();
    said.keySet().removeIf(where -> where.startsWith("`serve."));
    assertEquals(expected, said);
  }

  @Test
  void managementListensEverywhereAndProfilingOnLoopback() {
    assertEquals("", ListenerSettings.standard(4457).host());
    assertEquals(List.of("localhost", "127.0.0.1", "[::1]"), ListenerSettings.standard(4457).statusHosts());
    assertEquals(new Settings.Profiling(false, "127.0.0.1", 10251), Settings.Profiling.STANDARD);
  }
}

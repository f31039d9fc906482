package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstalledPageTest {
  @TempDir
  private Path share;

  private String shown(String topic) throws Arguments.UsageException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int status = new InstalledPage(new Console(print, print), share, topic).run(Arguments.parse(List.of(), List.of()));
    return status + " " + out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"logs", "metrics"})
  void printsThePageForATerminal(String topic) throws Exception {
    Path folder = Files.createDirectories(share.resolve("config/docs/reference"));
    Files.copy(ReferencePages.FOLDER.resolve(topic + ".md"), folder.resolve(topic + ".md"));
    String out = shown(topic);
    assertTrue(out.toLowerCase().startsWith("0 " + topic + "\n=="), out);
    assertTrue(!out.contains("| --- |") && out.lines().count() > 20, out);
    assertTrue(CommandResult.of("help").out().contains("portcullis help " + topic + " "));
  }

  @Test
  void missingPageIsNamed() throws Exception {
    assertEquals("1 portcullis: the page of this topic is missing: " + share
        + "/config/docs/reference/logs.md: no such file or folder\n", shown("logs"));
  }
}

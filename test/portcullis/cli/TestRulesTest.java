package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file that {@code test} writes. */
class TestRulesTest {
  @TempDir
  private Path folder;

  private CommandResult test() throws Exception {
    Path config = Files.writeString(folder.resolve("config.yaml"), """
        mechanisms: { authenticators: [ { id: anyone, type: anonymous } ] }
        default_rule: { execute: [ { authenticator: anyone } ] }
        """);
    Path cases = Files.writeString(folder.resolve("a_test.yaml"),
        "cases: [ { name: a, request: GET https://h/a, expect: { decision: allow } } ]\n");
    return CommandResult.of("test", "--insecure", "-c", config.toString(), "--coverage-file",
        folder.resolve("coverage.json").toString(), cases.toString());
  }

  @Test
  void theFileIsWritten() throws Exception {
    CommandResult result = test();
    assertEquals(0, result.status(), result.err());
    assertTrue(Files.isRegularFile(folder.resolve("coverage.json")));
    assertFalse(Files.exists(folder.resolve("coverage.json.new")));
  }

  @Test
  @Timeout(60)
  void aPipeInPlaceOfTheDraftIsNotWaitedFor() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", folder.resolve("coverage.json.new").toString()).start().waitFor());
    CommandResult result = test();
    assertEquals(2, result.status(), result.err());
    assertTrue(result.err().contains("coverage.json.new: it is not a regular file"), result.err());
    assertFalse(Files.exists(folder.resolve("coverage.json")));
  }
}

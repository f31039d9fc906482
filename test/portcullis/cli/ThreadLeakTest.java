package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.serve.runtime.Site;

/** Commands that are done have ended their threads, whether all was well or not. */
final class ThreadLeakTest {
  @TempDir
  private Path folder;

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("log writer") || thread.getName().startsWith("client-"))
        .collect(Collectors.toSet());
  }

  private void leavesNoThread(int status, String... words) throws Exception {
    Set<Thread> before = threads();
    assertEquals(status, CommandResult.of(words).status());
    for (Thread thread : threads()) {
      if (!before.contains(thread)) {
        thread.join(60_000);
        assertTrue(!thread.isAlive(), thread.getName());
      }
    }
  }

  @Test
  void validateAndExplainLeaveNoThread() throws Exception {
    String good = Files.writeString(folder.resolve("c.yaml"), Site.MECHANISMS).toString();
    String bad = Files.writeString(folder.resolve("bad.yaml"), Site.MECHANISMS.replace("type: noop", "type: nop"))
        .toString();
    String rules = Files.writeString(folder.resolve("r.yaml"), "version: 1alpha4\nrules:\n" + Site.rule("r", "/r"))
        .toString();
    leavesNoThread(0, "validate", "config", "-c", good, "--insecure");
    leavesNoThread(1, "validate", "config", "-c", bad, "--insecure");
    leavesNoThread(0, "validate", "rules", rules, "-c", good, "--insecure");
    leavesNoThread(1, "validate", "rules", rules, "-c", bad, "--insecure");
    leavesNoThread(0, "explain", "https://app.example/r", "-c", good, "--insecure");
    leavesNoThread(1, "explain", "https://app.example/r", "-c", bad, "--insecure");
  }
}

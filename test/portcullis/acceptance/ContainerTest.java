package portcullis.acceptance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;

/** The image that podman builds from the release. */
final class ContainerTest {
  private static final int IMPOSSIBLE = 77;

  @TempDir
  private Path folder;

  @Test
  void runsWithAReadOnlyRootOnABaseWithoutShell() throws IOException {
    Release.assumeTool("podman");
    Release.assumeTool("curl");
    Release.Outcome outcome = Release.run(Map.of(), "bash", "test/data/service/container.sh", folder.toString(),
        Release.FOLDER.toString(), "" + FreePort.next(), "" + FreePort.next());
    Needs.possible(outcome.status() != IMPOSSIBLE, "a container: " + outcome.output());
    outcome.assertStatus(0).assertSays("open 200\n").assertSays("Portcullis started");
  }
}

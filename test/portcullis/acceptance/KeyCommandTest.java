package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code portcullis key} in a shell. */
class KeyCommandTest {
  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource({"077, rw-------", "022, rw-r-----", "002, rw-r-----"})
  void aNewFileIsForThoseWhomTheShellAllows(String umask, String permissions) throws Exception {
    Path file = folder.resolve("keys.yaml");
    Release.Outcome made = Release.run(Map.of(), "sh", "-c",
        "umask " + umask + " && exec build/image/bin/portcullis key new --file " + file + " --subject ci");
    assertEquals(0, made.status(), made.toString());
    assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }
}

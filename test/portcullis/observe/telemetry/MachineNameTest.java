package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineNameTest {
  @TempDir
  private Path folder;

  @Test
  void theNameIsThatOfTheKernel() throws IOException {
    assertEquals("edge-7", MachineName.read(Files.writeString(folder.resolve("name"), "edge-7\n")));
  }

  @Test
  void withoutTheFileTheNameIsLookedUp() throws IOException {
    assertFalse(MachineName.read(folder.resolve("none")).isBlank());
    assertFalse(MachineName.read(Files.writeString(folder.resolve("empty"), "\n")).isBlank());
  }
}

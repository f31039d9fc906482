package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnreadableFileTest {
  @TempDir
  private Path folder;

  @Test
  void saysWhyAFileCannotBeRead() {
    Path file = Path.of("/etc/x.yaml");
    assertEquals("`/etc/x.yaml`: there is no such file",
        UnreadableFile.message(file, new NoSuchFileException("/etc/x.yaml")));
    assertEquals("`/etc/x.yaml`: permission denied",
        UnreadableFile.message(file, new AccessDeniedException("/etc/x.yaml")));
    assertEquals("`/etc/x.yaml`: permission denied to `/etc`",
        UnreadableFile.message(file, new AccessDeniedException("/etc")));
    assertEquals("`/etc/x.yaml`: it is not UTF-8 text", UnreadableFile.message(file, new MalformedInputException(1)));
    assertEquals("`/etc/x.yaml`: Input/output error",
        UnreadableFile.message(file, new IOException("Input/output error")));
  }

  @Test
  void namesAFolder() {
    try {
      Files.readString(folder);
    } catch (IOException e) {
      assertEquals("`" + folder + "`: it is a folder, not a file", UnreadableFile.message(folder, e));
      return;
    }
    throw new AssertionError("a folder was read");
  }

  @Test
  void namesTheFolderOfARelativePath() {
    assertEquals("`x.yaml` in `" + Path.of("").toAbsolutePath() + "`: there is no such file",
        UnreadableFile.message(Path.of("x.yaml"), new NoSuchFileException("x.yaml")));
  }
}

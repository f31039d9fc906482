package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChangesTest {
  private static final Instant WRITTEN = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir
  private Path folder;
  private Path file;
  private Instant now = WRITTEN;
  private final FileChanges changes = new FileChanges(() -> now);

  @BeforeEach
  void prepare() throws IOException {
    file = folder.resolve("key.pem");
    write("one", WRITTEN);
    assertEquals(List.of(), look());
  }

  private void write(String text, Instant at) throws IOException {
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(at));
  }

  private List<Path> look() {
    return changes.changed(List.of(file));
  }

  @Test
  void aChangeIsReportedOnceItIsComplete() throws IOException {
    write("more", WRITTEN.plusSeconds(1));
    assertEquals(List.of(), look());
    assertEquals(List.of(file), look());
    assertEquals(List.of(), look());
  }

  /** The clock of a file system goes in steps of some milliseconds. */
  @Test
  void aChangeWithinTheStepOfTheClockIsNoticed() throws IOException {
    write("two", WRITTEN);
    assertEquals(List.of(file), look());
    write("six", WRITTEN);
    now = WRITTEN.plusSeconds(1);
    assertEquals(List.of(file), look());
    assertEquals(List.of(), look());
  }

  /** What is older has had another time when it was written again. */
  @Test
  void onlyNewFilesAreRead() throws IOException {
    now = WRITTEN.plusSeconds(1);
    assertEquals(List.of(), look());
    write("two", WRITTEN);
    assertEquals(List.of(), look());
  }

  @Test
  void aRemovedFileHasChanged() throws IOException {
    Files.delete(file);
    assertEquals(List.of(), look());
    assertEquals(List.of(file), look());
  }
}

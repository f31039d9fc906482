package portcullis.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoFilesTest {
  @TempDir
  private Path folder;
  private Path share;
  private Path here;

  @BeforeEach
  void prepare() throws IOException {
    share = files(folder.resolve("share"), "original");
    here = Files.createDirectory(folder.resolve("here"));
  }

  private static Path files(Path at, String text) throws IOException {
    for (String name : new String[] {"config", "rules"}) {
      Files.createDirectories(at.resolve(name));
      Files.writeString(at.resolve(name + "/demo.yaml"), text);
    }
    return at;
  }

  private DemoFiles found() throws IOException {
    return DemoFiles.of(Optional.empty(), Optional.empty(), here, share);
  }

  @Test
  void areCopiedToTheWorkingFolderOnce() throws IOException {
    try (DemoFiles files = found()) {
      assertEquals(here.resolve("portcullis-demo/rules/demo.yaml"), files.rules());
      assertEquals("original", Files.readString(files.config()));
      Files.writeString(files.rules(), "edited");
    }
    try (DemoFiles again = found()) {
      assertEquals("edited", Files.readString(again.rules()));
      assertEquals("", again.note());
    }
    Files.delete(here.resolve("portcullis-demo/config/demo.yaml"));
    try (DemoFiles again = found()) {
      assertEquals("original", Files.readString(again.config()));
      assertEquals("edited", Files.readString(again.rules()));
    }
  }

  @Test
  void ofAProjectAreUsedInPlace() throws IOException {
    files(here, "mine");
    assertEquals(here.resolve("rules/demo.yaml"), found().rules());
    assertFalse(Files.exists(here.resolve("portcullis-demo")));
  }

  @Test
  void areTemporaryIfTheFolderCannotBeWritten() throws IOException {
    Files.writeString(here.resolve("portcullis-demo"), "a file in the way");
    DemoFiles files = found();
    assertEquals("original", Files.readString(files.rules()));
    assertTrue(files.note().startsWith("Changes are lost at the end, as the files are in a temporary folder: " + here),
        files.note());
    files.close();
    files.close();
    assertFalse(Files.exists(files.rules().getParent()));
  }

  @Test
  void givenOnesAreUsed() throws IOException {
    Path mine = Files.writeString(folder.resolve("mine.yaml"), "mine");
    DemoFiles files = DemoFiles.of(Optional.empty(), Optional.of(mine), here, share);
    assertEquals(mine, files.rules());
    assertEquals(here.resolve("portcullis-demo/config/demo.yaml"), files.config());
  }

  @Test
  void missingOnesAreNamedAndNothingIsCopied() {
    Optional<Path> none = Optional.of(folder.resolve("none.yaml"));
    NoSuchFileException e = assertThrows(NoSuchFileException.class,
        () -> DemoFiles.of(Optional.empty(), none, here, share));
    assertEquals(none.get().toString(), e.getFile());
    assertFalse(Files.exists(here.resolve("portcullis-demo")));
  }
}

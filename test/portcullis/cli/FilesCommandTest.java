package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  @TempDir
  private Path folder;
  private Path share;

  @BeforeEach
  void prepare() throws IOException {
    share = folder.resolve("share");
    Files.createDirectories(share.resolve("config/docs"));
    Files.writeString(share.resolve("config/a.yaml"), "a");
    Files.writeString(share.resolve("config/docs/b.md"), "b");
  }

  private String run(String... words) throws Arguments.UsageException {
    out.reset();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int status = new FilesCommand(new Console(print, print), share).run(Arguments.parse(List.of(words), List.of()));
    return status + " " + out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void listsWithoutAFolder() throws Exception {
    assertEquals("0 config/a.yaml\nconfig/docs/b.md\n", run());
  }

  @Test
  void copiesToANewFolder() throws Exception {
    Path to = folder.resolve("x/y");
    assertEquals("0 2 files in " + to + "\n", run(to.toString()));
    assertEquals("b", Files.readString(to.resolve("config/docs/b.md")));
  }

  @Test
  void namesWhereToBegin() throws Exception {
    Files.writeString(share.resolve("README.md"), "r");
    Path to = folder.resolve("z");
    assertEquals("0 3 files in " + to + ", begin with " + to.resolve("README.md") + "\n", run(to.toString()));
  }

  @Test
  void emptyNameOfAFolderIsWrongUsage() throws Exception {
    assertThrows(Arguments.UsageException.class, () -> run(""));
    assertEquals(2, CommandResult.of("files", "").status());
  }

  @Test
  void overwritesNothing() throws Exception {
    Path to = Files.createDirectories(folder.resolve("to/config"));
    Files.writeString(to.resolve("a.yaml"), "mine");
    assertEquals("1 portcullis: nothing was copied, as `" + to.resolve("a.yaml") + "` exists\n",
        run(folder.resolve("to").toString()));
    assertEquals("mine", Files.readString(to.resolve("a.yaml")));
    assertFalse(Files.exists(to.resolve("docs")));
  }

  @Test
  void fileInTheWayIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals("1 portcullis: cannot copy: " + file + "/config: Not a directory\n", run(file.toString()));
  }

  @Test
  void missingFilesAreReported() throws Exception {
    share = folder.resolve("none");
    assertEquals("1 portcullis: the files that come with the program are missing: there is no folder `" + share
        + "`\n", run());
  }
}

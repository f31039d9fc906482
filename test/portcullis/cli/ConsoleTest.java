package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class ConsoleTest {
  @TempDir
  private Path folder;

  private static String shown(boolean colours) {
    Problems problems = new Problems();
    problems.error(new Origin.InFile(new SourceFile("f", "a: b\n"), 1, 4, 1), "a", "wrong", "");
    problems.warning(new Origin.InEnvironment("X"), "", "odd", "");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    new Console(CommandResult.print(new ByteArrayOutputStream()), CommandResult.print(err), colours).show(problems);
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void coloursAreForTerminalsOnly() {
    assertEquals("environment X: warning: odd\nf:1:4: a: wrong\n    a: b\n       ^\n1 error\n", shown(false));
    assertEquals("\033[1menvironment X\033[0m: warning: odd\n\033[1mf:1:4\033[0m: a: wrong\n    a: b\n    \033[1;31m "
        + "  ^\033[0m\n"
        + "\033[1;31m1 error\033[0m\n", shown(true));
  }

  @Test
  void honoursNoColor() {
    assertTrue(Terminal.wanted(Map.of("TERM", "xterm")));
    assertTrue(Terminal.wanted(Map.of("TERM", "xterm", "NO_COLOR", "")));
    assertFalse(Terminal.wanted(Map.of("TERM", "xterm", "NO_COLOR", "1")));
    assertFalse(Terminal.wanted(Map.of("TERM", "dumb")));
    assertFalse(Terminal.wanted(Map.of()));
  }

  @Test
  void aFileOrPipeIsNoTerminal() throws IOException {
    assertTrue(Terminal.shown(Files.createSymbolicLink(folder.resolve("tty"), Path.of("/dev/pts/3"))));
    assertFalse(Terminal.shown(Files.createSymbolicLink(folder.resolve("file"), folder.resolve("x"))));
    assertFalse(Terminal.shown(Files.createSymbolicLink(folder.resolve("pipe"), Path.of("pipe:[123]"))));
  }
}

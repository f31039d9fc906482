package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.ChangedProgram;

/** The demonstration is a jar of its own, without which everything else works. */
final class DemoJarTest {
  @TempDir
  private Path folder;

  @Test
  void worksWithoutTheDemonstration() throws Exception {
    ChangedProgram program = new ChangedProgram(folder).without("demo");
    ChangedProgram.Run demo = program.run("demo");
    assertEquals(1, demo.status(), demo.output());
    assertTrue(demo.output().startsWith("portcullis: the demonstration is not part of this image"), demo.output());
    ChangedProgram.Run valid = program.run("validate", "config", "--insecure", "-c",
        Files.writeString(folder.resolve("c.yaml"), "log: {level: info}").toString());
    assertEquals(0, valid.status(), valid.output());
    assertTrue(program.run("help").output().contains("portcullis demo"));
  }

  @Test
  void onlyOneClassUsesTheDemonstration() throws IOException {
    Path sources = Path.of("src/portcullis");
    try (Stream<Path> files = Files.walk(sources)) {
      List<String> users = files.filter(f -> f.toString().endsWith(".java") && !f.startsWith(sources.resolve("demo")))
          .filter(DemoJarTest::importsDemo).map(f -> sources.relativize(f).toString()).toList();
      assertEquals(List.of("cli/DemoRun.java"), users);
    }
  }

  private static boolean importsDemo(Path file) {
    try {
      return Files.readString(file).contains("import portcullis.demo.");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

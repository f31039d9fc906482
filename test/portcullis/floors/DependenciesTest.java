package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code build.sh deps} accepts as the folder of jars. */
class DependenciesTest {
  private static final Path LOCK = Path.of("jlink/dependencies.lock");

  @TempDir
  private Path folder;
  private Path jars;
  private Path programs;

  /** Links to the jars of this build, and a Maven that leaves a trace when it is called. */
  @BeforeEach
  void prepare() throws IOException {
    jars = folder.resolve("jars");
    Path from = Path.of(System.getenv().getOrDefault("PORTCULLIS_DEPS", "build/deps")).toAbsolutePath();
    for (String jar : names()) {
      Files.createDirectories(jars.resolve(jar).getParent());
      Files.createSymbolicLink(jars.resolve(jar), from.resolve(jar).toRealPath());
    }
    programs = Files.createDirectory(folder.resolve("programs"));
    Path maven = Files.writeString(programs.resolve("mvn"), "#!/bin/sh\ntouch '" + folder.resolve("called")
        + "'\nexit 1\n");
    assertTrue(maven.toFile().setExecutable(true));
  }

  private static List<String> names() throws IOException {
    return Files.readAllLines(LOCK).stream().map(line -> line.substring(line.indexOf("  ") + 2)).toList();
  }

  private int deps() throws IOException, InterruptedException {
    ProcessBuilder build = new ProcessBuilder("./build.sh", "deps").redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile());
    build.environment().put("PORTCULLIS_DEPS", jars.toString());
    build.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
    return build.start().waitFor();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  @Test
  void completeFolderNeedsNoNetwork() throws IOException, InterruptedException {
    assertEquals(0, deps(), this::outputOrNothing);
    assertTrue(Files.notExists(folder.resolve("called")));
  }

  @Test
  void changedJarIsRefused() throws IOException, InterruptedException {
    Path jar = jars.resolve(names().getFirst());
    byte[] bytes = Files.readAllBytes(jar);
    Files.delete(jar);
    Files.write(jar, bytes, StandardOpenOption.CREATE_NEW);
    Files.write(jar, new byte[] {0}, StandardOpenOption.APPEND);
    assertNotEquals(0, deps());
    assertTrue(output().contains(names().getFirst()) && output().contains("are not those of jlink/dependencies.lock"),
        output());
  }

  private String outputOrNothing() {
    try {
      return output();
    } catch (IOException e) {
      return e.toString();
    }
  }
}

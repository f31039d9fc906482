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
    program("mvn", "echo \"$@\" >'" + folder.resolve("called") + "'\nexit 1");
  }

  private void program(String name, String script) throws IOException {
    Path program = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + script + "\n");
    assertTrue(program.toFile().setExecutable(true));
  }

  /** The machine of native code as the names of jars have it. */
  private static String machine() {
    return "linux-" + switch (System.getProperty("os.arch")) {
      case "amd64" -> "x86_64";
      case "aarch64" -> "aarch_64";
      default -> System.getProperty("os.arch");
    };
  }

  /** Returns the jars for this machine. */
  private static List<String> names() throws IOException {
    return Files.readAllLines(LOCK).stream().map(line -> line.substring(line.indexOf("  ") + 2))
        .filter(name -> !name.contains("-linux-") || name.endsWith("-" + machine() + ".jar")).toList();
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

  @Test
  void nativeCodeIsThatOfTheMachine() throws IOException, InterruptedException {
    boolean isArm = machine().equals("linux-aarch_64");
    String other = isArm ? "linux-x86_64" : "linux-aarch_64";
    program("uname", "[ \"$1\" = -m ] || exec /bin/uname \"$@\"\necho " + (isArm ? "x86_64" : "aarch64"));
    assertNotEquals(0, deps());
    assertTrue(Files.readString(folder.resolve("called")).contains("-Dnative=" + other + " "));
  }

  @Test
  void nativeCodeOfAnotherMachineIsRefused() throws IOException, InterruptedException {
    String other = Files.readAllLines(LOCK).stream().map(line -> line.substring(line.indexOf("  ") + 2))
        .filter(name -> name.contains("-linux-") && !name.contains(machine())).findFirst().orElseThrow();
    Files.writeString(jars.resolve(other), "");
    assertNotEquals(0, deps());
    assertTrue(output().contains("does not list for " + machine() + ": " + other), output());
  }

  private String outputOrNothing() {
    try {
      return output();
    } catch (IOException e) {
      return e.toString();
    }
  }
}

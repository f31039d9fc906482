package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RunningImage;

/** How the demonstration starts, is changed while it runs, and ends. */
final class DemoRunTest {
  private static final String HOME = "http://127\\.0\\.0\\.1:\\d+/";

  @Test
  void changedRulesCountAndBrokenOnesDoNot(@TempDir Path folder) throws Exception {
    try (RunningImage image = RunningImage.startIn(folder, "demo", "--port", "0");
        HttpClient client = HttpClient.newHttpClient()) {
      String home = image.await(HOME).group();
      DemoVisitor bob = DemoVisitor.program(client, home).signedInAs("bob");
      DemoVisitor browser = DemoVisitor.browser(client, home);
      Path rules = Path.of(image.await("Its rules are in (\\S+):").group(1));
      assertEquals(folder.toRealPath().resolve("portcullis-demo/rules/demo.yaml"), rules.toRealPath());
      String text = Files.readString(rules);
      assertEquals(403, bob.get("/admin").statusCode());

      Files.writeString(rules, text.replace("group: admin", "group: staff"));
      bob.await("/admin", 200);
      assertFalse(browser.get("/").body().contains("role=\"alert\""));

      String broken = text.replaceFirst("authenticator: login", "authenticator: logn");
      Files.writeString(rules, broken);
      image.await("demo\\.yaml:\\d+:\\d+: .*logn");
      assertEquals(200, bob.get("/admin").statusCode());
      String page = browser.get("/").body();
      assertTrue(page.contains("The last good ones stay in force") && page.contains("no authenticator `logn`"), page);

      // saved again as it is: its error is known
      Files.writeString(rules, broken);
      Files.writeString(rules, text);
      bob.await("/admin", 403);
      assertFalse(browser.get("/").body().contains("role=\"alert\""));
      assertEquals(1, image.output().lines().filter(line -> line.contains("`logn`")).count(), image.output());
    }
  }

  @Test
  void editsSurviveTheNextStart(@TempDir Path folder) throws Exception {
    try (RunningImage image = RunningImage.startIn(folder, "demo", "--port", "0")) {
      Path rules = Path.of(image.await("Its rules are in (\\S+):").group(1));
      Files.writeString(rules, Files.readString(rules).replace("path: /me", "path: /mine"));
      assertEquals(0, image.stop(), image.output());
    }
    try (RunningImage image = RunningImage.startIn(folder, "demo", "--port", "0");
        HttpClient client = HttpClient.newHttpClient()) {
      DemoVisitor ann = DemoVisitor.program(client, image.await(HOME).group()).signedInAs("ann");
      assertEquals(200, ann.get("/mine").statusCode());
      assertEquals(401, ann.get("/me").statusCode());
    }
  }

  @Test
  void aFolderThatCannotBeWrittenGetsATemporaryCopy(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("portcullis-demo"), "in the way");
    try (RunningImage image = RunningImage.startIn(folder, "demo", "--port", "0")) {
      Path rules = Path.of(image.await("Its rules are in (\\S+):").group(1));
      image.await("Changes are lost at the end, as the files are in a temporary folder: .*portcullis-demo");
      assertTrue(Files.exists(rules));
      assertEquals(0, image.stop(), image.output());
      assertFalse(Files.exists(rules));
    }
  }

  @Test
  void filesOfOnesOwnAreTaken(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("mine.yaml");
    Files.writeString(rules, Files.readString(Path.of("rules/demo.yaml")).replace("path: /me", "path: /mine"));
    try (RunningImage image = RunningImage.startIn(folder, "demo", "--port", "0", "--rules", "mine.yaml");
        HttpClient client = HttpClient.newHttpClient()) {
      DemoVisitor ann = DemoVisitor.program(client, image.await(HOME).group()).signedInAs("ann");
      assertEquals(200, ann.get("/mine").statusCode());
      assertEquals(401, ann.get("/me").statusCode());
    }
  }

  @ParameterizedTest
  @CsvSource({"0, the upstream", "1, the identity service", "2, the relation service", "3, management service",
    "4, proxy service"})
  void takenPortIsAClearError(int which, String shown) throws Exception {
    int first = fiveFreePorts();
    int port = first + which;
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
        RunningImage image = RunningImage.start(
            "demo", "--world-port", "" + first, "--management-port", "" + (first + 3), "--port=" + (first + 4))) {
      assertEquals(1, image.exitStatus());
      assertTrue(image.output().contains("port " + taken.getLocalPort()), image.output());
      assertTrue(image.output().contains(shown) && !image.output().contains("Exception"), image.output());
    }
  }

  /** The first of five ports in a row that nobody has at the moment. */
  private static int fiveFreePorts() throws IOException {
    IOException last = new IOException("no port is free");
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(12_000, 28_000);
      try {
        for (int i = 0; i < 5; i++) {
          new ServerSocket(first + i, 1, InetAddress.getByName("127.0.0.1")).close();
        }
        return first;
      } catch (BindException e) {
        last = e;
      }
    }
    throw last;
  }

  @Test
  void endsInOrderOnTermAndLeavesNothing(@TempDir Path folder) throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Map<String, String> variables = Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    try (RunningImage image = RunningImage.startIn(folder, variables, "demo", "--port", "0")) {
      image.await("Ctrl-C");
      assertEquals(1, demoFolders(temporary));
      assertEquals(0, image.stop(), image.output());
      assertEquals(0, demoFolders(temporary));
      assertFalse(image.output().contains("Exception"), image.output());
    }
  }

  private static long demoFolders(Path temporary) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(file -> file.getFileName().toString().startsWith("portcullis-demo-")).count();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --port x                  | 2 | `--port` is a port
      --port 70000              | 2 | `--port` is a port
      --world-port 0            | 2 | `--world-port` is a port
      --port 4461               | 2 | do not go together
      --rules nowhere.yaml      | 1 | there is no file `nowhere.yaml`
      --config nowhere.yaml     | 1 | there is no file `nowhere.yaml`
      somewhere                 | 2 | `somewhere` is not expected here
      """)
  void reportsWrongUsage(String words, int status, String shown) throws Exception {
    try (RunningImage image = RunningImage.start(("demo " + words).split(" "))) {
      assertEquals(status, image.exitStatus());
      assertTrue(image.output().contains(shown), image.output());
    }
  }
}

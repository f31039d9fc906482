package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RunningImage;

/** How the demonstration starts, is changed while it runs, and ends. */
final class DemoRunTest {
  private static final String HOME = "http://127\\.0\\.0\\.1:\\d+/";

  @Test
  void changedRulesCountAndBrokenOnesDoNot() throws Exception {
    try (RunningImage image = RunningImage.start("demo", "--port", "0"); HttpClient client = HttpClient.newHttpClient()) {
      DemoVisitor bob = DemoVisitor.program(client, image.await(HOME).group()).signedInAs("bob");
      Path rules = Path.of(image.await("Its rules are in (\\S+):").group(1));
      String text = Files.readString(rules);
      assertEquals(403, bob.get("/admin").statusCode());

      Files.writeString(rules, text.replace("group: admin", "group: staff"));
      image.await("Update of a rule set received");
      assertEquals(200, bob.get("/admin").statusCode());

      Files.writeString(rules, text.replace("authenticator: session", "authenticator: sesion"));
      image.await("rules\\.yaml:\\d+:\\d+: .*sesion");
      assertEquals(200, bob.get("/admin").statusCode());

      int before = image.output().length();
      Files.writeString(rules, text);
      image.awaitAfter(before, "Update of a rule set received");
      assertEquals(403, bob.get("/admin").statusCode());
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
  @CsvSource({"--port, for the proxy", "--management-port, management service", "--world-port, for the upstream"})
  void takenPortIsAClearError(String option, String told) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      try (RunningImage image = RunningImage.start("demo", option, port)) {
        assertEquals(1, image.exitStatus());
        assertTrue(image.output().contains("port " + port), image.output());
      }
    }
  }

  @Test
  void endsInOrderWhenToldAndLeavesNothing() throws Exception {
    try (RunningImage image = RunningImage.start("demo", "--port", "0")) {
      Path folder = Path.of(image.await("Its rules are in (\\S+):").group(1)).getParent();
      assertTrue(Files.isDirectory(folder));
      assertEquals(0, image.stop(), image.output());
      assertFalse(Files.exists(folder));
      assertFalse(image.output().contains("Exception"), image.output());
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
  void tellsWhatIsWrongWithTheCommand(String words, int status, String told) throws Exception {
    try (RunningImage image = RunningImage.start(("demo " + words).split(" "))) {
      assertEquals(status, image.exitStatus());
      assertTrue(image.output().contains(told), image.output());
    }
  }
}

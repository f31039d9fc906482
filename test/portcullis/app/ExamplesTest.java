package portcullis.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The files that people start from are sound. */
class ExamplesTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int run(String... words) {
    PrintStream print = new PrintStream(said, true, StandardCharsets.UTF_8);
    return new Commands(new Console(print, print)).run(List.of(words));
  }

  @Test
  void theReferenceConfigurationIsValid() {
    assertEquals(0, run("validate", "config", "-c", "config/portcullis.yaml", "--insecure"), said.toString(StandardCharsets.UTF_8));
  }

  @Test
  void theExampleRulesFitIt() {
    assertEquals(0, run("validate", "rules", "--proxy-mode", "-c", "config/portcullis.yaml", "--insecure", "rules/shop.yaml"),
        said.toString(StandardCharsets.UTF_8));
  }

  @Test
  void theReferenceConfigurationNamesEveryKey() throws Exception {
    String text = Files.readString(Path.of("config/portcullis.yaml"));
    for (String key : List.of("log", "tracing", "metrics", "profiling", "serve", "management", "cache", "mechanisms", "default_rule",
        "providers", "watch", "secrets_reload_enabled")) {
      assertTrue(text.contains("\n" + key + ":"), key);
    }
  }
}

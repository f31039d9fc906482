package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.fixture.DemoKeyFiles;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** The files that people start from are sound. */
class ExamplesTest {
  @TempDir
  private Path folder;
  private final ByteArrayOutputStream reported = new ByteArrayOutputStream();

  private int run(String... words) {
    PrintStream print = new PrintStream(reported, true, StandardCharsets.UTF_8);
    return new Commands(new Console(print, print)).run(List.of(words));
  }

  @Test
  void theReferenceConfigurationIsValid() {
    assertEquals(0, run("validate", "config", "-c", "config/portcullis.yaml", "--insecure"),
        reported.toString(StandardCharsets.UTF_8));
  }

  @Test
  void theExampleRulesFitIt() {
    assertEquals(0,
        run("validate", "rules", "--proxy-mode", "-c", "config/portcullis.yaml", "--insecure", "rules/shop.yaml"),
        reported.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"envoy.yaml", "traefik.yaml"})
  void theConfigurationsOfProxiesThatAreNotRunAreYaml(String name) throws Exception {
    Problems problems = new Problems();
    SourceFile file = new SourceFile(name, Files.readString(Path.of("config/front", name)));
    assertTrue(Yaml.read(file, problems).isPresent() && problems.isEmpty(), problems.sorted().toString());
  }

  @Test
  void theRulesBehindProxiesFitTheirConfiguration() throws Exception {
    Path front = Path.of("config/front").toAbsolutePath();
    Path config = Files.writeString(folder.resolve("portcullis.yaml"),
        Files.readString(front.resolve("portcullis.yaml"))
            .replace("src: rules.yaml", "src: " + front.resolve("rules.yaml")));
    assertEquals(0,
        run("validate", "rules", "-c", config.toString(), "--insecure", front.resolve("rules.yaml").toString()),
        reported.toString(StandardCharsets.UTF_8));
  }

  /** Each block is a part of a rule for the demonstration's configuration. */
  @Test
  void thePatternsOfUseAreStepsOfTheDemonstration() throws Exception {
    String text = Files.readString(Path.of("config/demo.yaml"));
    for (Map.Entry<String, String> variable : DemoKeyFiles.write(folder).entrySet()) {
      text = text.replace("${" + variable.getKey() + "}", variable.getValue());
    }
    Path config = Files.writeString(folder.resolve("demo.yaml"), text);
    Matcher block = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$")
        .matcher(Files.readString(Path.of("config/docs/patterns.md")));
    int blocks = 0;
    for (; block.find(); blocks++) {
      Path rules = Files.writeString(folder.resolve("r" + blocks + ".yaml"), "version: 1alpha4\nrules:\n- id: r\n  "
          + "match: {routes: [{path: /:id}]}\n"
          + block.group(1).indent(2) + (block.group(1).startsWith("execute:") ? ""
              : "  execute: [{authenticator: "
                  + "anybody}]\n"));
      assertEquals(0, run("validate", "rules", "-c", config.toString(), "--insecure", rules.toString()),
          reported.toString(StandardCharsets.UTF_8));
    }
    assertEquals(5, blocks);
  }

  @Test
  void theReferenceConfigurationNamesEveryKey() throws Exception {
    String text = Files.readString(Path.of("config/portcullis.yaml"));
    for (String key : List.of("log", "tracing", "metrics", "profiling", "serve", "management", "cache", "mechanisms",
        "default_rule",
        "providers", "watch", "secrets_reload_enabled")) {
      assertTrue(text.contains("\n" + key + ":"), key);
    }
  }
}

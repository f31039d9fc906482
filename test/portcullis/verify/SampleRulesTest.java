package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.DemoKeyFiles;

/** The test cases of the sample rules try all of them, and notice where a step is missing. */
class SampleRulesTest {
  private static final Pattern STEP = Pattern.compile(
      " *- (&[a-z]+$|[{] )?\\s*(authenticator|authorizer|contextualizer|finalizer|error_handler):.*|( *- [*][a-z]+)");

  @TempDir
  private Path folder;
  private Path rules;
  private Path config;
  private Map<String, String> variables = Map.of();

  @BeforeEach
  void copies() throws IOException {
    rules = Files.createDirectories(folder.resolve("rules"));
    config = Files.createDirectories(folder.resolve("config"));
    for (String name : List.of("demo", "shop")) {
      for (String file : List.of(name + ".yaml", name + "_test.yaml")) {
        Files.copy(Path.of("rules", file), rules.resolve(file));
      }
    }
    for (String file : List.of("demo.yaml", "portcullis.yaml")) {
      Files.copy(Path.of("config", file), config.resolve(file));
    }
    variables = DemoKeyFiles.write(folder);
  }

  private TestSuite suite() {
    TestSuite suite = new TestSuite();
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      suite = suite.with(variable.getKey(), variable.getValue());
    }
    return suite;
  }

  private Optional<Suite.Outcome> run(TestSuite suite, String name) {
    return suite.run(config.resolve("portcullis.yaml"), rules.resolve(name + "_test.yaml"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "shop"})
  void casesCoverAllOfTheRules(String name) {
    TestSuite suite = suite();
    Suite.Outcome outcome = run(suite, name).orElseThrow(() -> new AssertionError(suite.problems()));
    assertEquals(List.of(), outcome.results().stream().filter(result -> !result.passed()).toList());
    assertEquals(List.of(), outcome.coverage().missing());
    assertEquals(List.of(), outcome.unused());
  }

  /** The rules that the proxies of {@code config/front} are tested with. */
  @Test
  void casesCoverTheRulesForProxies() throws IOException {
    Path front = Files.createDirectories(folder.resolve("front"));
    for (String file : List.of("portcullis.yaml", "rules.yaml", "rules_test.yaml")) {
      Files.copy(Path.of("config/front", file), front.resolve(file));
    }
    Path test = front.resolve("rules_test.yaml");
    TestSuite suite = suite();
    Suite.Outcome outcome = suite.run(front.resolve("portcullis.yaml"), test)
        .orElseThrow(() -> new AssertionError(suite.problems()));
    assertEquals(List.of(), outcome.results().stream().filter(result -> !result.passed()).toList());
    assertEquals(List.of(), outcome.coverage().missing());
    List<String> lines = Files.readAllLines(front.resolve("rules.yaml"));
    for (String step : List.of("{ authenticator: anonymous }, ", ", { finalizer: user }", "{ authenticator: nobody }",
        "{ authenticator: anonymous } ")) {
      int at = lines.indexOf(lines.stream().filter(line -> line.contains(step)).reduce((_, last) -> last)
          .orElseThrow());
      List<String> changed = new ArrayList<>(lines);
      changed.set(at, lines.get(at).replace(step, ""));
      Files.write(front.resolve("rules.yaml"), changed);
      Optional<Suite.Outcome> without = suite().run(front.resolve("portcullis.yaml"), test);
      assertTrue(without.isEmpty() || without.get().failed() > 0, "no case notices that this is missing: " + step);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "shop"})
  void aMissingStepIsNoticed(String name) throws IOException {
    Path file = rules.resolve(name + ".yaml");
    List<String> lines = Files.readAllLines(file);
    int removed = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (STEP.matcher(lines.get(i)).matches()) {
        Files.write(file, without(lines, i));
        TestSuite suite = suite();
        Optional<Suite.Outcome> outcome = run(suite, name);
        int line = i;
        assertTrue(outcome.isEmpty() || outcome.get().failed() > 0,
            () -> "no case notices that line " + (line + 1) + " is missing: " + lines.get(line));
        removed += outcome.isPresent() ? 1 : 0;
      }
    }
    assertTrue(removed >= 5, "only " + removed + " steps could be removed");
  }

  /** Without the item that begins at this line. */
  private static List<String> without(List<String> lines, int from) {
    int indent = lines.get(from).indexOf('-');
    int to = from + 1;
    while (to < lines.size() && (lines.get(to).isBlank() || indent(lines.get(to)) > indent)) {
      to++;
    }
    List<String> out = new ArrayList<>(lines.subList(0, from));
    out.addAll(lines.subList(to, lines.size()));
    return out;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}

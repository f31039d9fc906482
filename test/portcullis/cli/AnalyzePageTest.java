package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.verify.Estate;

/** What the page about analyses shows is what the program writes about a public estate of rules. */
class AnalyzePageTest {
  private static final String COMMAND = "    $ portcullis ";

  @TempDir
  private Path folder;

  @BeforeEach
  void copy() throws IOException {
    Estate.in(folder);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).toList()) {
        String text = Files.readString(file);
        for (Map.Entry<String, String> variable : Estate.VARIABLES.entrySet()) {
          text = text.replace("${" + variable.getKey() + "}", variable.getValue());
        }
        Files.writeString(file, text);
      }
    }
    Files.writeString(folder.resolve("history/braces.yaml"), Files.readString(folder.resolve(
        "history/project-after.yaml")).replace("path: /projects/:id\n", "path: /projects/{id}\n"));
  }

  /** The lines of the output; files are named relative to the estate. */
  private List<String> lines(List<String> words) {
    String[] placed = words.stream().map(word -> Files.exists(folder.resolve(word)) && word.contains(".")
        ? folder.resolve(word).toString()
        : word).toArray(String[]::new);
    CommandResult reported = CommandResult.of(placed);
    assertTrue(reported.status() < 2, reported.err());
    return reported.out().lines().map(line -> line.replace(folder + "/", "")).toList();
  }

  @Test
  void samplesAreWhatTheProgramWrites() throws IOException {
    List<String> page = Files.readAllLines(Path.of("config/docs/analyze.md"));
    int samples = 0;
    for (int i = 0; i < page.size(); i++) {
      if (page.get(i).startsWith(COMMAND)) {
        List<String> wanted = page.subList(i + 1, page.size()).stream().takeWhile(line -> line.startsWith("    "))
            .map(line -> line.substring(4)).toList();
        assertInOrder(lines(List.of(page.get(i).substring(COMMAND.length()).split(" "))), wanted);
        samples++;
      }
    }
    assertEquals(4, samples);
  }

  private static void assertInOrder(List<String> lines, List<String> wanted) {
    int next = 0;
    for (String line : wanted) {
      Pattern pattern = Pattern.compile(Stream.of(line.split("…", -1)).map(Pattern::quote)
          .collect(Collectors.joining(".*")));
      int from = next;
      while (next < lines.size() && !pattern.matcher(lines.get(next)).matches()) {
        next++;
      }
      assertTrue(next < lines.size(), () -> line + "\nis not in\n" + String.join("\n", lines.subList(from,
          lines.size())));
      next++;
    }
  }

  private List<String> found(String... words) {
    List<String> all = new ArrayList<>(List.of("analyze", "--insecure", "-c", "config.yaml"));
    all.addAll(List.of(words));
    return lines(all);
  }

  @Test
  void theListIsPublicBeforeAndNotAfter() {
    String kind = "public: GET /projects is allowed without valid credentials";
    assertEquals(1, found("--public", "history/project-before.yaml").stream().filter(l -> l.contains(kind)).count());
    assertEquals(0, found("--public", "history/project-after.yaml").stream().filter(l -> l.contains(kind)).count());
  }

  @Test
  void exactlyTheChangeIsADifference() {
    List<String> changes = found("--against", "history/project-before.yaml", "history/project-after.yaml").stream()
        .filter(line -> !line.startsWith(" ")).toList();
    assertEquals(List.of("history/project-after.yaml:55:5: newly-refused: GET /projects is newly refused",
        "1 finding in 18 rules"), changes);
    List<String> back = found("--against", "history/project-after.yaml", "history/project-before.yaml").stream()
        .filter(line -> !line.startsWith(" ")).toList();
    assertEquals(2, back.size());
    assertTrue(back.getFirst().endsWith(": error: newly-allowed: GET /projects is newly allowed"), back.toString());
  }

  /** The same rules as an object of Kubernetes are decided like those of a file. */
  @Test
  void theKubernetesObjectIsAnalyzed() {
    List<String> found = found("--public", "crd.yaml");
    assertTrue(found.stream().anyMatch(line -> line.contains("crd.yaml:") && line.contains(": public: GET /")),
        found.toString());
    assertTrue(found.getLast().contains(" in 18 rules"), found.getLast());
  }

  /** All operations of each service have rules, and only the descriptions of the interface have no operation. */
  @Test
  void operationsOfEveryServiceHaveRules() {
    for (String service : List.of("committee", "project", "query")) {
      List<String> found = found("--openapi", "openapi/" + service + ".yaml", "rules/" + service + ".yaml").stream()
          .filter(line -> !line.startsWith(" ")).toList();
      assertTrue(found.getLast().startsWith("4 findings in "), found.toString());
      assertTrue(found.subList(0, 4).stream().allMatch(line -> line.contains(": rule-without-operation: ")
          && line.contains("/openapi")), found.toString());
    }
  }

  @Test
  void unquotedValuesOfEveryServiceAreFound() {
    for (Map.Entry<String, Integer> service : Map.of("committee", 34, "project", 16, "query", 0).entrySet()) {
      long tainted = found("--only", "tainted-template", "rules/" + service.getKey() + ".yaml").stream()
          .filter(line -> line.contains(": tainted-template: ")).count();
      assertEquals(service.getValue().longValue(), tainted, service.getKey());
    }
  }
}

package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.RunningImage;
import portcullis.verify.Estate;

/** {@code portcullis analyze} as an operator calls it, on a public estate of rules. */
class AnalyzeCommandTest {
  private static final String PROJECTS = "public: GET /projects is allowed without valid credentials\n"
      + "  request  GET https://app.example/projects\n";

  private static final String PASSING = "    - { id: passing, type: generic, config: { code: 204 } }\n";

  @TempDir
  private Path folder;
  private Estate estate;

  @BeforeEach
  void copy() {
    estate = Estate.in(folder);
  }

  private Release.Outcome run(String command, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(RunningImage.PROGRAM.toString(), command, "--insecure", "-c",
        estate.file("config.yaml").toString()));
    words.addAll(List.of(more));
    return Release.run(Estate.VARIABLES, words.toArray(String[]::new));
  }

  private String history(String name) {
    return estate.file("history/project-" + name + ".yaml").toString();
  }

  @Test
  void findsTheProjectListThatWasOpenToEverybody() throws IOException {
    Release.Outcome before = run("analyze", "--public", history("before"));
    assertEquals(1, before.status(), before.output());
    assertTrue(before.output().contains(PROJECTS), before.output());
    Release.Outcome after = run("analyze", "--public", history("after"));
    assertEquals(1, after.status(), after.output());
    assertFalse(after.output().contains("public: GET /projects is"), after.output());
  }

  @Test
  void againstTheRulesOfBeforeOneRequestIsRefused() throws IOException {
    Release.Outcome outcome = run("analyze", "--against", history("before"), history("after"));
    assertEquals(1, outcome.status(), outcome.output());
    assertTrue(outcome.output().contains("newly-refused: GET /projects is newly refused\n"
        + "  request  GET https://app.example/projects\n"), outcome.output());
    assertTrue(outcome.output().endsWith("1 finding in 18 rules\n"), outcome.output());
    assertEquals(0, run("analyze", "--against", history("after"), history("after")).status());
  }

  @Test
  void explainSaysTheSameOfTheRequest() throws IOException {
    Path config = estate.file("config.yaml");
    Files.writeString(config, Files.readString(config).replace("src: " + folder.resolve("rules"),
        "src: " + history("before")));
    Release.Outcome outcome = run("explain", "GET", "https://app.example/projects");
    assertTrue(outcome.output().contains("allowed, subject `_anonymous`"), outcome.output());
  }

  @Test
  void findsOperationsWithoutRuleForBracedPaths() throws IOException {
    String document = estate.file("history/project-after.openapi.yaml").toString();
    Release.Outcome good = run("analyze", "--openapi", document, history("after"));
    assertFalse(good.output().contains("operation-without-rule"), good.output());
    Path rules = Path.of(history("after"));
    Files.writeString(rules, Files.readString(rules).replace("path: /projects/:id\n", "path: /projects/{id}\n"));
    Release.Outcome outcome = run("analyze", "--openapi", document, rules.toString());
    assertEquals(3, outcome.output().lines().filter(line -> line.contains("operation-without-rule: no rule is for")
        && line.contains(" /projects/{")).count(), outcome.output());
    assertTrue(outcome.output().contains("\n  request  DELETE https://app.example/projects/1\n"), outcome.output());
  }

  @Test
  void unquotedTemplatesAreWarningsOrErrors() throws IOException {
    Release.Outcome loose = run("validate", "rules", estate.file("rules").toString());
    assertEquals(0, loose.status(), loose.output());
    assertTrue(loose.output().contains("warning: `.Request.URL.Captures.id` writes a value of the client into JSON"
        + " unquoted, pass it through `quote`"), loose.output());
    Path config = estate.file("config.yaml");
    Files.writeString(config, Files.readString(config) + "strict_templates: true\n");
    Release.Outcome strict = run("validate", "rules", estate.file("rules").toString());
    assertEquals(1, strict.status(), strict.output());
  }

  @Test
  void sarifListsTheSameFindings() throws IOException {
    Release.Outcome outcome = run("analyze", "-o", "sarif", "--public", history("before"));
    assertEquals(1, outcome.status(), outcome.output());
    assertTrue(outcome.output().contains("\"version\":\"2.1.0\"") && outcome.output().contains(
        "GET /projects is allowed without valid credentials. Request: GET https://app.example/projects"),
        outcome.output());
  }

  @Test
  void warnsOfRefusalsThatPass() throws IOException {
    int before = run("analyze", history("after")).status();
    Path config = estate.file("config.yaml");
    String text = Files.readString(config);
    Files.writeString(config, text.contains("  error_handlers:\n")
        ? text.replace("  error_handlers:\n", "  error_handlers:\n" + PASSING)
        : text.replace("mechanisms:\n", "mechanisms:\n  error_handlers:\n" + PASSING));
    Release.Outcome outcome = run("analyze", history("after"));
    assertEquals(before, outcome.status(), "a warning does not count: " + outcome.output());
    assertTrue(outcome.output().contains("code: with the status 204 a refused request passes where a proxy asks the "
        + "decision service, write 400 or more"), outcome.output());
  }

  @Test
  void whatCannotBeAnalyzedIsStatus2() throws IOException {
    assertEquals(2, run("analyze", folder.resolve("none.yaml").toString()).status());
    assertEquals(2, run("analyze", "--against", folder.resolve("none.yaml").toString()).status());
    assertEquals(2, run("analyze", "a", "b").status());
  }
}

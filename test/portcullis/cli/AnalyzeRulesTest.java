package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of analyses, without the image. */
class AnalyzeRulesTest {
  @TempDir
  private Path folder;
  private Path rules;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators: [ { id: anyone, type: anonymous }, { id: closed, type: unauthorized } ]
        default_rule: { execute: [ { authenticator: closed } ] }
        """);
    rules = Files.writeString(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
          - { id: form, match: { routes: [ { path: /form } ], methods: [ GET, POST ] },
              execute: [ { authenticator: anyone } ] }
        """);
  }

  private CommandResult run(String... more) {
    List<String> words = new ArrayList<>(List.of("analyze", "--insecure", "-c",
        folder.resolve("config.yaml").toString(), rules.toString()));
    words.addAll(List.of(more));
    return CommandResult.of(words.toArray(String[]::new));
  }

  private String intents(String text) throws IOException {
    return Files.writeString(folder.resolve("intents.yaml"), text).toString();
  }

  @Test
  void aViolatedIntentFailsTheBuild() throws IOException {
    String intents = intents("intents: [ { id: writes, never: { public: true, methods: [ POST ] } } ]\n");
    CommandResult reported = run("--intents", intents, "--only", "violated-intent");
    assertEquals(1, reported.status(), reported.err());
    assertEquals(rules + ":3:5: error: violated-intent: intent `writes`: POST app.example/form is allowed without valid"
        + " credentials\n  request  POST https://app.example/form\n  rule     `form`\n  intent   `writes` at " + intents
        + ":1:12\n  subject  `anonymous` of authenticator `anyone` (anonymous)\n"
        + "  id       violated-intent/writes/form/POST app.example/form\n1 finding in 1 rules\n", reported.out());
    assertEquals(0, run("--only", "violated-intent").status());
  }

  @Test
  void anAcceptedFindingDoesNotFailTheBuild() throws IOException {
    String accepted = """
        intents: [ { id: writes, never: { public: true, methods: [ POST ] } } ]
        exceptions:
          - { id: violated-intent/writes/form/*, reason: the form is for everybody }
          - { id: public/form/*, reason: the form is for everybody }
        """;
    CommandResult reported = run("--intents", intents(accepted));
    assertEquals("0 findings in 1 rules, 2 accepted\n", reported.out());
    assertEquals(0, reported.status(), reported.err());
    CommandResult stale = run("--intents", intents(accepted + "  - { id: public/gone/*, reason: was open }\n"));
    assertEquals(0, stale.status());
    assertTrue(
        stale.out().contains("intents.yaml:5:5: note: stale-exception: there is no finding `public/gone/*` any more"),
        stale.out());
  }

  @Test
  void mistakesAreStatus2() throws IOException {
    CommandResult wrong = run("--intents", intents("intents: [ { id: writes } ]\n"));
    assertEquals(2, wrong.status());
    assertTrue(wrong.err().contains("intents.yaml:1:12: intents[0]: an intent has either `never` or `always`"),
        wrong.err());
    assertEquals(2, run("--intents", folder.resolve("none.yaml").toString()).status());
    CommandResult kind = run("--only", "publik");
    assertEquals(2, kind.status());
    assertTrue(kind.err().contains("unknown kind `publik`, did you mean `public`?"), kind.err());
  }
}

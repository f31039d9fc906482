package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.KubernetesRules;

/** Rule sets as they are in Kubernetes are validated, tested and analyzed like others. */
class KubernetesFilesTest {
  @TempDir
  private Path folder;
  private String config;

  @BeforeEach
  void write() throws IOException {
    config = Files.writeString(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators: [ { id: anyone, type: anonymous }, { id: closed, type: unauthorized } ]
        default_rule: { execute: [ { authenticator: closed } ] }
        """).toString();
  }

  private String rules(KubernetesRules form) throws IOException {
    return Files.writeString(folder.resolve("rules.yaml"), form.text()).toString();
  }

  @ParameterizedTest
  @EnumSource
  void areValidated(KubernetesRules form) throws IOException {
    CommandResult reported = CommandResult.of("validate", "rules", "--insecure", "-c", config, rules(form));
    assertEquals(0, reported.status(), reported.err());
    Path wrong = Files.writeString(folder.resolve("wrong.yaml"), form.text().replace("anyone", "nobody"));
    CommandResult refused = CommandResult.of("validate", "rules", "--insecure", "-c", config, wrong.toString());
    assertEquals(1, refused.status());
    assertTrue(refused.err().contains("wrong.yaml:") && refused.err().contains("`nobody`"), refused.err());
  }

  @ParameterizedTest
  @EnumSource
  void areTestedWithCoverage(KubernetesRules form) throws IOException {
    rules(form);
    Path test = Files.writeString(folder.resolve("rules_test.yaml"), """
        rules: rules.yaml
        cases:
          - { name: a, request: GET https://h/a, expect: { rule: a, decision: allow } }
          - { name: b, request: GET https://h/b, expect: { rule: b, decision: allow } }
          - { name: none, request: GET https://h/c, expect: { rule: default, decision: refuse } }
        """);
    CommandResult reported = CommandResult.of("test", "--insecure", "--coverage=100", "-c", config, test.toString());
    assertEquals(0, reported.status(), reported.out() + reported.err());
    CommandResult some = CommandResult.of("test", "--insecure", "--coverage", "--run", "a", "-c", config,
        test.toString());
    assertTrue(some.out().matches("(?s).*not covered .*rules\\.yaml:\\d+:\\d+: .*`b`.*"), some.out());
  }

  @ParameterizedTest
  @EnumSource
  void areAnalyzed(KubernetesRules form) throws IOException {
    CommandResult reported = CommandResult.of("analyze", "--public", "--insecure", "-c", config, rules(form));
    assertEquals(1, reported.status(), reported.err());
    for (String id : new String[] {"a", "b"}) {
      assertTrue(reported.out().matches("(?s).*rules\\.yaml:\\d+:\\d+: error: public: any method of /" + id
          + " is allowed without valid credentials\n  request  POST https://app.example/" + id + "\n.*"),
          reported.out());
    }
    assertTrue(reported.out().endsWith("2 findings in 2 rules\n"), reported.out());
    String same = Files.writeString(folder.resolve("same.yaml"), KubernetesRules.V1ALPHA4.text()).toString();
    assertEquals(0, CommandResult.of("analyze", "--insecure", "-c", config, "--against", same, rules(form)).status());
  }
}

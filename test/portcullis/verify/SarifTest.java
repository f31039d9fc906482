package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.SnakeYamlNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.fixture.Needs;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

/** Findings in the Static Analysis Results Interchange Format (SARIF) 2.1.0. */
class SarifTest {
  private static final String SCHEMA = "urn:sarif";
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: token, type: generic, config: { identity_info_endpoint: "http://idp/me", cache_ttl: 9s,
              authentication_data_source: [ { header: Authorization } ], subject: { id: sub } } }
          - { id: anyone, type: anonymous }
        authorizers:
          - { id: ask, type: remote, config: { endpoint: "http://authz/",
              payload: '{ "user": "u", "object": "{{ .Request.URL.Captures.id }}" }' } }
      default_rule: { execute: [ { authenticator: anyone } ] }
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
        - { id: "a b", match: { routes: [ { path: "/a/:id" } ], methods: [ GET, POST ] },
            execute: [ { authenticator: anyone }, { authenticator: token, if: "true" } ] }
        - { id: b, match: { routes: [ { path: "/b/:id" } ], methods: [ PUT ] },
            execute: [ { authenticator: token }, { authorizer: ask } ] }
      """;

  @TempDir
  private Path folder;
  private Analysis.Outcome outcome;
  private String sarif;

  @BeforeEach
  void analyze() throws IOException {
    Path rules = TestSuite.write(Files.createDirectory(folder.resolve("my rules")).resolve("ü.yaml"), RULES);
    Problems problems = new Problems();
    Intents intents = Intents.read(new SourceFile("my intents ü.yaml", """
        intents: [ { id: writes, never: { public: true } } ]
        exceptions: [ { id: "public/a b/*", reason: reviewed }, { id: public/gone, reason: it was } ]
        """), problems).orElseThrow();
    outcome = Analysis.run(Estate.settings(TestSuite.write(folder.resolve("c.yml"), CONFIG), Map.of())
        .withRules(rules), Enforcement.NONE, Analysis.Selection.EVERYTHING.with(intents), problems)
        .orElseThrow(() -> new AssertionError(Estate.text(problems)));
    sarif = AnalysisReport.sarif(outcome, "1.2.3");
  }

  @Test
  void manyKindsOfFindingsAreWritten() {
    Set<String> kinds = new HashSet<>();
    outcome.findings().forEach(finding -> kinds.add(finding.kind()));
    assertEquals(
        Set.of("public", "violated-intent", "stale-exception", "stale-cache", "tainted-template", "other-reading",
            "unreachable-step", "constant-condition"),
        kinds);
    assertFalse(outcome.accepted().isEmpty());
  }

  @Test
  void logFitsSchemaOfSarif() throws IOException, InterruptedException {
    Validator validator = new ValidatorFactory().withJsonNodeFactory(new SnakeYamlNode.Factory()).createValidator();
    validator.registerSchema(URI.create(SCHEMA), schema());
    assertEquals(List.of(), errors(validator, sarif));
    assertEquals(List.of(),
        errors(validator, AnalysisReport.sarif(new Analysis.Outcome(List.of(), List.of(), 0), "1")));
    assertFalse(errors(validator, sarif.replace("\"level\":\"error\"", "\"level\":\"grave\"")).isEmpty());
    assertFalse(errors(validator, sarif.replace("\"text\":", "\"txt\":")).isEmpty());
  }

  private static List<String> errors(Validator validator, String log) {
    return validator.validate(URI.create(SCHEMA), log).getErrors().stream()
        .map(error -> error.getInstanceLocation() + " " + error.getError()).toList();
  }

  /** The schema is part of a package of npm. */
  private String schema() throws IOException, InterruptedException {
    fetch("npm", "pack", "--silent", "@microsoft/jest-sarif@1.0.0-beta.0");
    fetch("tar", "xzf", "microsoft-jest-sarif-1.0.0-beta.0.tgz");
    return Files.readString(folder.resolve("package/lib/schemas/sarif-2.1.0-rtm.5.json"));
  }

  private void fetch(String... command) throws InterruptedException {
    boolean fetched;
    try {
      Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
          .redirectOutput(folder.resolve("fetch.log").toFile()).start();
      fetched = process.waitFor(180, TimeUnit.SECONDS) && process.exitValue() == 0;
      process.destroyForcibly();
    } catch (IOException _) {
      fetched = false;
    }
    Needs.installed(fetched, "the schema of SARIF that " + command[0] + " fetches");
  }

  /** The properties that the standard requires, checked without its schema; sections of SARIF 2.1.0. */
  @Test
  void aLogHasTheRequiredProperties() throws Exception {
    Value.Dict log = (Value.Dict) Json.read(sarif);
    assertEquals(Optional.of(Value.of("2.1.0")), log.get("version")); // 3.13.2
    Value.Dict run = dict(items(log, "runs").getFirst()); // 3.13.4
    Value.Dict driver = dict(dict(run.get("tool").orElseThrow()).get("driver").orElseThrow()); // 3.14.6, 3.18.2
    assertEquals(Optional.of(Value.of("portcullis")), driver.get("name")); // 3.19.8
    Set<Value> rules = new HashSet<>(); // 3.19.23, 3.49.3
    items(driver, "rules").forEach(rule -> assertTrue(rules.add(dict(rule).get("id").orElseThrow())));
    List<Value> results = items(run, "results"); // 3.14.23
    assertEquals(outcome.findings().size() + outcome.accepted().size(), results.size());
    long suppressed = 0;
    for (Value item : results) {
      Value.Dict result = dict(item);
      assertTrue(rules.contains(result.get("ruleId").orElseThrow()), result.toString()); // 3.27.5
      assertTrue(Set.of("error", "warning", "note").contains(string(result.get("level").orElseThrow()))); // 3.27.10
      assertFalse(string(dict(result.get("message").orElseThrow()).get("text").orElseThrow()).isBlank()); // 3.27.11
      for (Value location : result.get("locations").isPresent() ? items(result, "locations") : List.<Value>of()) {
        located(dict(dict(location).get("physicalLocation").orElseThrow())); // 3.28.3
      }
      suppressed += result.get("suppressions").isPresent() ? 1 : 0; // 3.27.23
    }
    assertEquals(outcome.accepted().size(), suppressed);
    assertTrue(sarif.contains("\"uri\":\"my%20intents%20%C3%BC.yaml\""), sarif);
  }

  private void located(Value.Dict physical) throws Exception {
    String uri = string(dict(physical.get("artifactLocation").orElseThrow()).get("uri").orElseThrow()); // 3.4.3
    assertTrue(URI.create(uri).toASCIIString().equals(uri) && !uri.contains(" "), uri); // RFC 3986
    Value.Dict region = dict(physical.get("region").orElseThrow()); // 3.29.4
    assertTrue(region.get("startLine").orElseThrow().toString().matches(".*[1-9].*"), region.toString()); // 3.30.5
  }

  private static Value.Dict dict(Value value) {
    return (Value.Dict) value;
  }

  private static List<Value> items(Value.Dict of, String name) {
    return ((Value.Array) of.get(name).orElseThrow()).items();
  }

  private static String string(Value value) {
    return ((Value.Str) value).value();
  }
}

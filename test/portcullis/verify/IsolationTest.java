package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.policy.decision.Snapshot;

/** What one test case leaves behind does not reach the next one. */
class IsolationTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: jwt, type: jwt, config: { cache_ttl: 1h, metadata_endpoint:
              { url: "http://idp/.well-known/oauth-authorization-server" } } }
          - { id: opaque, type: oauth2_introspection, config: { cache_ttl: 1h, metadata_endpoint:
              { url: "http://idp/.well-known/oauth-authorization-server" } } }
          - { id: anyone, type: anonymous }
        authorizers:
          - { id: ask, type: remote, config: { endpoint: "http://authz/", payload: x, cache_ttl: 1h } }
      default_rule: { execute: [ { authenticator: anyone } ] }
      """;
  private static final String HEAD = """
      rules: rules.yaml
      tokens: { ann: { claims: { iss: "http://idp", sub: ann } } }
      """;
  private static final String WELL_KNOWN = "http://idp/.well-known/oauth-authorization-server";
  private static final String META = "      - { url: " + WELL_KNOWN + ", body: { issuer: \"http://idp\", "
      + "jwks_uri: \"http://idp/jwks\", introspection_endpoint: \"http://idp/ask\" } }\n";

  @TempDir
  private Path folder;
  private Path config;

  @BeforeEach
  void write() {
    config = TestSuite.write(folder.resolve("config.yml"), CONFIG);
    StringBuilder rules = new StringBuilder("version: 1alpha4\nrules:\n");
    for (String name : List.of("jwt", "opaque")) {
      rules.append("  - { id: ").append(name).append(", match: { routes: [ { path: /").append(name)
          .append(" } ] }, execute: [ { authenticator: ").append(name).append(" } ] }\n");
    }
    rules.append("  - { id: ask, match: { routes: [ { path: /ask } ] }, execute: [ { authenticator: anyone },"
        + " { authorizer: ask } ] }\n");
    TestSuite.write(folder.resolve("rules.yaml"), rules.toString());
  }

  private List<String> wrong(String cases) {
    TestSuite suite = new TestSuite();
    Path file = TestSuite.write(folder.resolve("x_test.yaml"), HEAD + "cases:\n" + cases);
    return suite.run(config, file).orElseThrow(() -> new AssertionError(suite.problems())).results().stream()
        .flatMap(result -> result.wrong().stream()).toList();
  }

  private static String one(String path, String stubs, String expect) {
    return "  - name: " + path + "\n    request: GET http://h/" + path
        + " -H 'Authorization:Bearer <token:ann>'\n    stubs:\n" + stubs + "    expect: { " + expect + " }\n";
  }

  @Test
  void keysAndMetadataAreFetchedAgain() {
    String good = one("jwt", META + "      - { url: http://idp/jwks, body: <jwks> }\n", "decision: allow, calls: [ "
        + "{ url: \"" + WELL_KNOWN + "\" }, { url: \"http://idp/jwks\" } ]");
    assertEquals(List.of(), wrong(good + good));
    assertEquals(List.of("no stub for GET http://idp/jwks of step `jwt`"),
        wrong(good + one("jwt", META, "decision: refuse")));
  }

  @Test
  void introspectionsAreMadeAgain() {
    String good = one("opaque", META + "      - { url: http://idp/ask, body: { active: true, sub: ann, iss: "
        + "\"http://idp\" } }\n", "decision: allow");
    String bad = good.replace("active: true", "active: false").replace("allow", "refuse");
    assertEquals(List.of(), wrong(good + bad + good));
  }

  @Test
  void cachedAnswersAndOpenCircuitsAreForgotten() {
    String good = one("ask", "      - { step: ask, body: {} }\n", "decision: allow");
    String refused = one("ask", "      - { step: ask, status: 403 }\n", "decision: refuse");
    String failed = one("ask", "      - { step: ask, fail: refused }\n", "decision: refuse, calls: [ { step: ask } ]");
    assertEquals(List.of(), wrong(good + refused + failed.repeat(45) + good));
  }

  @Test
  void rulesAreReadOnce() {
    try (OfflineDecider decider = new OfflineDecider(Estate.settings(config, Map.of())
        .withRules(folder.resolve("rules.yaml")), Enforcement.NONE)) {
      assertTrue(decider.load(new Problems()));
      Snapshot rules = decider.snapshot();
      for (int i = 0; i < 3; i++) {
        OfflineDecider.Result result = decider.run(Probe.of("GET", "http://h/ask").draft(), Optional.empty(),
            0, List.of(), Optional.empty());
        assertEquals(1, result.calls().unanswered().size());
        assertSame(rules, decider.snapshot());
      }
    }
  }
}

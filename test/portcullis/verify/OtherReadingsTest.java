package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;

/** Requests that upstreams may take for those of a stricter rule. */
class OtherReadingsTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: token, type: generic, config: { identity_info_endpoint: "http://idp/me", cache_ttl: 0s,
              authentication_data_source: [ { header: Authorization } ], subject: { id: sub } } }
          - { id: anyone, type: anonymous }
          - { id: closed, type: unauthorized }
        authorizers: [ { id: ask, type: remote, config: { endpoint: "http://authz/", payload: x } } ]
      default_rule: { execute: [ { authenticator: closed } ] }
      """;
  private static final String ADMIN = """
      version: 1alpha4
      rules:
        - id: admin
          match: { routes: [ { path: /admin/users } ], methods: [ GET ]%s }
          execute: [ { authenticator: token } ]
      """;

  @TempDir
  private Path folder;

  private List<Finding> findings(String rules) {
    return findings(CONFIG, rules);
  }

  private List<Finding> findings(String config, String rules) {
    Problems problems = new Problems();
    return Analysis.run(Estate.settings(TestSuite.write(folder.resolve("config.yml"), config), Map.of())
        .withRules(TestSuite.write(folder.resolve("rules.yaml"), rules)), Enforcement.NONE,
        Analysis.Selection.EVERYTHING, problems)
        .orElseThrow(() -> new AssertionError(Estate.text(problems)))
        .findings().stream().filter(finding -> finding.kind().equals(OtherReadings.KIND)).toList();
  }

  private static String page(String path, String more) {
    return "  - { id: page, match: { routes: [ { path: " + path + " } ], methods: [ GET ] }, " + more
        + "execute: [ { authenticator: anyone } ] }\n";
  }

  @Test
  void aRequestThatDiffersByCaseIsShown() {
    Finding finding = findings(ADMIN.formatted("") + page("/admin/:page", "")).getFirst();
    assertEquals("GET https://app.example/admin/USERS", finding.request());
    assertEquals("GET /admin/users of rule `admin` is also what upstreams may read here (letter case ignored), and this"
        + " is allowed by rule `page`", finding.message());
    assertEquals(List.of(
        "without credentials  GET https://app.example/admin/users is refused by step `token` of rule `admin`",
        "guard    `readings: { case: guard }` of rule `page`, or of `serve`"), finding.details());
    assertEquals(folder.resolve("rules.yaml") + ":6:5", finding.at());
    assertEquals("other-reading/admin/case/GET /admin/users", finding.id());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
      /admin/:page | readings: { parameters: exact, case: guard }, | https://app.example/admin/users;x=1
      /admin/:page | readings: { trailing: exact, case: guard },   | https://app.example/admin/users.
      /admin/*rest | readings: { case: guard },                    | https://app.example/admin/users/
      /:page | 'readings: { slashes: exact }, allow_encoded_slashes: no_decode, ' | https://app.example/admin%2Fusers
      /:page       | readings: { backslash: exact },               | https://app.example/admin%5Cusers
      /admin/:page | readings: guard,                              | ''
      """)
  void eachReadingHasASpelling(String path, String settings, String url) {
    assertEquals(url.isEmpty() ? List.of() : List.of("GET " + url),
        findings(ADMIN.formatted("") + page(path, settings + " ")).stream().map(Finding::request).toList());
  }

  @Test
  void aPortThatMakesADifferenceIsShown() {
    String rules = ADMIN.formatted(", hosts: [ { type: exact, value: shop.example } ]")
        + page("/admin/users", "readings: { port: exact, case: guard }, ");
    assertEquals(List.of("GET https://shop.example:8080/admin/users"),
        findings(rules).stream().map(Finding::request).toList());
  }

  @Test
  void equalDecisionsAreNotFindings() {
    assertEquals(List.of(), findings(ADMIN.formatted("") + page("/admin/:page", "").replace("anyone", "token")));
    assertEquals(1, findings(ADMIN.formatted("").replace("authenticator: token", "authenticator: token }, { authorizer:"
        + " ask") + page("/admin/:page", "").replace("anyone", "token")).size());
    assertEquals(List.of(), findings(ADMIN.formatted("")));
  }

  @Test
  void theDefaultRuleCountsToo() {
    List<Finding> found = findings(CONFIG.replace("authenticator: closed", "authenticator: anyone"),
        ADMIN.formatted(""));
    assertEquals("guard    `readings: { case: guard }` of `serve`", found.getFirst().details().get(1));
  }

  @Test
  void otherUpstreamsServeOtherThings() {
    String upstream = "forward_to: { host: %s }, ";
    String admin = ADMIN.formatted("") + "    forward_to: { host: \"a:80\" }\n";
    assertEquals(1, findings(admin.replace("          ", "") + page("/admin/:page", upstream.formatted("\"a:80\"")))
        .size());
    assertEquals(List.of(), findings(admin + page("/admin/:page", upstream.formatted("\"b:80\""))));
  }
}

package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.serve.runtime.Settings;

/** Rules whose first request is decided by another rule: others are tried, and what was not tried is reported. */
class UnreachedRulesTest {
  @TempDir
  private Path folder;

  private Settings settings(String... rules) {
    Path file = TestSuite.write(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n" + String.join("", rules));
    Path config = TestSuite.write(folder.resolve("config.yml"), AnalysisTest.CONFIG);
    return Estate.settings(config, Map.of()).withRules(file);
  }

  private List<String> publicOf(String... rules) {
    return AnalysisTest.shown(AnalysisTest.run(settings(rules), Analysis.Selection.PUBLIC));
  }

  private static String rule(String id, String match, boolean open) {
    return "  - { id: " + id + ", match: { " + match + " }, execute: [ { authenticator: " + (open ? "anyone" : "closed")
        + " } ] }\n";
  }

  private static final String PARAMETER = "routes: [ { path: /x/:p, path_params: [ { name: p, type: %s, "
      + "value: '%s' } ] } ]";

  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', delimiter = ';', textBlock = """
      ^(admin|public)$     ; regex ; https://app.example/x/public
      ^admin$|^[p-q]ublic$ ; regex ; https://app.example/x/public
      {admin,public}       ; glob  ; https://app.example/x/public
      """)
  void openRulesBesideAGuardedPathAreFound(String pattern, String type, String request) {
    assertEquals(List.of("ERROR public: any method of /x/:p is allowed without valid credentials <POST " + request
        + ">"), publicOf(rule("guarded", "routes: [ { path: /x/admin } ]", false),
            rule("open", PARAMETER.formatted(type, pattern), true)));
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', delimiter = ';', textBlock = """
      app.corp.example ; "type: regex, value: '^(app|www)[.]corp[.]example$'" ; www.corp.example ; www.corp.example
      app.example      ;                                                      ; witness.test     ;
      *.example        ;                                                      ; witness.test     ;
      """)
  void openRulesBesideAGuardedHostAreFound(String guarded, String open, String host, String shown) {
    String route = "routes: [ { path: /x } ], hosts: [ { %s } ]";
    String type = guarded.startsWith("*") ? "wildcard" : "exact";
    assertEquals(List.of("ERROR public: any method of " + (shown == null ? "" : shown)
        + "/x is allowed without valid credentials <POST https://" + host + "/x>"),
        publicOf(rule("guarded", route.formatted("type: " + type + ", value: '" + guarded + "'"), false),
            rule("open", open == null ? "routes: [ { path: /x } ]" : route.formatted(open), true)));
  }

  @Test
  void rulesThatNoRequestWasFoundForAreFindings() {
    String match = PARAMETER.formatted("regex", ".");
    Settings rules = settings(rule("guarded", match, false), rule("open", "routes: [ { path: /x/:p } ]", true));
    String message = "WARNING unreached-rule: no request was found that reaches any method of /x/:p of this rule;"
        + " whether it is open is not known <GET https://app.example/x/1>";
    Analysis.Outcome outcome = AnalysisTest.run(rules, Analysis.Selection.PUBLIC);
    assertEquals(List.of(message), AnalysisTest.shown(outcome));
    assertEquals(1, outcome.count());
    assertEquals(List.of(message), AnalysisTest.shown(AnalysisTest.run(rules, Analysis.Selection.changes(rules))));
    assertEquals(List.of(message), AnalysisTest.shown(AnalysisTest.run(rules, Analysis.Selection.EVERYTHING)));
  }

  @Test
  void findingsAboutUnreachedRulesAreBounded() {
    String[] all = new String[241];
    all[0] = rule("guarded", "routes: [ { path: '/:a/**', path_params: [ { name: a, type: regex, value: '.' } ] } ]",
        false);
    for (int i = 1; i < all.length; i++) {
      all[i] = rule("open" + i, "routes: [ { path: '/:a/**', path_params: [ { name: a, type: regex, value: '[a-z]' } ]"
          + " } ]", true);
    }
    Analysis.Outcome outcome = AnalysisTest.run(settings(all), Analysis.Selection.PUBLIC);
    assertEquals(101, outcome.count());
    assertTrue(AnalysisTest.shown(outcome)
        .contains("WARNING unreached-rule: no request was found that reaches 140 other routes <>"));
  }
}

package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.serve.runtime.Settings;

/** Findings about small sets of rules. */
class AnalysisTest {
  static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: token, type: generic, config: { identity_info_endpoint: "http://idp/me", cache_ttl: 0s,
              authentication_data_source: [ { header: Authorization } ], subject: { id: sub } } }
          - { id: anyone, type: anonymous }
          - { id: closed, type: unauthorized }
        authorizers:
          - { id: allow, type: allow }
          - { id: deny, type: deny }
          - { id: ask, type: remote, config: { endpoint: "http://authz/check", payload: "{{ .Request.Method }}" } }
          - { id: json, type: cel, config: { expressions: [ { expression:
              'Request.Header("Content-Type") == "application/json"' } ] } }
        contextualizers:
          - { id: extra, type: generic, config: { endpoint: "http://extra/", continue_pipeline_on_error: true } }
          - { id: needed, type: generic, config: { endpoint: "http://needed/" } }
        error_handlers:
          - { id: login, type: redirect, config: { to: "http://idp/login" } }
      default_rule: { execute: [ { authenticator: closed } ] }
      """;

  @TempDir
  private Path folder;

  private Settings settings(String name, String... rules) {
    Path file = TestSuite.write(folder.resolve(name + ".yaml"), "version: 1alpha4\nrules:\n" + String.join("", rules));
    Path config = TestSuite.write(folder.resolve("config.yml"), CONFIG);
    return Estate.settings(config, Map.of()).withRules(file);
  }

  /** A rule of its id, {@code METHOD path}, and steps. */
  static String rule(String id, String route, String... steps) {
    String[] words = route.split(" ");
    return "  - id: " + id + "\n    match: { routes: [ { path: \"" + words[1] + "\" } ], methods: [ " + words[0]
        + " ] }\n    execute: [ { " + String.join(" }, { ", steps) + " } ]\n";
  }

  static Analysis.Outcome run(Settings settings, Analysis.Selection wanted) {
    Problems problems = new Problems();
    return Analysis.run(settings, Enforcement.NONE, wanted, problems)
        .orElseThrow(() -> new AssertionError(Estate.text(problems)));
  }

  static List<String> shown(Analysis.Outcome outcome) {
    return outcome.findings().stream()
        .map(f -> f.severity() + " " + f.kind() + ": " + f.message() + " <" + f.request() + ">").toList();
  }

  private List<String> ofPublic(String... rules) {
    return shown(run(settings("rules", rules), Analysis.Selection.PUBLIC));
  }

  private List<String> changes(Settings old, Settings now) {
    return shown(run(now, Analysis.Selection.changes(old)));
  }

  @Test
  void requestsWithoutCredentialsThatAreAllowedArePublic() {
    assertEquals(List.of("WARNING public: GET /a is allowed without valid credentials <GET https://app.example/a>"),
        ofPublic(rule("a", "GET /a", "authenticator: anyone"), rule("b", "GET /b", "authenticator: token")));
  }

  @Test
  void publicWritesAreErrors() {
    assertEquals(
        List.of("ERROR public: DELETE /a/:id is allowed without valid credentials <DELETE https://app.example/a/1>"),
        ofPublic(rule("a", "DELETE /a/:id", "authenticator: token", "authenticator: anyone", "authorizer: allow")));
  }

  @Test
  void contextualizersThatMayFailDoNotClose() {
    String open = rule("a", "GET /a", "authenticator: anyone", "contextualizer: extra");
    assertEquals(List.of("WARNING public: GET /a is allowed without valid credentials <GET https://app.example/a>"),
        ofPublic(open));
  }

  @Test
  void answersOfRemoteServicesAreNotGuessed() {
    String ask = rule("a", "GET /a", "authenticator: anyone", "authorizer: ask");
    String needed = rule("b", "GET /b", "authenticator: anyone", "contextualizer: needed");
    assertEquals(List.of(
        "NOTE undecided: GET /a is allowed without valid credentials if the service of step `ask` allows it"
            + " <GET https://app.example/a>",
        "NOTE undecided: GET /b is allowed without valid credentials if the service of step `needed` allows it"
            + " <GET https://app.example/b>"),
        ofPublic(ask, needed));
    assertEquals(List.of(),
        ofPublic(rule("a", "GET /a", "authenticator: anyone", "authorizer: ask", "authorizer: deny")));
  }

  @Test
  void contentThatAuthorizersAskForIsSent() {
    assertEquals(List.of("ERROR public: POST /a is allowed without valid credentials"
        + " <POST https://app.example/a -H 'Content-Type: application/json' -d '{}'>"),
        ofPublic(rule("a", "POST /a", "authenticator: anyone", "authorizer: json")));
  }

  /** A request for each outcome of a condition or expression, as far as its constants say how. */
  @Test
  void conditionsThatOpenARuleAreShownByARequest() {
    List<String> steps = List.of("authorizer: deny, if: 'Request.Header(\"X-Debug\") != \"1\"'",
        "authorizer: ask, if: '!(Request.Cookie(\"beta\") == \"on\")'",
        "authorizer: deny, if: '!(\"preview\" in Request.URL.Query().mode)'",
        "authorizer: deny, if: 'Request.URL.Captures.id != \"public\"'",
        "authorizer: json, config: { expressions: [ { expression: 'Request.Header(\"A\") == \"x\" &&"
            + " Request.Header(\"B\").startsWith(\"y\")' } ] }");
    List<String> requests = List.of("a/1 -H 'X-Debug: 1'", "a/1 -b 'beta=on'", "a/1?mode=preview", "a/public",
        "a/1 -H 'A: x' -H 'B: y'");
    for (int i = 0; i < steps.size(); i++) {
      assertEquals(List.of("WARNING public: GET /a/:id is allowed without valid credentials <GET https://app.example/"
          + requests.get(i) + ">"), ofPublic(rule("a", "GET /a/:id", "authenticator: anyone", steps.get(i))));
    }
  }

  @Test
  void conditionsThatNoRequestIsKnownForAreNotes() {
    assertEquals(
        List.of("NOTE undecided: GET /a is refused by step `json`, whose outcome depends on what else is in the"
            + " request <GET https://app.example/a>"),
        ofPublic(rule("a", "GET /a", "authenticator: anyone", "authorizer: json, config: { expressions: [ { expression:"
            + " 'Request.Header(\"A\").matches(\"^[a-f]{40}$\")' } ] }")));
  }

  @Test
  void changedConditionsAreShownByUsersAndRequests() {
    String role = "authorizer: json, config: { expressions: [ { expression: "
        + "'\"%s\" in Subject.Attributes.groups' } ] }";
    Settings old = settings("old", rule("a", "GET /a", "authenticator: token", role.formatted("admin")),
        rule("b", "GET /b", "authenticator: anyone", "authorizer: deny, if: 'Request.Header(\"X\") != \"1\"'"));
    Settings now = settings("now", rule("a", "GET /a", "authenticator: token", role.formatted("staff")),
        rule("b", "GET /b", "authenticator: anyone", "authorizer: deny, if: 'Request.Header(\"X\") != \"2\"'"));
    Analysis.Outcome outcome = run(now, Analysis.Selection.changes(old));
    assertEquals(List.of("ERROR newly-allowed: GET /b is newly allowed <GET https://app.example/b -H 'X: 2'>",
        "WARNING newly-allowed: GET /a is newly allowed <GET https://app.example/a>",
        "WARNING newly-refused: GET /a is newly refused <GET https://app.example/a>",
        "WARNING newly-refused: GET /b is newly refused <GET https://app.example/b -H 'X: 1'>"), shown(outcome));
    assertEquals("as { ID: some-user, Attributes: {\"groups\":[\"admin\"]} }  allowed by rule `a`, now refused by step"
        + " `json` of rule `a`", outcome.findings().get(2).details().getFirst());
    assertEquals(List.of(), changes(old, old));
  }

  @Test
  void aRouteThatAnotherRuleTakesIsUnreachable() {
    Analysis.Outcome outcome = run(settings("rules", rule("a", "GET /a/:x", "authenticator: token"),
        rule("b", "GET /a/:x", "authenticator: anyone")), Analysis.Selection.EVERYTHING);
    assertEquals(List.of("WARNING unreachable-rule: no request reaches /a/:x of this rule"
        + " <GET https://app.example/a/1>"), shown(outcome));
    assertEquals("decides  rule `a` at " + folder.resolve("rules.yaml") + ":3:5",
        outcome.findings().getFirst().details().getFirst());
  }

  @Test
  void stepsBehindOnesThatEndThePipelineNeverRun() {
    Analysis.Outcome outcome = run(settings("rules",
        rule("a", "GET /a", "authenticator: anyone", "authenticator: token", "authorizer: deny", "authorizer: ask"),
        rule("b", "GET /b", "authenticator: closed", "authorizer: ask")),
        Analysis.Selection.EVERYTHING);
    assertEquals(List.of(
        "WARNING unreachable-step: step `token` never runs: `anyone` before it accepts every request"
            + " <GET https://app.example/a>",
        "WARNING unreachable-step: step `ask` never runs: `deny` before it refuses every request"
            + " <GET https://app.example/a>",
        "WARNING unreachable-step: step `ask` never runs: no authenticator of the rule accepts any request"
            + " <GET https://app.example/b>"),
        shown(outcome));
    assertTrue(outcome.findings().getFirst().at().matches(".*rules\\.yaml:5:\\d+"));
  }

  @Test
  void differencesAreShownByRequests() {
    Settings old = settings("old", rule("a", "GET /a", "authenticator: token"),
        rule("b", "GET /b", "authenticator: anyone"), rule("c", "GET /c", "authenticator: token", "authorizer: ask"));
    Settings now = settings("now", rule("a", "GET /a", "authenticator: token", "authenticator: anyone"),
        rule("c", "GET /c", "authenticator: token"));
    assertEquals(List.of("ERROR newly-allowed: GET /a is newly allowed <GET https://app.example/a>",
        "WARNING newly-allowed: GET /c is newly allowed <GET https://app.example/c>",
        "WARNING newly-refused: GET /b is newly refused <GET https://app.example/b>"), changes(old, now));
    assertEquals(List.of(), changes(old, old));
  }

  @Test
  void usersThatNoAuthenticatorIdentifiesAreAnonymous() {
    Settings old = settings("old", rule("a", "GET /a", "authenticator: closed"),
        rule("b", "GET /b", "authenticator: anyone"));
    Settings now = settings("now", rule("a", "GET /a", "authenticator: token"),
        rule("b", "GET /b", "authenticator: closed"));
    assertEquals(List.of("WARNING newly-allowed: GET /a is newly allowed <GET https://app.example/a>",
        "WARNING newly-refused: GET /b is newly refused <GET https://app.example/b>"), changes(old, now));
  }

  @Test
  void otherCallsAreADifference() {
    Settings old = settings("old", rule("a", "GET /a", "authenticator: token", "authorizer: ask"));
    Settings now = settings("now", rule("a", "GET /a", "authenticator: token",
        "authorizer: ask, config: { payload: changed }"));
    assertEquals(List.of("WARNING changed-call: GET /a: remote services are called otherwise"
        + " <GET https://app.example/a>"), changes(old, now));
  }

  @Test
  void routesWithConditionsGetRequestsThatFit() {
    String conditions = "  - id: a\n    match: { routes: [ { path: /a/:x/:y, path_params: [ { name: x, type: glob,"
        + " value: \"{v1,v2}-*\" }, { name: y, type: regex, value: \"^[0-9]+$\" } ] } ], hosts: [ { type: glob,"
        + " value: \"*.shop.example\" } ] }\n    execute: [ { authenticator: anyone } ]\n";
    assertEquals(List.of("ERROR public: any method of x.shop.example/a/:x/:y is allowed without valid credentials"
        + " <POST https://x.shop.example/a/v1-x/1>"), ofPublic(conditions));
    assertEquals(
        List.of("WARNING unreached-rule: no request was found that reaches any method of x.shop.example/a/:x/:y of"
            + " this rule, as no match was found for the condition on a value of `y`; whether it is open is not "
            + "known <>"),
        ofPublic(conditions.replace("^[0-9]+$", "^q$x")));
  }

  @Test
  void operationsAndRulesAreCompared() {
    SourceFile document = new SourceFile("api.yaml", """
        paths:
          /items/{id}: { get: {}, delete: {} }
          /items: { get: {} }
        """);
    Settings rules = settings("rules", rule("list", "GET /v1/items", "authenticator: token"),
        rule("one", "GET /v1/items/{id}", "authenticator: token"), rule("other", "GET /other", "authenticator: token"),
        rule("remove", "DELETE /v1/items/:id", "authenticator: token"));
    assertEquals(List.of("WARNING operation-without-rule: no rule is for GET /v1/items/{id}"
        + " <GET https://app.example/v1/items/1>",
        "WARNING rule-without-operation: no operation is for GET /v1/items/{id}"
            + " <GET https://app.example/v1/items/%7Bid%7D>"),
        shown(run(rules,
            new Analysis.Selection(false, Optional.empty(), Optional.of(document), "/v1", Optional.empty(),
                Intents.NONE))));
  }

  @Test
  void rulesOfAnUpstreamAreListedWithWhoReachesIt() {
    String forward = "    forward_to: { host: shop.local:8080 }\n";
    Settings rules = settings("rules", rule("a", "GET /a", "authenticator: anyone") + forward,
        rule("b", "PUT /b", "authenticator: token", "authorizer: ask") + forward,
        rule("c", "GET /c", "authenticator: anyone"));
    Analysis.Selection wanted = new Analysis.Selection(false, Optional.empty(), Optional.empty(), "",
        Optional.of("shop.local"), Intents.NONE);
    assertEquals(List.of(
        "NOTE upstream: GET /a reaches shop.local; without credentials: allowed as `anonymous`; authenticated: "
            + "allowed as `anonymous` <GET https://app.example/a>",
        "NOTE upstream: PUT /b reaches shop.local; without credentials: refused; authenticated: as the service of "
            + "step `ask` decides <PUT https://app.example/b>"),
        shown(run(rules, wanted)));
    Settings roles = settings("roles", rule("a", "GET /a", "authenticator: token", "authorizer: json, config: {"
        + " expressions: [ { expression: 'Subject.Attributes.role == \"admin\"' } ] }") + forward);
    assertEquals(List.of(
        "NOTE upstream: GET /a reaches shop.local; without credentials: refused; authenticated: refused by the content"
            + " of step `json`; as { ID: some-user, Attributes: {\"role\":\"admin\"} }  allowed as `some-user`"
            + " <GET https://app.example/a>"),
        shown(run(roles, wanted)));
  }

  @Test
  void unquotedValuesAreShownByARequestThatChangesTheJson() {
    String payload = "{ \\\"user\\\": \\\"user:x\\\", \\\"object\\\": \\\"{{ %s }}\\\" }";
    String open = rule("a", "GET /a/:id", "authenticator: token", "authorizer: ask, config: { payload: \""
        + payload.formatted(".Request.URL.Captures.id") + "\" }");
    Analysis.Outcome outcome = run(settings("rules", open), Analysis.Selection.EVERYTHING);
    assertEquals(List.of("ERROR tainted-template: step `ask` writes `.Request.URL.Captures.id` into JSON unquoted: "
        + "a client can change `user` <GET https://app.example/a/pcmark%22%2C%22user%22%3A%22user%3Aadmin>"),
        shown(outcome));
    String quoted = rule("a", "GET /a/:id", "authenticator: token", "authorizer: ask, config: { payload: \""
        + payload.formatted(".Request.URL.Captures.id | urlenc") + "\" }");
    assertEquals(List.of(), shown(run(settings("rules", quoted), Analysis.Selection.EVERYTHING)));
  }

  @Test
  void strictTemplatesRejectUnquotedValues() {
    String text = CONFIG.replace("payload: \"{{ .Request.Method }}\"",
        "payload: '{ \"id\": \"{{ .Request.Header \"X-Id\" }}\" }'");
    Problems loose = new Problems();
    try (OfflineDecider kernel = new OfflineDecider(
        Estate.settings(TestSuite.write(folder.resolve("loose.yaml"), text), Map.of()),
        Enforcement.NONE)) {
      assertTrue(kernel.load(loose));
    }
    assertTrue(
        Estate.text(loose).getFirst().contains("warning: `.Request.Header \"X-Id\"` writes a value of the client "
            + "into JSON unquoted, pass it through `quote` or `toJson`"),
        Estate.text(loose).toString());
    Problems strict = new Problems();
    try (OfflineDecider kernel = new OfflineDecider(
        Estate.settings(TestSuite.write(folder.resolve("strict.yaml"), text + "strict_templates: true\n"), Map.of()),
        Enforcement.NONE)) {
      assertFalse(kernel.load(strict));
    }
  }

  @Test
  void conditionsWithOneResultAreFound() {
    Settings rules = settings("rules", rule("a", "GET /a", "authenticator: token",
        "authorizer: ask, if: 'true || Request.Method == \"GET\"'", "authorizer: deny, if: '1 > 2'",
        "authorizer: allow, id: w, if: 'Request.Method == \"GET\"'", "authorizer: allow, id: x, if: '1 / 0 == 1'",
        "authorizer: json, config: { expressions: [ { expression: '!false' } ] }"));
    assertEquals(List.of(
        "WARNING constant-condition: the condition of step `ask` is always true <GET https://app.example/a>",
        "WARNING constant-condition: the condition of step `deny` is never true <GET https://app.example/a>",
        "WARNING constant-condition: the condition of step `w` is always true in this rule <GET https://app.example/a>",
        "WARNING constant-condition: the condition of step `x` always fails <GET https://app.example/a>",
        "WARNING constant-condition: expression 1 of step `json` is always true <GET https://app.example/a>"),
        shown(run(rules, Analysis.Selection.EVERYTHING)));
  }

  /** What all requests of a rule share is known: their methods, and which captures there are. */
  @Test
  void conditionsOnMethodsAndCapturesOfOtherRulesAreFound() {
    Settings rules = settings("rules", rule("a", "GET /a/:id", "authenticator: token",
        "authorizer: deny, id: w, if: 'Request.Method == \"POST\"'",
        "authorizer: deny, id: x, if: 'Request.URL.Captures.user == \"1\"'",
        "authorizer: deny, id: y, if: '\"user\" in Request.URL.Captures'",
        "authorizer: deny, id: z, if: 'Request.URL.Captures.id == \"7\"'",
        "authorizer: deny, id: u, if: 'has(Request.URL.Captures.id) && Request.Header(\"A\") != \"\"'",
        "authorizer: deny, id: t, if: 'Request.Header(\"A\") == \"x\"'",
        "authorizer: deny, id: s, if: 'Request.URL.Path == \"x\""
            + " || \"q\" in Request.URL.Query() || Request.URL.Host == \"x\"'",
        "authorizer: deny, id: r, if: 'Request.ClientIPAddresses.size() == 2 || Request.Body.x == 1'",
        "authorizer: deny, id: v, if: 'Request.Method == \"GET\" && Subject.ID == \"ann\"'"),
        rule("b", "'*' /b", "authenticator: token", "authorizer: deny, if: 'Request.Method == \"GET\"'")
            .replace(", methods: [ '*' ]", ""));
    assertEquals(List.of("the condition of step `w` is never true in this rule",
        "the condition of step `x` always fails in this rule", "the condition of step `y` is never true in this rule"),
        run(rules, Analysis.Selection.EVERYTHING).findings().stream()
            .filter(f -> f.kind().equals(ConstantOutcomes.CONSTANT)).map(Finding::message).toList());
  }

  @Test
  void tokensAndSessionsThatAreNotLimitedAreFoundOnce() {
    String config = CONFIG.replace("cache_ttl: 0s", "cache_ttl: 30s").replace("  authorizers:",
        "    - { id: opaque, type: oauth2_introspection, config: { introspection_endpoint: { url: "
            + "\"http://idp/i\" } } }\n"
            + "    - { id: jwt, type: jwt, config: { jwks_endpoint: { url: \"http://idp/k\" },"
            + " assertions: { issuers: [ idp ] } } }\n  authorizers:");
    Path rules = TestSuite.write(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n"
        + rule("a", "GET /a", "authenticator: token") + rule("b", "GET /b", "authenticator: token")
        + rule("c", "GET /c", "authenticator: opaque") + rule("d", "GET /d", "authenticator: jwt"));
    Settings settings = Estate.settings(TestSuite.write(folder.resolve("tokens.yml"), config), Map.of())
        .withRules(rules);
    assertEquals(List.of(
        "any-audience: authenticator `opaque` accepts tokens for any audience: `assertions.audience` is missing",
        "any-audience: authenticator `jwt` accepts tokens for any audience: `assertions.audience` is missing",
        "any-issuer: authenticator `opaque` accepts tokens of any issuer: `assertions.issuers` is missing",
        "stale-cache: authenticator `token` accepts sessions for up to 30 s after their end: `cache_ttl` is set and"
            + " `session_lifespan` is missing"),
        run(settings, Analysis.Selection.EVERYTHING).findings().stream().map(f -> f.kind() + ": " + f.message())
            .toList());
  }

  @Test
  void ruleSetsOfEndpointsAreNamedAsNotAnalyzed() {
    Settings settings = Estate.settings(TestSuite.write(folder.resolve("remote.yml"), CONFIG
        + "providers: { http_endpoint: { endpoints: [ { url: \"http://rules.example/a.yaml?token=abcdefgh\" } ] } }\n"),
        Map.of());
    Analysis.Outcome outcome = run(settings, Analysis.Selection.PUBLIC);
    assertEquals(
        List.of("NOTE undecided: the rule set of `http://rules.example/a.yaml?token=***` is not analyzed, as nothing"
            + " is fetched: save it as a file and name it <>"),
        shown(outcome));
    assertEquals(0, outcome.count());
  }
}

package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.serve.runtime.Settings;

/** What rules never or always have to do. */
class IntentsTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: token, type: generic, config: { identity_info_endpoint: "http://idp/me", cache_ttl: 0s,
              authentication_data_source: [ { header: Authorization } ], subject: { id: sub } } }
          - { id: admin_token, type: generic, config: { identity_info_endpoint: "http://idp/admin", cache_ttl: 0s,
              authentication_data_source: [ { header: Authorization } ], subject: { id: sub } } }
          - { id: anyone, type: anonymous }
          - { id: closed, type: unauthorized }
        authorizers:
          - { id: allow, type: allow }
          - { id: ask, type: remote, config: { endpoint: "http://authz/check", payload: x } }
          - { id: admins, type: cel, config: { expressions: [ { expression:
              '"admin" in Subject.Attributes.groups' } ] } }
          - { id: staff, type: cel, config: { expressions: [ { expression:
              'size(Subject.Attributes.groups) > 0' } ] } }
      default_rule: { execute: [ { authenticator: closed } ] }
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
        - { id: home, match: { routes: [ { path: / } ], methods: [ GET ] }, execute: [ { authenticator: anyone } ] }
        - { id: order, match: { routes: [ { path: "/orders/:id" } ], methods: [ GET, POST ] },
            execute: [ { authenticator: token }, { authenticator: anyone } ] }
        - { id: any, match: { routes: [ { path: "/:area/users/:id" } ] },
            execute: [ { authenticator: token }, { authorizer: staff } ] }
        - { id: admin, match: { routes: [ { path: "/admin/**" } ], methods: [ GET ] },
            execute: [ { authenticator: token }, { authorizer: admins } ] }
        - { id: reports, match: { routes: [ { path: "/admin/reports" } ], methods: [ GET ] },
            execute: [ { authenticator: admin_token } ] }
        - { id: asked, match: { routes: [ { path: "/asked" } ], methods: [ PUT ] },
            execute: [ { authenticator: anyone }, { authorizer: ask } ] }
      """;
  private static final String ROLES = """
      roles:
        admin: { attributes: { groups: [ admin ] }, authenticators: admin_token }
        clerk: { attributes: { groups: [ clerk ] } }
      """;

  @TempDir
  private Path folder;

  private List<Finding> findings(String intents) {
    return outcome(intents).findings();
  }

  private Analysis.Outcome outcome(String intents) {
    Path rules = TestSuite.write(folder.resolve("rules.yaml"), RULES);
    Settings settings = Estate.settings(TestSuite.write(folder.resolve("config.yml"), CONFIG), Map.of())
        .withRules(rules);
    Problems problems = new Problems();
    Optional<Intents> declared = Intents.read(new SourceFile("intents.yaml", intents), problems);
    assertEquals(List.of(), Estate.text(problems));
    return Analysis
        .run(settings, Enforcement.NONE, Analysis.Selection.EVERYTHING.with(declared.orElseThrow()), problems)
        .orElseThrow(() -> new AssertionError(Estate.text(problems)))
        .only(Set.of(IntentCheck.VIOLATED, IntentCheck.UNUSED, PublicAccess.UNDECIDED));
  }

  private List<String> violated(String intents) {
    return findings(intents).stream().filter(f -> f.kind().equals(IntentCheck.VIOLATED))
        .map(f -> f.message() + " <" + f.request() + ">").toList();
  }

  @Test
  void writesThatArePublicViolate() {
    String intents = "intents: [ { id: writes, never: { public: true, methods: [ POST, PUT, DELETE ] } } ]\n";
    assertEquals(List.of("intent `writes`: POST app.example/orders/1 is allowed without valid credentials"
        + " <POST https://app.example/orders/1>"), violated(intents));
    Finding finding = findings(intents).getFirst();
    assertEquals(Finding.Severity.ERROR, finding.severity());
    assertEquals("violated-intent/writes/order/POST app.example/orders/1", finding.id());
    assertEquals("intent   `writes` at intents.yaml:1:12", finding.details().getFirst());
    assertTrue(finding.at().endsWith("rules.yaml:4:5"), finding.at());
    assertTrue(findings(intents).stream().anyMatch(f -> !f.counts() && f.message().equals(
        "intent `writes`: PUT app.example/asked is decided by the service of step `ask` without credentials")));
  }

  @Test
  void pathsAreTriedWithTheRulesThatAreAlsoForThem() {
    assertEquals(List.of(
        "intent `admins`: POST app.example/admin/users/1 is allowed without the role `admin`"
            + " <POST https://app.example/admin/users/1>"),
        violated(ROLES + "intents: [ { id: admins, always: { role: admin, paths: /admin/**, methods: [ GET, POST "
            + "] } } ]"));
  }

  @Test
  void aViolationNamesTheUser() {
    Finding finding = findings(ROLES
        + "intents: [ { id: admins, always: { role: admin, paths: /admin/users/*x, methods: POST } } ]").getFirst();
    assertEquals("subject  a user with the role `clerk`: { ID: some-user, Attributes: {\"groups\":[\"clerk\"]} }",
        finding.details().get(1));
  }

  @Test
  void rolesAreWhatAuthenticatorsAccept() {
    String intents = "intents: [ { id: reports, always: { role: admin, paths: /admin/reports } } ]\n";
    assertEquals(List.of(), violated(ROLES + intents));
    assertEquals(1, violated(ROLES.replace(", authenticators: admin_token", "") + intents).size());
  }

  @Test
  void aRoleThatMayNeverComesThrough() {
    assertEquals(List.of("intent `clerks`: GET app.example/x/users/1 is allowed for the role `clerk`"
        + " <GET https://app.example/x/users/1>"),
        violated(ROLES + "intents: [ { id: clerks, never: { role: clerk, paths: [ /x/users/:id, /admin/** ],"
            + " methods: [ GET ] } } ]").stream().filter(text -> text.contains("/x/")).toList());
  }

  @Test
  void requestsThatAreAlwaysRefused() {
    assertEquals(List.of("intent `home`: GET app.example/ is allowed <GET https://app.example/>"),
        violated("intents: [ { id: home, always: { refused: true, paths: / } } ]"));
    assertEquals(violated("intents: [ { id: x, never: { public: true } } ]"),
        violated("intents: [ { id: x, always: { authenticated: true } } ]"));
  }

  @Test
  void otherHostsAreNotConcerned() {
    List<Finding> found = findings("intents: [ { id: x, never: { allowed: true, paths: /, hosts: '*.shop.example',"
        + " methods: GET } } ]");
    assertEquals(List.of("intent `x`: GET any.shop.example/ is allowed"),
        found.stream().filter(Finding::counts).map(Finding::message).toList());
  }

  @Test
  void anIntentForNoRuleIsNoted() {
    assertEquals(List.of("unused-intent: intent `x`: no rule is for the requests that it is about"),
        findings("intents: [ { id: x, never: { public: true, paths: /amdin/:x } } ]").stream()
            .filter(f -> !f.kind().equals(PublicAccess.UNDECIDED)).map(f -> f.kind() + ": " + f.message()).toList());
  }

  @Test
  void ignoresAcceptedFindingsAndNotesStaleOnes() {
    String intents = """
        intents: [ { id: writes, never: { public: true, methods: [ POST ] } } ]
        exceptions:
          - { id: violated-intent/writes/order/*, reason: guests order too }
          - { id: violated-intent/writes/gone/*, reason: was open }
          - { id: newly-allowed/x, reason: not looked for here }
        """;
    Analysis.Outcome outcome = outcome(intents);
    assertEquals(List.of("violated-intent/writes/order/POST app.example/orders/1 guests order too"),
        outcome.accepted().stream().map(a -> a.finding().id() + " " + a.reason()).toList());
    assertEquals(List.of("there is no finding `violated-intent/writes/gone/*` any more: remove the exception"),
        outcome.findings().stream().filter(f -> f.kind().equals(Review.STALE)).map(Finding::message).toList());
    assertEquals("intents.yaml:4:5",
        outcome.findings().stream().filter(f -> f.kind().equals(Review.STALE)).findFirst().orElseThrow().at());
    assertEquals(0,
        outcome.findings().stream().filter(Finding::counts).filter(f -> f.kind().equals(Review.STALE)).count());
    assertTrue(AnalysisReport.text(outcome).endsWith(", 1 accepted"));
    assertTrue(AnalysisReport.json(outcome).contains("\"reason\":\"guests order too\""));
    assertTrue(AnalysisReport.sarif(outcome, "1").contains("\"justification\":\"guests order too\""));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ''                                                                 | intents.yaml:1:1: the file has no intents
      intents: [ { id: x } ]                                             | intents.yaml:1:12: … an intent has either
      intents: [ { id: x, never: { public: true, role: a } } ]           | intents.yaml:1:28: … one claim is needed
      intents: [ { id: x, never: { methods: [ POST ] } } ]               | intents.yaml:1:28: … one claim is needed
      intents: [ { id: x, never: { publik: true } } ]                    | intents.yaml:1:30: … unknown key `publik`
      intents: [ { id: x, never: { public: true, methods: [ post ] } } ] | intents.yaml:1:55: … `post` is not a method
      intents: [ { id: x, never: { public: true, paths: admin } } ]      | intents.yaml:1:51: … `admin` does not begin
      intents: [ { id: x, never: { role: a } } ]                         | intents.yaml:1:12: intent `x` names the role
      exceptions: [ { id: publik/x, reason: y } ]                       | intents.yaml:1:15: … there are no findings
      exceptions: [ { id: public/x } ]                                   | intents.yaml:1:15: … `reason` is missing
      """)
  void mistakesAreShownWithTheirPlace(String text, String error) {
    Problems problems = new Problems();
    assertEquals(Optional.empty(), Intents.read(new SourceFile("intents.yaml", text), problems));
    String[] parts = error.split(" … ?", 2);
    String first = Estate.text(problems).getFirst();
    assertTrue(first.startsWith(parts[0]) && first.contains(parts[parts.length - 1]), first);
  }

  @Test
  void unknownRolesAndRepeatedIdsAreErrors() {
    Problems problems = new Problems();
    Intents.read(new SourceFile("intents.yaml", ROLES + """
        intents:
          - { id: x, always: { role: admn } }
          - { id: x, never: { public: true } }
        """), problems);
    assertEquals(List.of(
        "intents.yaml:5:5: intent `x` names the role `admn`, which is not declared, did you mean `admin`?",
        "intents.yaml:6:5: two intents have the id `x`, the other one is at intents.yaml:5:5"),
        Estate.text(problems));
  }
}

package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.value.ParseMemory;

class SuiteTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: anybody, type: anonymous }
          - id: session
            type: generic
            config:
              identity_info_endpoint: { url: "http://idp.local/session", method: GET }
              authentication_data_source: [ { header: X-Session } ]
              cache_ttl: 5m
              subject: { id: id }
        authorizers:
          - id: check
            type: remote
            config:
              endpoint: { url: "http://check.local/", method: POST }
              payload: '{"id": {{ quote .Subject.ID }}}'
              expressions: [ { expression: Payload.ok == true } ]
          - id: late
            type: cel
            config: { expressions: [ { expression: 'Request.Method != "DELETE"', message: not by DELETE } ] }
        finalizers:
          - { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } }
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
        - id: open
          match: { routes: [ { path: /open/** } ] }
          forward_to: { host: up.local }
          execute: [ { authenticator: anybody }, { authorizer: late }, { finalizer: user } ]
        - id: closed
          match: { routes: [ { path: /closed/:id } ] }
          execute:
            [ { authenticator: session }, { authorizer: check }, { finalizer: user, if: 'Request.Method == "GET"' } ]
      """;

  @TempDir
  private Path folder;
  private Path config;

  @BeforeEach
  void files() {
    config = TestSuite.write(folder.resolve("config.yaml"), CONFIG);
    TestSuite.write(folder.resolve("rules.yaml"), RULES);
  }

  private Path cases(String text) {
    return TestSuite.write(folder.resolve("rules_test.yaml"), "rules: rules.yaml\n" + text);
  }

  private List<String> wrong(String text) {
    TestSuite suite = new TestSuite();
    Optional<Suite.Outcome> outcome = suite.run(config, cases(text));
    assertEquals(List.of(), suite.problems());
    return outcome.orElseThrow().results().stream().flatMap(result -> result.wrong().stream()).toList();
  }

  private List<String> problems(String text) {
    TestSuite suite = new TestSuite();
    assertEquals(Optional.empty(), suite.run(config, cases(text)));
    return suite.problems().stream().map(line -> line.substring(line.indexOf("_test.yaml:") + 11)).toList();
  }

  @Test
  void bodiesReleaseTheirMemory() {
    TestSuite.write(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
          - id: body
            match: { routes: [ { path: /body } ] }
            execute: [ { authenticator: anybody }, { finalizer: user, if: 'Request.Body.a == 1.0' } ]
        """);
    long before = ParseMemory.PROCESS.used();
    assertEquals(List.of(), wrong("""
        cases:
          - name: a body that the rule reads
            request: POST https://app.local/body -H 'Content-Type:application/json' -d '{"a":1}'
            expect: { rule: body, decision: allow }
        """));
    assertEquals(before, ParseMemory.PROCESS.used());
  }

  @Test
  void missingRulesAreNamedWhereTheFileNamesThem() {
    TestSuite suite = new TestSuite();
    Path file = TestSuite.write(folder.resolve("new_test.yaml"),
        "now: 2026-01-01T00:00:00Z\nrules: new.yaml\n"
            + "cases: [{name: a, request: GET https://a/, expect: {status: 200}}]\n");
    assertEquals(Optional.empty(), suite.run(config, file));
    assertEquals(List.of(file + ":2:8: rules: no such file or folder: `" + folder.resolve("new.yaml") + "`"),
        suite.problems());
  }

  @Test
  void everyExpectationIsCompared() {
    assertEquals(List.of(), wrong("""
        cases:
          - name: all that there is
            request: GET https://app.local/open/a?b=c -H 'X-User:root' -H 'Accept:text/html'
            expect:
              rule: open
              decision: allow
              status: 200
              subject: anonymous
              steps: { anybody: passed, late: passed, user: passed, check: not run }
              calls: []
              upstream:
                method: GET
                url: https://up.local/open/a?b=c
                headers: { X-User: anonymous, Accept: "*", X-Other: null, X-Forwarded-Host: ~ ^app }
        """));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      rule: closed                          | rule is `open`, expected `closed`
      decision: refuse                      | the request is allowed, expected a refusal
      status: 403                           | status is 200, expected 403
      subject: ann                          | subject is `anonymous`, expected `ann`
      steps: { late: failed }               | step `late` is passed, expected failed
      steps: { none: passed }               | step `none` is not run, expected passed
      upstream: { method: PUT }             | the upstream's method is `GET`, expected `PUT`
      upstream: { headers: { X-User: bob } } | the upstream's header X-User is `anonymous`, expected `bob`
      upstream: { headers: { X-Id: "*" } }  | the upstream's header X-Id is missing, expected any value
      upstream: { headers: { X-User: null } } | the upstream's header X-User is `anonymous`, expected nothing
      calls: [ { url: "http://x/" } ]       | the call at * was not made
      """)
  void differencesAreNamed(String expectation, String message) {
    List<String> wrong = wrong("cases:\n  - name: n\n    request: GET http://h/open/x\n    expect: { " + expectation
        + " }\n");
    assertEquals(1, wrong.size(), wrong.toString());
    assertTrue(Stub.matches(message, wrong.getFirst()), wrong.getFirst());
  }

  @Test
  void callsWithoutStubsFailTheCase() {
    List<String> wrong = wrong("""
        cases:
          - name: n
            request: GET http://h/closed/1
            subject: ann
            expect: { rule: closed }
        """);
    assertEquals(List.of("no stub for POST http://check.local/ of step `check` with body `{\"id\": \"ann\"}`"), wrong);
  }

  @Test
  void stubsThatAnswerNoCallAreReported() {
    TestSuite suite = new TestSuite();
    Suite.Outcome outcome = suite.run(config, cases("""
        stubs: [ { url: "http://idp.local/*", body: { id: ann } } ]
        cases:
          - name: n
            request: GET http://h/closed/1
            subject: ann
            stubs: [ { step: check, body: { ok: true } }, { step: chek } ]
            expect: { decision: allow }
        """)).orElseThrow();
    assertEquals(List.of(), outcome.results().getFirst().wrong());
    List<String> unused = outcome.results().getFirst().unused();
    assertEquals(1, unused.size());
    assertTrue(unused.getFirst().endsWith("rules_test.yaml:7:51: no call used the stub for step `chek`"),
        unused.toString());
    assertTrue(outcome.unused().getFirst().contains("no call used the stub for `http://idp.local/*`"));
  }

  @Test
  void noCaseSeesWhatAnotherLeftBehind() {
    StringBuilder cases = new StringBuilder("cases:\n");
    for (int i = 0; i < 60; i++) {
      boolean down = i % 3 != 0;
      cases.append("  - name: n").append(i)
          .append("\n    request: GET http://h/closed/1 -H 'X-Session:s'\n    stubs:\n")
          .append("      - { step: session, body: { id: user").append(i).append(" } }\n      - { step: check, ")
          .append(down ? "fail: refused" : "body: { ok: true }").append(" }\n    expect: { ")
          .append(down ? "status: 502" : "subject: user" + i)
          .append(", calls: [ { step: session }, { step: check } ] }\n");
    }
    assertEquals(List.of(), wrong(cases.toString()));
  }

  @Test
  void callsFailAsTheStubSays() {
    assertEquals(List.of(), wrong("""
        cases:
          - name: <fail>
            table: [ { fail: refused }, { fail: reset }, { fail: timeout } ]
            request: GET http://h/closed/1
            subject: ann
            stubs: [ { step: check, fail: <fail> } ]
            expect: { status: 502 }
          - name: too late
            request: GET http://h/closed/1
            subject: ann
            stubs: [ { step: check, delay: 5m, body: { ok: true } } ]
            expect: { status: 502, reason: timeout }
          - name: late
            request: GET http://h/closed/1
            subject: ann
            stubs: [ { step: check, delay: 10ms, body: { ok: true } } ]
            expect: { status: 200 }
        """));
  }

  @Test
  void rowsOfATableKeepTheirTypes() {
    assertEquals(List.of(), wrong("""
        cases:
          - name: <method> is <status>
            table:
              - { method: GET, status: 200 }
              - { method: DELETE, status: 403 }
            request: <method> http://h/open/x
            expect: { status: <status> }
        """));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      cases: []                                          | 2:8: cases: must contain at least 1 item*
      cases: [ { name: n, request: GET, expect: { status: 200 } } ] | *the request is refused*
      cases: [ { name: n, request: "GET http://h/ -z", expect: { status: 200 } } ] | *`-z` needs a value*
      cases: [ { name: n, request: "GET http://h/ 'a", expect: { status: 200 } } ] | *a quote `'` is not closed*
      cases: [ { name: n, request: GET http://h/, expect: {} } ] | *the case expects nothing*
      cases: [ { name: n, request: GET http://h/, expect: { decision: perhaps } } ] | *`perhaps` is not known here*
      cases: [ { name: n, request: GET http://h/, now: noon, expect: { status: 200 } } ] | *`noon` is not a time*
      cases: [ { name: n, request: GET http://h/, stubs: [ {} ], expect: { status: 200 } } ] | *for which calls*
      cases: [ { name: n, request: GET http://h/, expect: { subject: "~ (" } } ] | *is not a regular expression*
      cases: [ { name: <x>, table: [ { y: 1 } ], request: GET http://h/, expect: { status: 200 } } ] | *named `x`*
      cases: [ { name: n, request: { url: http://h/, client: me }, expect: { rule: a } } ] | *`me` is not an address*
      """)
  void mistakesAreLocated(String text, String message) {
    if (message.contains("is refused")) {
      assertEquals(List.of(),
          wrong(text.replace("request: GET,", "request: GET http://h/none,").replace("200", "404")));
      return;
    }
    List<String> problems = problems(text + "\n");
    assertTrue(problems.stream().anyMatch(line -> Stub.matches(message, line)), problems.toString());
  }

  @Test
  void coverageNamesWhatWasNotTried() {
    TestSuite suite = new TestSuite();
    Suite.Outcome outcome = suite.run(config, cases("""
        cases:
          - { name: n, request: GET http://h/open/x, expect: { rule: open } }
        """)).orElseThrow();
    List<String> missing = outcome.coverage().missing().stream()
        .map(line -> line.substring(line.indexOf("rules.yaml:") + 11)).toList();
    assertEquals(
        List.of("6:44: rule `open`, step `late` (cel): expression 1 never false", "7:5: rule `closed`: never matched",
            "10:9: rule `closed`, step `session` (generic): never ran",
            "10:37: rule `closed`, step `check` (remote): never passed",
            "10:37: rule `closed`, step `check` (remote): never failed",
            "10:37: rule `closed`, step `check` (remote): expression 1 never false",
            "10:60: rule `closed`, step `user` (header): never skipped",
            "10:60: rule `closed`, step `user` (header): never applied"),
        missing);
    assertEquals(33, outcome.coverage().percent());
  }

  @Test
  void coverageCountsEachExpression() {
    TestSuite suite = new TestSuite();
    Path two = TestSuite.write(folder.resolve("two.yaml"), """
        version: 1alpha4
        rules:
          - id: two
            match: { routes: [ { path: /two } ] }
            execute:
              - authenticator: anybody
              - authorizer: late
                config: { expressions: [ { expression: 'Request.Method != "PUT"', message: no },
                  { expression: 'Request.Method != "DELETE"', message: no } ] }
        """);
    Suite.Outcome outcome = suite.run(config, TestSuite.write(folder.resolve("two_test.yaml"), "rules: " + two + """

        cases:
          - { name: n, request: GET http://h/two, expect: { decision: allow } }
          - { name: d, request: DELETE http://h/two, expect: { decision: refuse } }
        """)).orElseThrow(() -> new AssertionError(suite.problems()));
    assertEquals(List.of("two.yaml:7:9: rule `two`, step `late` (cel): expression 1 never false"),
        outcome.coverage().missing().stream().filter(line -> line.contains("two.yaml"))
            .map(line -> line.substring(line.indexOf("two.yaml:"))).toList());
  }

  @Test
  void limitsRefuseWhereACaseSaysSo() {
    TestSuite.write(config, CONFIG.replace("  finalizers:",
        "    - { id: few, type: rate_limit, config: { key: all, rate: 1/1h } }\n  finalizers:"));
    TestSuite.write(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
          - id: few
            match: { routes: [ { path: /few } ] }
            execute: [ { authenticator: anybody }, { authorizer: few } ]
        """);
    assertEquals(List.of(), wrong("""
        cases:
          - name: not counted
            request: GET https://app.local/few
            expect: { status: 200 }
          - name: nor the second time
            request: GET https://app.local/few
            expect: { status: 200 }
          - name: used up
            request: GET https://app.local/few
            limits: exhausted
            expect: { status: 429 }
        """));
  }
}

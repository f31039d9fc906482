package portcullis.policy.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Reading;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.policy.rule.Rules;

/** What one rule allows is refused where another rule would decide under a reading that upstreams take. */
class OtherReadingsTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      """;
  private static final String RULES = """
      - {id: page, match: {routes: [{path: "/:page"}]}, execute: [{authenticator: anon}]}
      - {id: files, match: {routes: [{path: "/files/:name"}]}, allow_encoded_slashes: no_decode, execute: \
      [{authenticator: anon}]}
      - {id: loose, match: {routes: [{path: "/:page"}], hosts: [{type: exact, value: loose.test}]}, readings: exact,
          execute: [{authenticator: anon}]}
      - {id: strict, match: {routes: [{path: "/:page"}], hosts: [{type: exact, value: strict.test}]}, readings: guard,
          execute: [{authenticator: anon}]}
      - {id: windows, match: {routes: [{path: "/win/**"}]}, readings: {backslash: guard, parameters: exact}, execute: \
      [{authenticator: anon}]}
      - {id: admin, match: {routes: [{path: /admin}, {path: "/admin/**"}, {path: /win/admin}]}, execute: \
      [{authenticator: nobody}]}
      - {id: Office, match: {routes: [{path: /Office}, {path: /admin}], hosts: [{type: exact, value: strict.test}]}, \
      execute: [{authenticator: nobody}]}
      - {id: list, match: {routes: [{path: "/list;all"}, {path: /dir/}, {path: "/;v/:x"}]}, execute: [{authenticator: \
      anon}]}
      - {id: open, match: {routes: [{path: "/h/**"}]}, execute: [{authenticator: anon}]}
      - {id: office, match: {routes: [{path: "/h/**"}], hosts: [{type: exact, value: office.test}, {type: exact, \
      value: desk.test:8443}]},
          execute: [{authenticator: nobody}]}
      - {id: side, match: {routes: [{path: "/h/**"}], hosts: [{type: exact, value: office.test:8080}]}, execute: \
      [{authenticator: anon}]}
      - {id: quiet, match: {routes: [{path: /quiet}]}, readings: {case: guard, port: exact}, execute: \
      [{authenticator: anon}]}
      - {id: loud, match: {routes: [{path: /Quiet}], hosts: [{type: exact, value: any.test:8443}]}, execute: \
      [{authenticator: nobody}]}
      - {id: shut, match: {routes: [{path: "/shut/:page"}]}, execute: [{authenticator: nobody}]}
      - {id: shown, match: {routes: [{path: /shut/shown}]}, execute: [{authenticator: anon}]}
      """;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.WARN, LogFormat.GELF, writer, InstantSource.system(), "test");

  private Snapshot snapshot(String rules, String defaultRule) {
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of(MECHANISMS, Enforcement.NONE, problems);
    RouteIndex<Rule> index = new RuleReader(catalogue, Optional.empty(), false, Optional.empty())
        .read("test", new SourceFile("f", "version: 1alpha4\nrules:\n" + rules), problems).set()
        .flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    Optional<Pipeline> pipeline = defaultRule.isEmpty() ? Optional.empty()
        : RuleReader.readDefaultRule(
            Catalogues.node("{execute: [{authenticator: " + defaultRule + "}]}", problems).orElseThrow(), catalogue,
            problems);
    return new Snapshot(1, catalogue, index,
        pipeline.map(p -> Rule.defaultRule(p, ReadingPolicy.DEFAULT, RuleOrigin.UNKNOWN)),
        ProtectedHeaders.NONE);
  }

  private String decided(Snapshot snapshot, String url) throws ResponseStatusException {
    int slash = url.indexOf('/');
    String host = slash == 0 ? "any.test" : url.substring(0, slash);
    Request request = new Request("GET", "http", Authority.parse(host).orElseThrow(),
        RequestPath.read(url.substring(slash)), "",
        Fields.NONE, List.of(), Body.none());
    try {
      return switch (new Decider(() -> snapshot, log).decide(request, Observer.NONE)) {
        case Decision.Allow allow -> allow.rule().id();
        case Decision.Own _ -> "an endpoint";
        case Decision.Refuse refuse -> "refused by " + refuse.rule().map(Rule::id).orElse("nothing")
            + refuse.stepFailure().failure().report().replaceFirst("^authentication error.*", "")
                .replaceFirst("argument error: upstreams may take this request for another one", "");
      };
    } catch (ResponseStatusException refusal) {
      return refusal.getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /about                  | page
      /about;x=1              | page
      /about.                 | page
      /admin                  | refused by admin
      /%61dmin                | refused by admin
      /admin;x=1              | refused by page: read as `/admin` (path parameters removed) it belongs to rule \
      `admin` of test
      /admin%3Bx              | refused by page: read as `/admin` (encoded semicolons as semicolons, path parameters \
      removed) it belongs to rule `admin` of test
      /admin.                 | refused by page: read as `/admin` (trailing dots removed) it belongs to rule `admin` \
      of test
      /admin%0a               | refused by page: read as `/admin` (trailing dots removed) it belongs to rule `admin` \
      of test
      /admin%20               | refused by page: read as `/admin` (trailing dots removed) it belongs to rule `admin` \
      of test
      /admin.;x               | refused by page: read as `/admin` (path parameters removed, trailing dots removed) it \
      belongs to rule `admin` of test
      /ADMIN                  | page
      /admin/                 | refused by nothing: no rule
      /;x                     | refused by page: read as `/` (path parameters removed) it belongs to no rule
      /files/a;x              | files
      /files/;x               | refused by files: read as `/files/` (path parameters removed) it belongs to no rule
      /files/a%2Fb            | files
      loose.test/admin;x      | loose
      loose.test/admin.       | loose
      loose.test/a%5Cb        | loose
      strict.test/about       | strict
      strict.test/ABOUT       | strict
      strict.test/ADMIN       | refused by strict: read as `/ADMIN` (letter case ignored) it belongs to rule `Office` \
      of test
      strict.test/ADMIN;x     | refused by strict: read as `/ADMIN` (path parameters removed, letter case ignored) it \
      belongs to rule `Office` of test
      strict.test/office      | refused by strict: read as `/office` (letter case ignored) it belongs to rule \
      `Office` of test
      strict.test/admin;x     | refused by strict: read as `/admin` (path parameters removed) it belongs to rule \
      `Office` of test
      /a%5Cb                  | path contains a backslash, which is not allowed
      /nowhere/a%5Cb          | path contains a backslash, which is not allowed
      /win/a%5Cb              | windows
      /win/a;x                | windows
      /win/admin;x            | windows
      /win/%5Cadmin           | refused by windows: read as `/win/admin` (encoded backslashes as slashes) it belongs \
      to rule `admin` of test
      /list;all               | list
      /dir/                   | list
      /shut/shown             | shown
      /shut/shown;x           | refused by shut
      """)
  void refusesWhatAnotherRuleDecidesWhenReadOtherwise(String url, String expected) throws ResponseStatusException {
    String seen = decided(snapshot(RULES, ""), url);
    assertEquals(expected, seen.startsWith("refused by nothing") ? "refused by nothing: no rule" : seen);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      any.test/h/x            | open
      any.test:8080/h/x       | open
      office.test/h/x         | refused by office
      office.test./h/x        | refused by office
      office.test:80/h/x      | refused by office
      office.test:9090/h/x    | refused by open: read as `/h/x` (port of the host ignored) it belongs to rule \
      `office` of test
      office.test:9090/h/x;y  | refused by open: read as `/h/x;y` (port of the host ignored) it belongs to rule \
      `office` of test
      office.test:8080/h/x    | side
      any.test/quiet          | quiet
      any.test:8443/quiet     | refused by quiet: read as `/quiet` (letter case ignored) it belongs to rule `loud` of \
      test
      desk.test:8443/h/x      | refused by office
      desk.test/h/x           | refused by open: read as `/h/x` (port of the host ignored) it belongs to rule \
      `office` of test
      desk.test:1/h/x         | refused by open: read as `/h/x` (port of the host ignored) it belongs to rule \
      `office` of test
      """)
  void refusesHostsThatAnotherRuleNamesWithAnotherPort(String url, String expected) throws ResponseStatusException {
    assertEquals(expected, decided(snapshot(RULES, ""), url));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /other                  | default
      /docs/a                 | docs
      /docs/;x                | refused by docs: read as `/docs/` (path parameters removed) it belongs to the default \
      rule
      /admin;x                | refused by default: read as `/admin` (path parameters removed) it belongs to rule \
      `admin` of test
      /ADMIN                  | default
      """)
  void theDefaultRuleIsAnotherRuleToo(String url, String expected) throws ResponseStatusException {
    String rules = """
        - {id: docs, match: {routes: [{path: "/docs/:x"}]}, execute: [{authenticator: anon}]}
        - {id: admin, match: {routes: [{path: /admin}]}, execute: [{authenticator: nobody}]}
        """;
    assertEquals(expected, decided(snapshot(rules, "anon"), url));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      on        | /secret%2Fx     | refused by page: read as `/secret/x` it belongs to the default rule
      on        | /admin%2Fx      | refused by page: read as `/admin/x` it belongs to the default rule
      on        | /%2Fabout       | page
      no_decode | /secret%2Fx     | refused by page: read as `/secret/x` (encoded slashes as slashes) it belongs to \
      the default rule
      no_decode | /about          | page
      on        | /in/a%2Fb       | below
      on        | /in/x%2Fy       | refused by below: read as `/in/x/y` it belongs to rule `admin` of test
      no_decode | /in/a%2Fb       | below
      no_decode | /in/x%2fy       | refused by below: read as `/in/x/y` (encoded slashes as slashes) it belongs to \
      rule `admin` of test
      on        | /in/x%2Fy;z     | refused by below: read as `/in/x/y` (path parameters removed) it belongs to rule \
      `admin` of test
      """)
  void decodedSlashesLeadIntoNoOtherRule(String slashes, String url, String expected) throws ResponseStatusException {
    String rules = """
        - {id: page, match: {routes: [{path: "/:page"}]}, allow_encoded_slashes: "%1$s", execute: [{authenticator: \
        anon}]}
        - {id: below, match: {routes: [{path: "/in/:x"}]}, allow_encoded_slashes: "%1$s", execute: [{authenticator: \
        anon}]}
        - {id: admin, match: {routes: [{path: /admin}, {path: /in/x/y}]}, execute: [{authenticator: nobody}]}
        """.formatted(slashes);
    assertEquals(expected, decided(snapshot(rules, "nobody"), url));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /about                  | page
      /about/                 | refused by nothing
      /dir/x                  | dir
      /dir/x/                 | refused by all: read as `/dir/x` (trailing slash ignored) it belongs to rule `dir` of \
      test
      /dir/x.                 | dir
      /closed                 | refused by page: read as `/closed/` (trailing slash ignored) it belongs to rule \
      `closed` of test
      """)
  void trailingSlashesAreGuardedWhereARuleSaysSo(String url, String expected) throws ResponseStatusException {
    String rules = """
        - {id: page, match: {routes: [{path: "/:page"}]}, readings: {trailing: guard}, execute: [{authenticator: anon}]}
        - {id: all, match: {routes: [{path: "/dir/**"}]}, readings: {trailing: guard}, execute: [{authenticator: anon}]}
        - {id: dir, match: {routes: [{path: "/dir/:x"}]}, execute: [{authenticator: anon}]}
        - {id: closed, match: {routes: [{path: /closed/}]}, execute: [{authenticator: nobody}]}
        """;
    String seen = decided(snapshot(rules, ""), url);
    assertEquals(expected, seen.startsWith("refused by nothing") ? "refused by nothing" : seen);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /about                  | page
      /%C3%A4rger             | refused by page: read as `/%C3%A4rger` (letter case ignored) it belongs to rule `anger`
      /%C3%84RGER             | refused by page: read as `/%C3%84RGER` (letter case ignored) it belongs to rule `anger`
      /%C3%84rger             | refused by anger
      /%C3%A5rger             | page
      """)
  void letterCaseOfUtf8IsGuarded(String url, String expected) throws ResponseStatusException {
    String rules = """
        - {id: page, match: {routes: [{path: "/:page"}]}, readings: guard, execute: [{authenticator: anon}]}
        - {id: anger, match: {routes: [{path: "/%C3%84rger"}]}, execute: [{authenticator: nobody}]}
        """;
    assertEquals(expected, decided(snapshot(rules, ""), url).replace(" of test", ""));
  }

  @Test
  void logsRuleReadingAndTheOtherRule() throws ResponseStatusException {
    decided(snapshot(RULES, ""), "/admin;x=1");
    writer.close();
    String logged = written.toString(StandardCharsets.UTF_8);
    for (String field : List.of("\"_src\":\"test\"", "\"_rule\":\"page\"", "\"_reading\":\"read as `/admin` (path "
        + "parameters removed) it belongs to rule `admin` of test\"")) {
      assertTrue(logged.contains(field), () -> field + " is not in " + logged);
    }
  }

  @Test
  void aLongPathOfManyReadingsIsDecided() throws ResponseStatusException {
    String rules = """
        - {id: all, match: {routes: [{path: "/**"}]}, readings: guard, allow_encoded_slashes: no_decode, execute: \
        [{authenticator: anon}]}
        - {id: x, match: {routes: [{path: /B/x}], hosts: [{type: exact, value: "any.test:1"}]}, execute: \
        [{authenticator: nobody}]}
        """;
    Snapshot snapshot = snapshot(rules, "");
    String path = "/A.;x%2F%3B".repeat(700);
    for (int i = 0; i < 20; i++) {
      assertEquals("all", decided(snapshot, path));
    }
  }

  /** The combinations of eight readings, without that of none. */
  @Test
  void thereAre255CombinationsOfReadingsAtMost() {
    assertEquals(EnumSet.allOf(Reading.class), Reading.of(255));
    assertEquals(Reading.of(255), Reading.of(-1));
  }

  /** The bytes that a decision takes, and with them each lookup. */
  private static long allocated(Snapshot snapshot, Log log, String path) throws ResponseStatusException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Decider decider = new Decider(() -> snapshot, log);
    Request request = Rules.request(path, "");
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 2_000; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      decider.decide(request, Observer.NONE);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  @Test
  void aPathWithoutAnotherReadingCostsNothingMore() throws ResponseStatusException {
    String rule = "- {id: page, match: {routes: [{path: \"/:page\"}]}, %sexecute: [{authenticator: anon}]}\n";
    Snapshot guarding = snapshot(rule.formatted(""), "");
    Snapshot exact = snapshot(rule.formatted("readings: exact, "), "");
    assertEquals(allocated(exact, log, "/about"), allocated(guarding, log, "/about"));
    assertTrue(allocated(guarding, log, "/about;x") > allocated(exact, log, "/about;x"), "one lookup more");
  }

  @Test
  void aReadingOfALongPathCostsLittle() throws ResponseStatusException {
    String rule = "- {id: open, match: {routes: [{path: \"/open/**\"}]}, execute: [{authenticator: anon}]}\n";
    String path = "/open/a;x/b./c%3Bd" + "/a".repeat(1900);
    int readings = 7;
    long bytes = allocated(snapshot(rule, ""), log, path) / readings;
    assertTrue(bytes < 16L * path.length(), () -> bytes + " bytes for a reading");
  }
}

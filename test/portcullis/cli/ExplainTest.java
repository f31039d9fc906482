package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

class ExplainTest {
  private static final String CANARY = "canary-4711-canary";

  @TempDir
  private Path folder;

  private Path config;

  @BeforeEach
  void written() throws IOException {
    Files.writeString(folder.resolve("key.pem"), TestKeys.pem(TestKeys.ec(256)));
    Files.createDirectory(folder.resolve("rules"));
    Files.writeString(folder.resolve("rules/shop.yaml"), """
        version: 1alpha4
        rules:
        - id: order
          match: { routes: [ { path: "/orders/:id" }, { path: "/orders/:id/lines" } ], methods: [ GET, POST ] }
          execute:
          - authenticator: basic
          - authenticator: anon
          - authorizer: own
          - authorizer: never
            if: Request.Method == 'PUT'
          - finalizer: token
          - finalizer: echo
          forward_to: { host: "127.0.0.1:4482", rewrite: { add_path_prefix: /v1, scheme: http } }
        - id: hosted
          match: { routes: [ { path: /hosted } ], hosts: [ { type: exact, value: b.test } ] }
          execute: [ { authenticator: anon } ]
        - id: secure
          match: { scheme: https, routes: [ { path: /secure } ] }
          execute: [ { authenticator: anon } ]
        - id: seen
          match: { routes: [ { path: /seen } ] }
          execute: [ { authenticator: anon }, { authorizer: role } ]
        - id: closed
          match: { routes: [ { path: /closed } ] }
          execute: [ { authenticator: anon }, { authorizer: never } ]
          on_error: [ { error_handler: away } ]
        """);
    config = Files.writeString(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators:
          - { id: basic, type: basic_auth, config: { user_id: alice, password: %s } }
          - { id: anon, type: anonymous }
          - { id: no, type: unauthorized }
          authorizers:
          - { id: own, type: cel, config: { expressions: [ { expression: "Request.URL.Captures.id != '0'", message: \
        not yours } ] } }
          - { id: never, type: deny }
          - { id: role, type: cel, config: { expressions: [ { expression: 'Request.Header("X-Role") == "admin" || \
        Request.Header("Accept") == "x" || Request.Cookie("theme") == "x" || Request.Body().total == 8' } ] } }
          finalizers:
          - { id: token, type: jwt, config: { signer: { key_store: { path: %s } } } }
          - { id: echo, type: header, config: { headers: { X-User: "{{ .Subject.ID }}", X-Echo: "{{ .Request.Header \
        \\"X-Api-Key\\" }}" } } }
          error_handlers:
          - { id: away, type: redirect, config: { to: "https://login.test/" } }
        default_rule: { execute: [ { authenticator: no } ] }
        providers: { file_system: { src: %s } }
        """.formatted(CANARY, folder.resolve("key.pem"), folder.resolve("rules")));
  }

  private CommandResult explained(String request, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("request.yaml"), request);
    String[] words = new String[more.length + 6];
    System.arraycopy(new String[] {"explain", "-c", config.toString(), "--request", file.toString(), "--insecure"}, 0,
        words, 0, 6);
    System.arraycopy(more, 0, words, 6, more.length);
    return CommandResult.of(words);
  }

  @Test
  void showsWhichFieldsOfTheClientTheUpstreamDoesNotGet() throws IOException {
    String request = "url: https://shop.test/orders/42\nheaders: { X-User: root, x_user: root, Accept: a/b }\n";
    String text = explained(request).out();
    assertTrue(text.contains("\nremoves   x_user\nupstream  GET "), text);
    assertTrue(explained(request, "-o", "json").out().contains("\"removes\":[\"x_user\"]"));
    assertFalse(explained("url: https://shop.test/orders/42\n").out().contains("removes"));
  }

  @Test
  void showsEachStepAndTheResult() throws IOException {
    CommandResult reported = explained("url: https://shop.test/orders/42?x=1\nheaders: { X-Api-Key: " + CANARY
        + ", Authorization: Bearer " + CANARY + " }\n");
    assertEquals("", reported.err());
    assertEquals(0, reported.status());
    assertEquals("""
        GET https://shop.test/orders/42
        rule      `order` of RULES:3:3: its route `/orders/:id` is the most specific that matches, id = 42
        step      basic  basic_auth  forgiven   N ms  authentication error: expected header not present in request: \
        argument error: REASON
        step      anon   anonymous   passed   N ms
        step      own    cel         passed   N ms
        step      never  deny        skipped   N ms
        step      token  jwt         passed   N ms
        step      echo   header      passed   N ms
        result    allowed, subject `anonymous`
        adds      Authorization: ***
        adds      X-User: anonymous
        adds      X-Echo: ***
        upstream  GET http://127.0.0.1:4482/v1/orders/42?x=1
        """,
        reported.out().replaceAll(" +[0-9]+\\.[0-9]{2} ms", "   N ms")
            .replace(folder + "/rules/shop.yaml", "RULES")
            .replaceAll("argument error: .*", "argument error: REASON"));
  }

  @Test
  void aFalseExpressionIsShownWithItsValues() throws IOException {
    CommandResult reported = explained("url: https://shop.test/orders/0");
    assertTrue(reported.out().contains("""
                  false: Request.URL.Captures.id != '0'
                    Request.URL.Captures.id = "0"
        result    refused with 403: authorization error: not yours
        """), reported.out());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "DELETE http://a/orders/1|no rule matches DELETE http://a/orders/1; `order` would for GET and POST",
    "GET http://a/hosted|`hosted` would for the host b.test",
    "GET http://a/close|`closed` would for the path `/closed`",
    "GET http://a/closed/|`closed` would for the path `/closed`",
    "GET http://a/CLOSED|`closed` would if letter case made no difference: its path is `/closed`",
    "GET http://a/order/17|`order` would for the path `/orders/17`",
    "GET http://a/secure|`secure` would for the scheme https",
  })
  void nearestRulesAreNamed(String words, String wanted) {
    CommandResult reported = line(words);
    assertTrue(reported.out().contains(wanted), reported.out() + reported.err());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"http://a/|/**|`/x`", "http://a/files|/files/**|`/files/x`",
    "http://a/files/|/files/:name|`/files/x`"})
  void nearestPathHasNoEmptySegment(String url, String path, String nearest) throws IOException {
    Files.writeString(folder.resolve("rules/shop.yaml"), "version: 1alpha4\nrules: [ { id: all, match: { routes: [ { "
        + "path: \"" + path + "\" } ] }, execute: [ { authenticator: anon } ] } ]\n");
    CommandResult reported = line(url);
    assertTrue(reported.out().contains("; `all` would for the path " + nearest + "\n"), reported.out());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "http://a/orders/1|allow|0|",
    "http://a/orders/1|200|0|",
    "http://a/orders/0|deny|0|",
    "http://a/closed|302|0|",
    "http://a/orders/0|allow|1|expected allow, but the request is refused with 403: authorization error: not yours",
    "http://a/orders/1|deny|1|expected deny, but the request is allowed, subject `anonymous`",
    "http://a/orders/1|yes|2|`--expect` is allow, deny or a status like 403, not `yes`",
  })
  void exitStatusIsThatOfTheExpectation(String url, String expected, int status, String wanted) {
    CommandResult reported = line(url + " --expect " + expected);
    assertEquals(status, reported.status(), reported.err());
    assertTrue(reported.err().contains(wanted == null ? "" : wanted), reported.err());
  }

  @Test
  void takesHeadersCookiesAndBodiesLikeCurl() {
    CommandResult reported = CommandResult.of("explain", "--insecure", "-c", config.toString(), "https://a/seen", "-H",
        "X-Role: guest", "-H",
        "Accept: a=b", "-b", "theme=dark", "-d", "{\"total\":7}", "--header", "Content-Type: application/json");
    assertTrue(reported.out().startsWith("POST https://a/seen\n"), reported.out() + reported.err());
    assertTrue(reported.out().contains("Request.Header(\"X-Role\") = \"guest\""), reported.out());
    assertTrue(reported.out().contains("Request.Header(\"Accept\") = \"a=b\""), reported.out());
    assertTrue(reported.out().contains("Request.Cookie(\"theme\") = ***"), reported.out());
    assertTrue(reported.out().contains("Request.Body().total = 7"), reported.out());
  }

  @Test
  void theFieldHostIsTheHostAsWithCurl() {
    CommandResult hosted = CommandResult.of("explain", "--insecure", "-c", config.toString(), "-H", "host: b.test",
        "http://127.0.0.1:4456/hosted?x=/y");
    assertTrue(hosted.out().startsWith("GET http://b.test/hosted\nrule      `hosted`"), hosted.out() + hosted.err());
  }

  @Test
  void whatOnlyARunningServiceKnowsIsNamed() {
    String note = "\nnote      a running service may refuse it: it counts rates and failed attempts where they "
        + "are limited\n";
    assertTrue(line("http://a/orders/1 -u alice:" + CANARY).out().endsWith(note),
        line("http://a/orders/1 -u alice:" + CANARY).out());
    assertFalse(line("http://a/seen").out().contains("\nnote "));
    assertFalse(line("http://a/closed").out().contains("\nnote "), "it is refused anyway");
  }

  @Test
  void aRedirectIsShown() {
    assertTrue(line("http://a/closed").out().contains("\nredirect  https://login.test/\n"));
  }

  @Test
  void savedRequestsAreTestCases() throws IOException {
    Path cases = folder.resolve("saved_test.yaml");
    for (String url : new String[] {"http://a/orders/1?x=1", "http://a/closed", "http://a/none"}) {
      CommandResult reported = line(url + " --save " + cases);
      assertEquals(0, reported.status(), reported.err());
    }
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(cases)));
    CommandResult tested = CommandResult.of("test", "--insecure", cases.toString());
    assertEquals(0, tested.status(), tested.out() + tested.err());
    assertTrue(tested.out().contains("3 passed, 0 failed"), tested.out());
    Path other = Files.writeString(folder.resolve("other.yaml"), "a: 1\n");
    CommandResult reported = line("http://a/closed --save " + other);
    assertEquals(1, reported.status());
    assertTrue(reported.err().contains("cannot add a test case to"), reported.err());
    assertEquals("a: 1\n", Files.readString(other));
  }

  /** Nothing listens at port 1. */
  @Test
  void savedCasesFailTheCallsThatFailed() throws IOException {
    Files.writeString(config, Files.readString(config).replace("  finalizers:\n", "  contextualizers:\n  - { id: extra,"
        + " type: generic, config: { endpoint: 'http://127.0.0.1:1/', continue_pipeline_on_error: true } }\n"
        + "  finalizers:\n"));
    Path rules = folder.resolve("rules/shop.yaml");
    Files.writeString(rules, Files.readString(rules).replace("{ authorizer: role }", "{ contextualizer: extra }"));
    Path cases = folder.resolve("saved_test.yaml");
    assertEquals(0, line("http://a/seen --save " + cases).status());
    assertTrue(Files.readString(cases).contains("\"fail\":\"refused\""), Files.readString(cases));
    CommandResult tested = CommandResult.of("test", "--insecure", cases.toString());
    assertEquals(0, tested.status(), tested.out() + tested.err());
  }

  private CommandResult line(String words) {
    List<String> line = new ArrayList<>(List.of("explain", "--insecure", "-c", config.toString()));
    line.addAll(List.of(words.split(" ")));
    return CommandResult.of(line.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "url: 'http://a/orders/0'|refused with 403: authorization error: not yours",
    "url: 'http://a/closed'|refused with 302: authorization error: denied by authorizer",
    "url: 'http://a/none'|refused with 401: authentication error: denied by authenticator",
    "url: 'http://a/none'|rule      `default` of config: no rule matches GET http://a/none",
    "url: 'http://a/orders/1', method: DELETE|no rule matches DELETE http://a/orders/1",
    "url: 'http://a/orders/a%2Fb'|refused with 400: ",
  })
  void showsWhyARequestIsRefused(String request, String shown) throws IOException {
    CommandResult reported = explained("{" + request + "}");
    assertEquals(0, reported.status(), reported.err());
    assertTrue(reported.out().contains(shown), reported.out());
  }

  @Test
  void jsonSaysTheSame() throws Exception {
    CommandResult reported = explained("url: http://a/orders/0\nmethod: POST\nbody: { total: 1 }\n", "--output",
        "json");
    Value.Dict out = (Value.Dict) Json.read(reported.out());
    assertEquals(Value.of(false), out.get("allowed").orElseThrow());
    assertEquals(Value.of(403), out.get("status").orElseThrow());
    assertEquals(Value.of("order"), ((Value.Dict) out.get("rule").orElseThrow()).get("id").orElseThrow());
    Value.Dict own = (Value.Dict) ((Value.Array) out.get("steps").orElseThrow()).items().get(2);
    assertEquals(Value.of("failed"), own.get("outcome").orElseThrow());
    assertEquals(Value.of("authorization error: not yours"), own.get("reason").orElseThrow());
    assertEquals(Value.of(false), own.get("cached").orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "url: 'http://a/orders/1', headers: {Authorization: Bearer CANARY, X-Api-Key: CANARY, Cookie: sid=CANARY}",
    "url: 'http://a/orders/1', headers: {Authorization: Basic CANARY}",
    "url: 'http://a/CANARY?access_token=CANARY'",
    "url: 'http://a/orders/CANARY?code=CANARY&x=1', headers: {X-Session: [one, CANARY]}",
    "url: 'http://a/eyJhbGciOiJub25lIn0.CANARY.CANARY'",
    "url: 'http://ann:CANARY@a/orders/1'",
    "url: 'http://CANARY@a/none'",
    "url: 'http://CANARY@CANARY@a:x/none'",
  })
  void secretsOfTheRequestAreMasked(String request) throws IOException {
    for (String form : new String[] {"text", "json"}) {
      CommandResult reported = explained("{" + request.replace("CANARY", CANARY) + "}", "--output", form);
      assertEquals(0, reported.status(), reported.err());
      assertFalse((reported.out() + reported.err()).contains(CANARY), reported.out());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-H=X-A: b\r\nX-C: d", "-H=X-A: b\nX-C: d", "-H=X-A: \u0000", "-b=sid=1\r\nX-C: d"})
  void controlCharactersInFieldsAreWrongUsage(String option) {
    String value = option.substring(3);
    CommandResult reported = CommandResult.of("explain", "--insecure", "-c", config.toString(), option.substring(0, 2),
        value,
        "http://a/none");
    assertEquals(2, reported.status(), reported.out());
    assertTrue(reported.err().contains(" has a control character, which no client can send"), reported.err());
    assertEquals(0, CommandResult.of("explain", "--insecure", "-c", config.toString(), option.substring(0, 2),
        value.replaceAll("[\\x00-\\x1f]", "\t"), "http://a/none").status());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "url: 'http://a/', headers: {X-A: \"b\\nc\"}|the value of `X-A` has a control character",
    "url: 'http://a/', headers: {X A: b}|`X A` is not a field name",
    "method: GET|`url` is missing",
    "url: 'http://a/', header: {}|unknown key `header`, did you mean `headers`?",
  })
  void faultsOfTheRequestAreShownInTheFile(String request, String wanted) throws IOException {
    CommandResult reported = explained("{" + request + "}");
    assertEquals(1, reported.status());
    assertTrue(reported.err().contains(wanted), reported.err());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "http://a/closed|0|refused with 302: authorization error: denied by authorizer",
    "POST http://a/orders/42|0|POST http://a/orders/42",
    "DELETE http://a/orders/42|0|no rule matches DELETE http://a/orders/42",
    "PO(ST http://a/closed|2|`PO(ST` is not a method, like `GET`",
    "/closed|2|`/closed` is not an absolute URL, like `https://",
    "http://a/%zz|0|refused with 400: ",
    "GET http://a/closed -H|2|`-H` needs a value: -H FIELD",
    "GET http://a/closed X-A:b|2|`X-A:b` is not expected here: header fields are given by `-H`",
    "http://a/closed -r x|2|name one request",
    "ftp://ann:pw@a/closed|2|`ftp://***@a/closed` is not an absolute URL",
    "|2|name one request, as `GET https://",
  })
  void aPlainRequestIsNamedByMethodAndUrl(String words, int status, String shown) {
    List<String> line = new ArrayList<>(List.of("explain", "--insecure", "-c", config.toString()));
    if (words != null) {
      line.addAll(List.of(words.split(" ")));
    }
    CommandResult reported = CommandResult.of(line.toArray(String[]::new));
    assertEquals(status, reported.status(), reported.err());
    assertTrue((reported.out() + reported.err()).contains(shown), reported.out() + reported.err());
  }

  @Test
  void whatIsMissingIsNamed() {
    assertEquals(2, CommandResult.of("explain", "-c", config.toString()).status());
    assertEquals(2, CommandResult.of("explain", "--request", "x").status());
    CommandResult missing = CommandResult.of("explain", "-c", config.toString(), "--insecure", "--request",
        folder.resolve("no.yaml").toString());
    assertTrue(missing.status() == 1 && missing.err().contains("cannot read the request file"), missing.err());
    assertTrue(CommandResult.of("help", "explain").out().contains("method (GET), url (absolute), headers"));
  }
}

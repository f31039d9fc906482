package portcullis.policy.contextualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.StubService;
import portcullis.fixture.TestTls;
import portcullis.http.message.Request;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** Each setting of the contextualizers, with a real remote party. */
class ContextualizersTest {
  private static final Request REQUEST = Rules.request("/shop", "", "X-A", "one", "X-A", "two", "X-B", "b", "Cookie",
      "sid=\"1 2\"; tid=3");
  private static final String STEPS = "{authenticator: user}, {contextualizer: more}";

  private static String of(String type, String config) {
    return "authenticators: [{id: user, type: anonymous, config: {subject: anna}}]\n"
        + "contextualizers: [{id: more, type: " + type + ", config: {" + config + "}}, {id: first, type: map, "
        + "config: {items: {place: here}}}]\n"
        + "finalizers: [{id: tell, type: header, config: {headers: {X-Place: '{{ .Outputs.more.place }}'}}}]\n";
  }

  private static String generic(String config) {
    return of("generic", config);
  }

  private static String overriding(String config) {
    return "{authenticator: user}, {contextualizer: more, config: {" + config + "}}";
  }

  @Test
  void theQuestionIsMadeOfTemplates() {
    String config = "endpoint: {url: 'URL/of/{{ .Subject.ID }}?p={{ urlenc .Request.URL.Path }}', headers: {X-V: '{{ "
        + ".Values.v }}'}},"
        + " values: {v: 'v-{{ .Outputs.first.place }}'}, payload: '{{ .Request.Method }} {{ .Values.v }}'";
    try (Stage stage = new Stage(_ -> StubService.ok("{\"place\": \"there\"}", "Content-Type: application/json"))) {
      assertEquals("passed anna [X-Place: there] {\"first\":{\"place\":\"here\"},\"more\":{\"place\":\"there\"}}",
          stage.run(generic(config),
              "{authenticator: user}, {contextualizer: first}, {contextualizer: more}, {finalizer: tell}", REQUEST));
      StubService.ReceivedRequest receivedCalls = stage.receivedCalls().getFirst();
      assertEquals("POST /of/anna?p=%2Fshop v-here GET v-here",
          receivedCalls.method() + " " + receivedCalls.target() + " " + receivedCalls.field("X-V") + " "
              + receivedCalls.body());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "-", value = {
    "200|-|~~|passed anna []",
    "204|-|~~|passed anna []",
    "200|application/json|null|passed anna []",
    "201|application/json|{\"a\": [1]}|passed anna [] {\"more\":{\"a\":[1]}}",
    "200|application/x-www-form-urlencoded|a=1|passed anna [] {\"more\":{\"a\":[\"1\"]}}",
    "200|application/x-www-form-urlencoded|a=%zz|failed to unmarshal response: it is not a form",
    "200|application/yaml|a: b|passed anna [] {\"more\":{\"a\":\"b\"}}",
    "200|text/plain|hi|passed anna [] {\"more\":\"hi\"}",
    "200|application/json|{|failed to unmarshal response",
    "302|-|~~|unexpected response code: 302",
    "404|-|~~|unexpected response code: 404",
    "500|-|~~|unexpected response code: 500",
  })
  void theAnswerIsTheOutput(int status, String type, String body, String outcome) {
    String[] fields = type == null ? new String[0] : new String[] {"Content-Type: " + type};
    try (Stage stage = new Stage(_ -> StubService.answer(status, body, fields))) {
      String reported = stage.run(generic("endpoint: URL/"), STEPS, REQUEST);
      assertTrue(
          outcome.startsWith("passed") ? reported.equals(outcome)
              : reported.contains(outcome) && !reported.startsWith("passed"),
          reported);
      String lenient = stage.run(generic("endpoint: URL/, continue_pipeline_on_error: true"), STEPS, REQUEST);
      assertEquals(outcome.startsWith("passed") ? outcome : "passed anna []", lenient);
    }
  }

  @Test
  void anErrorOfTlsIsAnErrorOfCommunication() {
    try (Stage stage = new Stage(_ -> "");
        RawUpstream untrusted = RawUpstream.of(TestTls.showing(CertificateDraft.of("gate").hosts("localhost").make()),
            RawUpstream.always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))) {
      String url = "endpoint: 'https://localhost:" + untrusted.port() + "/'";
      String strict = stage.run(generic(url), STEPS, REQUEST);
      assertTrue(strict.contains("communication error: request to the contextualizer endpoint failed"), strict);
      assertTrue(strict.contains("https://localhost:" + untrusted.port()), strict);
      assertEquals("passed anna []",
          stage.run(generic(url + ", continue_pipeline_on_error: true"), STEPS, REQUEST));
      String mechanisms = generic(url).replace("authenticators: [",
          "authenticators: [{id: remote, type: generic, config:"
              + " {identity_info_" + url + ", authentication_data_source: [{header: X-A}], subject: {id: id}}}, ");
      assertEquals("passed anna []",
          stage.run(mechanisms, "{authenticator: remote}, {authenticator: user}", REQUEST));
    }
  }

  @Test
  void whatTheClientSentGoesAlongWhereItIsNamed() {
    String config = "endpoint: {url: URL/, method: GET}, forward_headers: [x-a, X-None], forward_cookies: [sid, none]";
    try (Stage stage = new Stage(_ -> StubService.OK)) {
      stage.run(generic(config), STEPS, REQUEST);
      stage.run(generic(config), overriding("forward_headers: [X-B]"), REQUEST);
      stage.run(generic(config), overriding("forward_cookies: [tid]"), REQUEST);
      stage.run(generic("endpoint: {url: URL/, method: GET}"), STEPS, REQUEST);
      List<String> reported = stage.receivedCalls().stream()
          .map(a -> a.method() + " " + a.field("X-A") + " " + a.field("X-B") + " " + a.field("Cookie")).toList();
      assertEquals(List.of("GET one,two  sid=\"1 2\"", "GET  b sid=\"1 2\"", "GET one,two  tid=3", "GET   "), reported);
      stage.run(generic(config), overriding("forward_headers: [], forward_cookies: []"), REQUEST);
      assertEquals(4, stage.receivedCalls().size(), "empty lists change nothing, so the answer is known");
    }
  }

  @Test
  void aRuleMayReplaceAllButTheEndpoint() {
    String config = "endpoint: URL/, payload: 'one {{ .Values.a }}{{ .Values.b }}', values: {a: '1', b: '2'}";
    try (Stage stage = new Stage(
        receivedCalls -> receivedCalls.body().startsWith("bad") ? StubService.answer(500, "")
            : StubService.ok(receivedCalls.body()))) {
      assertEquals("passed anna [] {\"more\":\"one 12\"}", stage.run(generic(config), STEPS, REQUEST));
      assertEquals("passed anna [] {\"more\":\"one 13\"}",
          stage.run(generic(config), overriding("values: {b: '3'}"), REQUEST));
      assertEquals("passed anna [] {\"more\":\"two 1\"}",
          stage.run(generic(config), overriding("payload: 'two {{ .Values.a }}'"), REQUEST));
      assertFalse(stage.run(generic(config), overriding("payload: bad"), REQUEST).startsWith("passed"));
      assertEquals("passed anna []",
          stage.run(generic(config), overriding("payload: bad, continue_pipeline_on_error: true"), REQUEST));
      String lenient = generic(config + ", continue_pipeline_on_error: true");
      assertEquals("passed anna []", stage.run(lenient, overriding("payload: bad"), REQUEST));
      assertFalse(stage.run(lenient, overriding("payload: bad, continue_pipeline_on_error: false"), REQUEST)
          .startsWith("passed"));
      assertTrue(stage.wrong(generic(config), overriding("endpoint: URL/other")).contains("unknown key `endpoint`"));
    }
  }

  @Test
  void cachesResponsesTenSecondsByDefault() {
    try (Stage stage = new Stage(_ -> StubService.ok("x"))) {
      String defaults = generic("endpoint: URL/");
      stage.run(defaults, STEPS, REQUEST);
      stage.later(Duration.ofMillis(9_900));
      stage.run(defaults, STEPS, REQUEST);
      assertEquals(1, stage.receivedCalls().size());
      stage.later(Duration.ofMillis(200));
      stage.run(defaults, STEPS, REQUEST);
      assertEquals(2, stage.receivedCalls().size());
      stage.run(defaults, overriding("cache_ttl: 0s"), REQUEST);
      assertEquals(3, stage.receivedCalls().size());
      String minute = generic("endpoint: URL/minute, cache_ttl: 1m");
      stage.run(minute, STEPS, REQUEST);
      stage.later(Duration.ofSeconds(59));
      stage.run(minute, STEPS, REQUEST);
      assertEquals(4, stage.receivedCalls().size());
    }
  }

  @Test
  void answersAreNotMixedAmongSubjectsAndQuestions() {
    String two = "authenticators: [{id: user, type: anonymous, config: {subject: anna}}, {id: other, type: "
        + "anonymous, config: {subject: bob}}]\n"
        + "contextualizers: [{id: more, type: generic, config: {endpoint: URL/, forward_headers: [X-A]}}]\n";
    try (Stage stage = new Stage(_ -> StubService.ok("x"))) {
      stage.run(two, "{authenticator: user}, {contextualizer: more}", REQUEST);
      stage.run(two, "{authenticator: other}, {contextualizer: more}", REQUEST);
      stage.run(two, "{authenticator: other}, {contextualizer: more}", Rules.request("/shop", "", "X-A", "else"));
      assertEquals(3, stage.receivedCalls().size());
    }
  }

  @Test
  void unreachableServiceIsCommunicationError() {
    try (Stage stage = new Stage(_ -> "")) {
      String reported = stage.run(generic("endpoint: URL/"), STEPS, REQUEST);
      assertTrue(reported.contains("communication error: request to the contextualizer endpoint failed"), reported);
    }
  }

  @Test
  void aMapIsItsItemsRendered() {
    String config = "items: {who: '{{ .Subject.ID }}', sum: '{{ .Values.a }}{{ .Values.b }}', at: '{{ "
        + ".Request.URL.Path }}', n: '1'}, values: {a: x, b: y}";
    try (Stage stage = new Stage(_ -> StubService.OK)) {
      assertEquals("passed anna [] {\"more\":{\"at\":\"/shop\",\"n\":\"1\",\"sum\":\"xy\",\"who\":\"anna\"}}",
          stage.run(of("map", config), STEPS, REQUEST));
      assertEquals("passed anna [] {\"more\":{\"at\":\"/shop\",\"n\":\"1\",\"sum\":\"xz\",\"who\":\"anna\"}}",
          stage.run(of("map", config), overriding("values: {b: z}"), REQUEST));
      assertTrue(stage.wrong(of("map", config), overriding("items: {a: b}")).contains("unknown key `items`"));
      assertTrue(stage.wrong(of("map", "values: {a: b}"), STEPS).contains("`items` is missing"));
      assertTrue(stage.wrong(of("map", config + ", continue_pipeline_on_error: true"), STEPS)
          .contains("unknown key `continue_pipeline_on_error`"));
      String reported = stage.run(of("map", "items: {a: '{{ .Subject.ID.more }}'}"), STEPS, REQUEST);
      assertTrue(reported.contains("failed to render templates for the map contextualizer: a: "), reported);
    }
  }
}

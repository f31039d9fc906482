package portcullis.policy.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Request;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** Each setting of the remote authorizer, with a real remote party. */
class RemoteTest {
  private static final Request REQUEST = Rules.request("/shop", "", "X-Who", "anna");
  private static final String STEPS = "{authenticator: user}, {authorizer: may}";

  private static String mechanisms(String config) {
    return "authenticators: [{id: user, type: anonymous, config: {subject: anna}}]\n"
        + "contextualizers: [{id: more, type: map, config: {items: {place: here}}}]\n"
        + "authorizers: [{id: may, type: remote, config: {" + config + "}}]\n";
  }

  private static String overriding(String config) {
    return "{authenticator: user}, {authorizer: may, config: {" + config + "}}";
  }

  @Test
  void theQuestionIsMadeOfTemplates() {
    String config = "endpoint: {url: 'URL/check/{{ .Subject.ID }}?p={{ urlenc .Request.URL.Path }}', headers: {X-V: "
        + "'{{ .Values.v }}',"
        + " Content-Type: application/json}}, values: {v: 'v-{{ .Request.Header \"X-Who\" }}'},"
        + " payload: '{\"who\": {{ quote .Subject.ID }}, \"at\": {{ quote .Outputs.more.place }}, \"v\": {{ quote "
        + ".Values.v }}}'";
    try (Stage stage = new Stage(_ -> StubService.OK)) {
      assertEquals("passed anna [] {\"more\":{\"place\":\"here\"}}",
          stage.run(mechanisms(config), "{authenticator: user}, {contextualizer: more}, {authorizer: may}", REQUEST));
      StubService.ReceivedRequest receivedCalls = stage.receivedCalls().getFirst();
      assertEquals("POST /check/anna?p=%2Fshop", receivedCalls.method() + " " + receivedCalls.target());
      assertEquals("v-anna application/json", receivedCalls.field("X-V") + " " + receivedCalls.field("Content-Type"));
      assertEquals("{\"who\": \"anna\", \"at\": \"here\", \"v\": \"v-anna\"}", receivedCalls.body());
    }
  }

  @Test
  void requestWithoutPayloadHasNoBody() {
    try (Stage stage = new Stage(_ -> StubService.OK)) {
      stage.run(mechanisms("endpoint: {url: URL/check, method: GET, headers: {X-A: b}}"), STEPS, REQUEST);
      StubService.ReceivedRequest receivedCalls = stage.receivedCalls().getFirst();
      assertEquals("GET /check b ",
          receivedCalls.method() + " " + receivedCalls.target() + " " + receivedCalls.field("X-A") + " "
              + receivedCalls.body());
      assertTrue(stage.wrong(mechanisms("endpoint: URL/check"), STEPS).contains("`payload` is missing"));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "-", value = {
    "200|-|~~|-|passed anna []",
    "204|-|~~|-|passed anna []",
    "299|-|~~|-|passed anna []",
    "200|application/json|null|-|passed anna []",
    "200|application/json|{\"a\": 1}|-|passed anna [] {\"may\":{\"a\":1}}",
    "200|application/vnd.x+json; charset=utf-8|[1]|-|passed anna [] {\"may\":[1]}",
    "200|application/x-www-form-urlencoded|a=1&b=2&a=3|-|passed anna [] "
        + "{\"may\":{\"a\":[\"1\",\"3\"],\"b\":[\"2\"]}}",
    "200|application/yaml|a: [1]|-|passed anna [] {\"may\":{\"a\":[1]}}",
    "200|text/plain|{\"a\": 1}|-|passed anna [] {\"may\":\"{\\\"a\\\": 1}\"}",
    "200|-|yes|-|passed anna [] {\"may\":\"yes\"}",
    "200|application/json|{\"a\": |-|failed to unmarshal response",
    "302|-|~~|-|authorization failed based on received response code: 302",
    "401|-|~~|-|authorization failed based on received response code: 401",
    "403|application/json|{\"a\": 1}|-|authorization failed based on received response code: 403",
    "500|-|~~|-|authorization failed based on received response code: 500",
    "200|application/json|{\"a\": 1}|{expression: Payload.a == 1}|passed anna [] {\"may\":{\"a\":1}}",
    "200|application/json|{\"a\": 1}|{expression: Payload.a == 2}|expression 1 failed",
    "200|application/json|{\"a\": 1}|{expression: Payload.a == 1}, {expression: Payload.a == 2, message: no "
        + "more}|no more",
    "200|application/json|{\"a\": 1}|{expression: Payload.b == 1}|failed evaluating expression 1",
    "200|-|yes|{expression: Payload == 'yes'}|passed anna [] {\"may\":\"yes\"}",
    "200|-|~~|{expression: Payload == null}|passed anna []",
    "200|-|~~|{expression: Payload.a == 1}|failed evaluating expression 1",
  })
  void checksStatusAndExpressions(int status, String type, String body, String expressions,
      String outcome) {
    String[] fields = type == null ? new String[0] : new String[] {"Content-Type: " + type};
    try (Stage stage = new Stage(_ -> StubService.answer(status, body, fields))) {
      String config = "endpoint: URL/, payload: x"
          + (expressions == null ? "" : ", expressions: [" + expressions + "]");
      String reported = stage.run(mechanisms(config), STEPS, REQUEST);
      assertTrue(
          outcome.startsWith("passed") ? reported.equals(outcome)
              : reported.contains(outcome) && !reported.startsWith("passed"),
          reported);
    }
  }

  @Test
  void forwardsNamedResponseHeaders() {
    String config = "endpoint: URL/, payload: x, forward_response_headers_to_upstream: [x-said, X-Other, X-None]";
    try (Stage stage = new Stage(
        _ -> StubService.ok("", "X-Said: one", "X-Said: two", "X-Other: three", "X-More: four"))) {
      assertEquals("passed anna [x-said: one, X-Other: three]", stage.run(mechanisms(config), STEPS, REQUEST));
      assertEquals("passed anna [X-More: four]",
          stage.run(mechanisms(config), overriding("forward_response_headers_to_upstream: [X-More]"), REQUEST));
      assertEquals("passed anna [x-said: one, X-Other: three]",
          stage.run(mechanisms(config), overriding("forward_response_headers_to_upstream: []"), REQUEST));
    }
  }

  @Test
  void rulesOverridePayloadAndExpressionsOnly() {
    String config = "endpoint: {url: URL/, headers: {X-V: '{{ .Values.a }}{{ .Values.b }}'}}, payload: one, values: "
        + "{a: '1', b: '2'},"
        + " expressions: [{expression: Payload == 'one', message: not one}]";
    try (Stage stage = new Stage(receivedCalls -> StubService.ok(receivedCalls.body()))) {
      assertEquals("passed anna [] {\"may\":\"one\"}", stage.run(mechanisms(config), STEPS, REQUEST));
      assertTrue(stage.run(mechanisms(config), overriding("payload: two"), REQUEST).contains("not one"));
      assertEquals("passed anna [] {\"may\":\"two\"}",
          stage.run(mechanisms(config), overriding("payload: two, expressions: [{expression: Payload == 'two'}]"),
              REQUEST));
      assertEquals("passed anna [] {\"may\":\"one\"}",
          stage.run(mechanisms(config), overriding("expressions: [], values: {b: '3'}"), REQUEST));
      assertEquals(List.of("12", "12", "12", "13"), stage.receivedCalls().stream().map(a -> a.field("X-V")).toList());
      assertTrue(stage.wrong(mechanisms(config), overriding("endpoint: URL/other")).contains("unknown key `endpoint`"));
    }
  }

  @Test
  void cachesResponsesForTtlButNoDecisions() {
    String kept = mechanisms("endpoint: URL/, payload: x, cache_ttl: 1m, forward_response_headers_to_upstream: [X-N]");
    try (Stage stage = new Stage(_ -> StubService.ok("{\"a\": 1}", "Content-Type: application/json", "X-N: n"))) {
      String passed = "passed anna [X-N: n] {\"may\":{\"a\":1}}";
      for (int i = 0; i < 3; i++) {
        assertEquals(passed, stage.run(kept, STEPS, REQUEST));
      }
      assertEquals(1, stage.receivedCalls().size());
      assertTrue(stage.run(kept, overriding("expressions: [{expression: Payload.a == 2, message: denied}]"), REQUEST)
          .contains("denied"));
      assertEquals(1, stage.receivedCalls().size(), "the answer is kept, the verdict is not");
      stage.later(Duration.ofSeconds(61));
      assertEquals(passed, stage.run(kept, STEPS, REQUEST));
      assertEquals(2, stage.receivedCalls().size());
      stage.run(kept, overriding("cache_ttl: 0s"), REQUEST);
      assertEquals(3, stage.receivedCalls().size());
    }
  }

  @Test
  void cachesOnlyIfConfiguredAndNoDenials() {
    String defaults = mechanisms("endpoint: URL/, payload: x");
    String kept = mechanisms("endpoint: URL/, payload: x, cache_ttl: 1m, expressions: [{expression: Payload == "
        + "'yes'}]");
    try (Stage stage = new Stage(_ -> StubService.ok("no"))) {
      stage.run(defaults, STEPS, REQUEST);
      stage.run(defaults, STEPS, REQUEST);
      assertEquals(2, stage.receivedCalls().size());
      stage.run(kept, STEPS, REQUEST);
      stage.run(kept, STEPS, REQUEST);
      assertEquals(4, stage.receivedCalls().size());
      stage.run(defaults, overriding("cache_ttl: 1m"), REQUEST);
      stage.run(defaults, overriding("cache_ttl: 1m"), REQUEST);
      assertEquals(5, stage.receivedCalls().size());
    }
  }

  @Test
  void unreachableServiceIsCommunicationError() {
    try (Stage stage = new Stage(_ -> "")) {
      String reported = stage.run(mechanisms("endpoint: URL/, payload: x"), STEPS, REQUEST);
      assertTrue(reported.contains("request to the authorization endpoint failed"), reported);
      reported = stage.run(mechanisms("endpoint: URL/, payload: '{{ .Subject.ID.more }}'"), STEPS, REQUEST);
      assertTrue(reported.contains("failed to render payload for the authorization endpoint"), reported);
    }
  }
}

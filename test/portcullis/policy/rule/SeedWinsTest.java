package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problems;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;

/** Where the specification and the reference differ, the specification counts. */
class SeedWinsTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: bob, type: anonymous, config: {subject: bob}}]
      authorizers:
      - {id: is, type: cel, config: {expressions: [{expression: "Request.Method == 'PUT'"}, {expression: "true", \
      message: own}]}}
      - {id: told, type: cel, config: {expressions: [{expression: "false", message: own}]}}
      contextualizers: [{id: texts, type: map, config: {items: {a: b}}}]
      finalizers:
      - {id: noop, type: noop}
      - {id: who, type: header, config: {headers: {X-User: '{{ .Subject.ID }}'}}}
      error_handlers: [{id: teapot, type: generic, config: {code: 418}}, {id: gone, type: generic, config: {code: 410}}]
      """;

  private static Request post(String body) {
    try {
      return new Request("POST", "https", Authority.parse("shop.local").orElseThrow(), RequestPath.read("/orders/7"),
          "x=1",
          Fields.of("Content-Type", "application/json", "X-Tenant", "acme"), List.of("192.0.2.1"),
          Body.of(body.getBytes(StandardCharsets.UTF_8), "application/json"));
    } catch (ResponseStatusException e) {
      throw new AssertionError(e);
    }
  }

  private static String outcome(String execute) {
    return Rules
        .outcome(Rules.pipeline(MECHANISMS, execute).run(post("{\"id\": 7, \"tags\": [\"a\"]}"), AccessGuard.OPEN,
            Observer.NONE));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"Request.Body.id == 7|passed", "Request.Body().id == 7|passed",
    "Request.Body.tags[0] == 'a'|passed",
    "Request.Body == Request.Body()|passed", "has(Request.Body.id) && !has(Request.Body.no)|passed",
    "Request.Body.id == 8|authorization error"})
  void theBodyIsAPropertyAndAFunction(String expression, String begin) {
    String reported = outcome("execute: [{authenticator: anon}, {authorizer: is, config: {expressions: [{expression: \""
        + expression + "\"}]}}]");
    assertEquals(begin, reported.substring(0, Math.min(begin.length(), reported.length())), reported);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"{authorizer: is}|expression 1 failed", "{authorizer: is, config: {message: "
      + "only PUT}}|only PUT",
    "{authorizer: told}|own", "{authorizer: told, config: {message: another}}|own"})
  void aStepMaySetTheMessageOfExpressionsThatHaveNone(String step, String message) {
    String id = step.startsWith("{authorizer: is") ? "is" : "told";
    assertEquals("authorization error: " + message + " @" + id + "/" + id,
        outcome("execute: [{authenticator: anon}, " + step + "]"));
  }

  @Test
  void endpointTemplatesSeeTheRequest() throws CallFailure {
    Problems problems = new Problems();
    Endpoint endpoint = Catalogues.node("{url: 'https://pdp.local/{{ .Request.Method }}{{ .Request.URL.Path }}', "
        + "headers: {X-T: '{{ .Request.Header \"X-Tenant\" }}'}}",
        problems).flatMap(node -> EndpointDecoder.decoder().decode(node, problems)).orElseThrow();
    EndpointRequest request = endpoint.request(PipelineState.of(post("{}")).scope());
    assertEquals("https://pdp.local/POST/orders/7", request.target().toString());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: bob, if: 'Request.Method == \"GET\"'}, {authenticator: anon}, {finalizer: "
        + "who}]|passed anonymous [X-User: anonymous]",
    "execute: [{authenticator: bob, if: 'Request.Method == \"POST\"'}, {authenticator: anon}, {finalizer: "
        + "who}]|passed bob [X-User: bob]",
    "execute: [{authenticator: bob, if: 'Request.Method == \"GET\"'}]|authentication error: no authenticator "
        + "applies @/",
    "execute: [{authenticator: anon}, {authorizer: told, if: 'Subject.ID != \"anonymous\"'}]|passed anonymous []",
    "execute: [{authenticator: anon}, {contextualizer: texts, if: 'false'}]|passed anonymous []",
    "execute: [{authenticator: anon}, {contextualizer: texts, if: 'true'}]|passed anonymous [] "
        + "{\"texts\":{\"a\":\"b\"}}",
    "execute: [{authenticator: anon}, {finalizer: who, if: 'Request.Body.id == 8'}]|passed anonymous []",
    "execute: [{authenticator: anon}, {authorizer: told}]; on_error: [{error_handler: teapot, if: 'Request.Method "
        + "== \"GET\"'}, {error_handler: gone}]"
        + "|authorization error: own @told/told answered 410",
  })
  void anyStepMayHaveACondition(String steps, String outcome) {
    assertEquals(outcome, outcome(steps.replace("; ", "\n")));
  }

  @Test
  void aConditionThatCannotBeEvaluatedIsAnInternalError() {
    String reported = outcome("execute: [{authenticator: anon, if: 'Request.Body.no == 1'}]");
    assertEquals("internal error: failed evaluating the condition of step `anon`",
        reported.substring(0, Math.min(62, reported.length())), reported);
  }
}

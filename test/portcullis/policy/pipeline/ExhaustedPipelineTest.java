package portcullis.policy.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FullMemory;
import portcullis.fixture.StubService;
import portcullis.http.message.Request;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** A response that cannot be parsed as memory is exhausted ends the pipeline: the client may try again. */
class ExhaustedPipelineTest {
  private static final String EXHAUSTED = "resources exhausted: too much is being parsed at once";
  private static final String RESPONSE = "{\"sub\":\"ann\",\"more\":\"" + "x".repeat(20_000) + "\"}";
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous},
                       {id: who, type: generic, config: {identity_info_endpoint: URL/, subject: {id: sub},
                                                         authentication_data_source: [{header: X-Session}]}}]
      contextualizers: [{id: more, type: generic, config: {endpoint: URL/, cache_ttl: 0s,
                                                           continue_pipeline_on_error: true}}]
      error_handlers: [{id: teapot, type: generic, config: {code: 418}}]
      """;

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{authenticator: who}, {authenticator: anon}|who|ann",
    "{authenticator: anon}, {contextualizer: more}|more|anonymous",
  })
  void endsWithoutFallbackOrErrorHandler(String steps, String failed, String subject) {
    String rule = steps + "]\non_error: [{error_handler: teapot}";
    try (Stage stage = new Stage(_ -> StubService.ok(RESPONSE, "Content-Type: application/json"))) {
      try (FullMemory _ = new FullMemory()) {
        assertEquals(EXHAUSTED + " @" + failed + "/" + failed, stage.run(MECHANISMS, rule, request()));
      }
      assertEquals("passed " + subject, stage.run(MECHANISMS, rule, request()).substring(0, 7 + subject.length()));
    }
  }

  private static Request request() {
    return Rules.request("/a", "", "X-Session", "s");
  }
}

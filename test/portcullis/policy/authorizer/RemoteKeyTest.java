package portcullis.policy.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Request;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** A kept answer is used again for the same question of the same subject, and for nothing else. */
class RemoteKeyTest {
  private static final Request REQUEST = Rules.request("/shop", "", "X-Who", "anna");
  private static final String MAY = "authorizers: [{id: may, type: remote, config: {cache_ttl: 1m, %s}}]\n";
  private static final String ENDPOINT = "endpoint: URL/, payload: x";

  private static String mechanisms(String subject, String config) {
    return "authenticators: [{id: user, type: anonymous, config: {subject: " + subject + "}}]\n"
        + MAY.formatted(config);
  }

  private static void run(Stage stage, String mechanisms) {
    stage.run(mechanisms, "{authenticator: user}, {authorizer: may}", REQUEST);
  }

  @Test
  void answerForOneSubjectIsNotUsedForAnother() {
    try (Stage stage = new Stage(_ -> StubService.ok("yes"))) {
      run(stage, mechanisms("anna", ENDPOINT));
      run(stage, mechanisms("anna", ENDPOINT));
      assertEquals(1, stage.receivedCalls().size());
      run(stage, mechanisms("bert", ENDPOINT));
      assertEquals(2, stage.receivedCalls().size());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      endpoint: URL/other, payload: x
      endpoint: URL/, payload: y
      endpoint: {url: URL/, method: PUT}, payload: x
      endpoint: {url: URL/, headers: {X-A: b}}, payload: x
      endpoint: {url: URL/, auth: {type: basic_auth, config: {user: a, password: b}}}, payload: x
      endpoint: {url: URL/, auth: {type: api_key, config: {in: header, name: X-Key, value: v}}}, payload: x
      """)
  void answerToAnotherQuestionIsNotUsed(String other) {
    try (Stage stage = new Stage(_ -> StubService.ok("yes"))) {
      run(stage, mechanisms("anna", ENDPOINT));
      run(stage, mechanisms("anna", other));
      assertEquals(2, stage.receivedCalls().size());
      run(stage, mechanisms("anna", other));
      assertEquals(2, stage.receivedCalls().size());
    }
  }

  @Test
  void answerForAnotherMechanismIsNotUsed() {
    String context = "contextualizers: [{id: more, type: generic, config: {endpoint: URL/, payload: x, cache_ttl: "
        + "1m}}]\n";
    try (Stage stage = new Stage(_ -> StubService.ok("yes"))) {
      stage.run(mechanisms("anna", ENDPOINT) + context, "{authenticator: user}, {contextualizer: more}", REQUEST);
      run(stage, mechanisms("anna", ENDPOINT));
      assertEquals(2, stage.receivedCalls().size());
    }
  }
}

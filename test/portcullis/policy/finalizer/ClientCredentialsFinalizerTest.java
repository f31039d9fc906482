package portcullis.policy.finalizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Request;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** Each setting of the oauth2_client_credentials finalizer, with a real token endpoint. */
class ClientCredentialsFinalizerTest {
  private static final Request REQUEST = Rules.request("/shop", "");
  private static final String STEPS = "{authenticator: user}, {finalizer: token}";
  private static final String WHO = "token_url: URL/token, client_id: a b, client_secret: 's:c'";

  private static String mechanisms(String config) {
    return "authenticators: [{id: user, type: anonymous, config: {subject: anna}}]\n"
        + "finalizers: [{id: token, type: oauth2_client_credentials, config: {" + config + "}}]\n";
  }

  private static String overriding(String config) {
    return "{authenticator: user}, {finalizer: token, config: {" + config + "}}";
  }

  private static String answer(String json) {
    return StubService.ok(json, "Content-Type: application/json");
  }

  private static String token(String more) {
    return answer("{\"access_token\": \"t\"" + more + "}");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "-", value = {
    "~~|basic|grant_type=client_credentials",
    ", auth_method: basic_auth|basic|grant_type=client_credentials",
    ", auth_method: request_body|-|grant_type=client_credentials&client_id=a+b&client_secret=s%3Ac",
    ", scopes: [x, 'y:z']|basic|grant_type=client_credentials&scope=x+y%3Az",
    ", scopes: []|basic|grant_type=client_credentials",
    ", scopes: [x], auth_method: "
        + "request_body|-|grant_type=client_credentials&scope=x&client_id=a+b&client_secret=s%3Ac",
  })
  void requestsTokenAsConfigured(String more, String authenticated, String form) {
    try (Stage stage = new Stage(_ -> token(", \"token_type\": \"bearer\""))) {
      assertEquals("passed anna [Authorization: Bearer t]", stage.run(mechanisms(WHO + more), STEPS, REQUEST));
      StubService.ReceivedRequest receivedCalls = stage.receivedCalls().getFirst();
      assertEquals("POST /token application/x-www-form-urlencoded application/json",
          receivedCalls.method() + " " + receivedCalls.target() + " " + receivedCalls.field("Content-Type") + " "
              + receivedCalls.field("Accept"));
      assertEquals(form, receivedCalls.body());
      String basic = "Basic " + Base64.getEncoder().encodeToString("a+b:s%3Ac".getBytes(StandardCharsets.UTF_8));
      assertEquals(authenticated == null ? "" : basic, receivedCalls.field("Authorization"));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "~~|~~|Authorization: Bearer t",
    ", \"token_type\": \"BEARER\"|~~|Authorization: Bearer t",
    ", \"token_type\": \"mac\"|~~|Authorization: MAC t",
    ", \"token_type\": \"DPoP\"|~~|Authorization: DPoP t",
    ", \"token_type\": \"bearer\"|, header: {name: X-Token}|X-Token: Bearer t",
    ", \"token_type\": \"bearer\"|, header: {name: X-Token, scheme: Foo}|X-Token: Foo t",
    ", \"token_type\": \"bearer\"|, header: {name: X-Token, scheme: ''}|X-Token: Bearer t",
  })
  void theTokenIsPutAsConfigured(String answer, String config, String field) {
    try (Stage stage = new Stage(_ -> token(answer))) {
      assertEquals("passed anna [" + field + "]", stage.run(mechanisms(WHO + config), STEPS, REQUEST));
    }
  }

  @Test
  void aHeaderOfARuleWithoutSchemeHasTheDefinitions() {
    try (Stage stage = new Stage(_ -> token(""))) {
      assertEquals("passed anna [X-Other: S t]", stage.run(mechanisms(WHO + ", header: {name: X-Token, scheme: S}"),
          overriding("header: {name: X-Other}"), REQUEST));
    }
  }

  @Test
  void aRuleMayReplaceScopesTimeAndHeaderOnly() {
    String config = mechanisms(WHO + ", scopes: [x], header: {name: X-Token}, cache_ttl: 1h");
    try (Stage stage = new Stage(
        receivedCalls -> answer("{\"access_token\": \"" + receivedCalls.body().length() + "\"}"))) {
      assertEquals("passed anna [X-Token: Bearer 37]", stage.run(config, STEPS, REQUEST));
      assertEquals("passed anna [X-Token: Bearer 40]", stage.run(config, overriding("scopes: [long]"), REQUEST));
      assertEquals("passed anna [X-Token: Bearer 37]", stage.run(config, overriding("scopes: []"), REQUEST));
      assertEquals("passed anna [X-Other: A 37]",
          stage.run(config, overriding("header: {name: X-Other, scheme: A}"), REQUEST));
      assertEquals(2, stage.receivedCalls().size(), "a header makes no other token");
      stage.run(config, overriding("cache_ttl: 0s"), REQUEST);
      stage.run(config, overriding("cache_ttl: 0s"), REQUEST);
      assertEquals(4, stage.receivedCalls().size());
      for (String fixed : new String[] {"token_url: URL/other", "client_id: x", "client_secret: x",
        "auth_method: basic_auth"}) {
        String name = fixed.substring(0, fixed.indexOf(':'));
        assertTrue(stage.wrong(config, overriding(fixed)).contains("unknown key `" + name + "`"), fixed);
      }
    }
  }

  /** @param after seconds, in which the token is asked for once and after which it is asked for again; 0 for at once */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    ", \"expires_in\": 60|~~|55",
    ", \"expires_in\": 60|, cache_ttl: 20s|20",
    ", \"expires_in\": 60|, cache_ttl: 2h|55",
    ", \"expires_in\": \"60\"|~~|55",
    ", \"expires_in\": 5|~~|0",
    ", \"expires_in\": 60|, cache_ttl: 0s|0",
    "~~|~~|0",
    "~~|, cache_ttl: 20s|20",
  })
  void theTokenIsKeptUntilShortlyBeforeItExpires(String answer, String config, int after) {
    try (Stage stage = new Stage(_ -> token(answer))) {
      stage.run(mechanisms(WHO + config), STEPS, REQUEST);
      if (after > 0) {
        stage.later(Duration.ofSeconds(after).minusMillis(1));
        stage.run(mechanisms(WHO + config), STEPS, REQUEST);
        assertEquals(1, stage.receivedCalls().size());
        stage.later(Duration.ofMillis(2));
      }
      stage.run(mechanisms(WHO + config), STEPS, REQUEST);
      assertEquals(2, stage.receivedCalls().size());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "200|{}|holds no usable access_token",
    "200|{\"access_token\": \"a b\"}|holds no usable access_token",
    "200|{\"access_token\": \"\"}|holds no usable access_token",
    "200|{\"error\": \"no\", \"error_description\": \"never\"}|error from oauth2 server: error: no, "
        + "error_description: never",
    "400|{\"error\": \"no\", \"error_uri\": \"u\"}|error from oauth2 server: error: no, error_uri: u",
    "400|nothing|failed to unmarshal response",
    "200|nothing|failed to unmarshal response",
    "401|{\"error\": \"no\"}|unexpected response code: 401",
    "302|~~|unexpected response code: 302",
    "500|~~|unexpected response code: 500",
  })
  void withoutATokenTheRequestFails(int status, String body, String why) {
    try (Stage stage = new Stage(_ -> StubService.answer(status, body))) {
      String reported = stage.run(mechanisms(WHO + ", cache_ttl: 1h"), STEPS, REQUEST);
      assertTrue(
          reported.startsWith("communication error: request to the token endpoint failed") && reported.contains(why),
          reported);
      stage.run(mechanisms(WHO + ", cache_ttl: 1h"), STEPS, REQUEST);
      assertEquals(2, stage.receivedCalls().size(), "no failure is kept");
    }
  }

  @Test
  void secretsAreNotShown() {
    try (Stage stage = new Stage(_ -> "")) {
      String reported = stage.run(mechanisms(WHO), STEPS, REQUEST);
      assertTrue(reported.startsWith("communication error") && !reported.contains("s:c") && !reported.contains("s%3Ac"),
          reported);
    }
  }
}

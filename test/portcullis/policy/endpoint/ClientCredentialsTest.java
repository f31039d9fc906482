package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FullMemory;
import portcullis.fixture.StubService;
import portcullis.lang.source.LocatedText;

class ClientCredentialsTest {
  private static final Optional<Duration> UNSET = Optional.empty();

  private static ClientCredentials client(StubService server, String id, String secret, boolean inBody,
      Optional<Duration> time,
      String... scopes) {
    return new ClientCredentials(LocatedText.of("f", server.url("/token")), id, secret, inBody, List.of(scopes), time,
        Optional.empty());
  }

  private static String granted(String rest) {
    return StubService.ok("{\"access_token\": \"AT\"" + rest + "}", "Content-Type: application/json");
  }

  @Test
  void requestsTokenByRfc6749() throws CallFailure {
    try (StubService server = new StubService(_ -> granted("")); Setup setup = new Setup()) {
      AccessToken token = client(server, "app", "s&c ret", false, UNSET).token(setup.caller);
      assertEquals("Bearer AT", token.type() + " " + token.value());
      StubService.ReceivedRequest receivedCalls = server.last();
      assertEquals(
          List.of("POST", "Basic YXBwOnMlMjZjK3JldA==", "application/json", "application/x-www-form-urlencoded"),
          List.of(receivedCalls.method(), receivedCalls.field("Authorization"), receivedCalls.field("Accept"),
              receivedCalls.field("Content-Type")));
      assertEquals("grant_type=client_credentials", receivedCalls.body());
    }
  }

  @Test
  void inTheBodyTheClientStandsBesideTheScopes() throws CallFailure {
    try (StubService server = new StubService(_ -> granted("")); Setup setup = new Setup()) {
      client(server, "app", "s&c ret", true, UNSET, "read", "write:all").token(setup.caller);
      assertEquals("grant_type=client_credentials&scope=read+write%3Aall&client_id=app&client_secret=s%26c+ret",
          server.last().body());
      assertTrue(server.last().fields().first("Authorization").isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ''       | Bearer
      bearer   | Bearer
      BEARER   | Bearer
      mac      | MAC
      basic    | Basic
      DPoP     | DPoP
      """)
  void typesAreSpelledTheOneWay(String type, String expected) throws CallFailure {
    try (StubService server = new StubService(_ -> granted(", \"token_type\": \"" + type + "\""));
        Setup setup = new Setup()) {
      assertEquals(expected, client(server, "a", "b", false, UNSET).token(setup.caller).type());
    }
  }

  /** How long a token is kept: what the answer says less five seconds, at most what is configured. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
      300    | -  | 294 | 296
      '300'  | -  | 294 | 296
      300.5  | -  | 294 | 296
      300    | 10 | 9   | 11
      3      | 10 | 0   | 0
      0      | -  | 0   | 0
      -7     | -  | 0   | 0
      -      | -  | 0   | 0
      -      | 10 | 9   | 11
      300    | 0  | 0   | 0
      """)
  void aTokenIsKeptForItsTime(String expires, Integer configured, int kept, int gone) throws CallFailure {
    String rest = expires == null ? "" : ", \"expires_in\": " + expires.replace("'", "\"");
    try (StubService server = new StubService(_ -> granted(rest)); Setup setup = new Setup()) {
      ClientCredentials client = client(server, "a", "b", false,
          Optional.ofNullable(configured).map(Duration::ofSeconds));
      client.token(setup.caller);
      setup.later(Duration.ofSeconds(kept));
      client.token(setup.caller);
      assertEquals(kept > 0 ? 1 : 2, server.receivedCalls().size());
      int receivedCalls = server.receivedCalls().size();
      setup.later(Duration.ofSeconds(gone - kept));
      client.token(setup.caller);
      assertEquals(receivedCalls + 1, server.receivedCalls().size());
    }
  }

  @Test
  void cachesTokensPerClientScopeAndServer() throws CallFailure {
    AtomicInteger count = new AtomicInteger();
    try (
        StubService server = new StubService(
            _ -> StubService.ok("{\"access_token\": \"AT-" + count.incrementAndGet()
                + "\", \"expires_in\": 300}"));
        Setup setup = new Setup()) {
      List<ClientCredentials> clients = List.of(client(server, "app", "1x", false, UNSET),
          client(server, "app1", "x", false, UNSET),
          client(server, "app", "1x", true, UNSET), client(server, "app", "1x", false, UNSET, "a", "b"),
          client(server, "app", "1x", false, UNSET, "a b"), client(server, "app", "1x", false, UNSET, "ab"),
          new ClientCredentials(LocatedText.of("f", server.url("/token2")), "app", "1x", false, List.of(), UNSET,
              Optional.empty()));
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < clients.size(); i++) {
          assertEquals("AT-" + (i + 1), clients.get(i).token(setup.caller).value());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      500 | oops secret                                              | unexpected response code: 500
      401 | {"error": "invalid_client"}                              | unexpected response code: 401
      302 | x                                                        | unexpected response code: 302
      204 | ''                                                       | unexpected response code: 204
      400 | {"error": "e"}                                           | error from oauth2 server: error: e
      400 | {"error": "e", "error_description": "d", "error_uri": "u"} | error from oauth2 server: error: e, \
      error_description: d, error_uri: u
      400 | bad                                                      | failed to unmarshal response: invalid JSON: \
      failure \
      at line 1, column 4
      200 | {"error": "e", "access_token": "AT"}                     | error from oauth2 server: error: e
      200 | {}                                                       | the answer of the oauth2 server holds no \
      usable access_token
      200 | {"access_token": ""}                                     | the answer of the oauth2 server holds no \
      usable access_token
      200 | {"access_token": 7}                                      | the answer of the oauth2 server holds no \
      usable access_token
      200 | {"access_token": "a\\r\\nX: y"}                          | the answer of the oauth2 server holds no \
      usable access_token
      200 | {"access_token": "a", "token_type": "Bearer\\n"}         | the answer of the oauth2 server holds no \
      usable access_token
      200 | [1]                                                      | failed to unmarshal response: it is no JSON \
      object
      """)
  void whatIsNoTokenIsAFailureAndNotRemembered(int status, String body, String expected) throws CallFailure {
    AtomicInteger calls = new AtomicInteger();
    try (StubService server = new StubService(_ -> calls.incrementAndGet() == 1
        ? StubService.answer(status, body.replace("\\\\", "\\"))
        : granted("")); Setup setup = new Setup()) {
      ClientCredentials client = client(server, "a", "b", false, UNSET);
      String why = assertThrows(CallFailure.Unreachable.class, () -> client.token(setup.caller)).getMessage();
      assertTrue(why.startsWith(expected.substring(0, Math.min(expected.length(), 38))), why);
      assertEquals("AT", client.token(setup.caller).value());
    }
  }

  @Test
  void manyWhoNeedATokenAtTheSameTimeCauseOneCall() throws Exception {
    CountDownLatch receivedCalls = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (StubService server = new StubService(_ -> {
      receivedCalls.countDown();
      await(go);
      return granted(", \"expires_in\": 300");
    }); Setup setup = new Setup()) {
      ClientCredentials client = client(server, "a", "b", false, UNSET);
      List<FutureTask<AccessToken>> all = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        FutureTask<AccessToken> one = new FutureTask<>(() -> client.token(setup.caller));
        Thread.ofVirtual().start(one);
        all.add(one);
      }
      receivedCalls.await();
      go.countDown();
      for (FutureTask<AccessToken> one : all) {
        assertEquals("AT", one.get().value());
      }
      assertEquals(1, server.receivedCalls().size());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
      -                              | Authorization | Bearer AT
      {name: X-Token}                | X-Token       | Bearer AT
      {name: X-Token, scheme: Gate}  | X-Token       | Gate AT
      """)
  void theTokenIsPutWhereItIsConfigured(String header, String name, String value) throws CallFailure {
    try (
        StubService stub = new StubService(
            a -> a.target().equals("/token") ? granted("") : StubService.OK);
        Setup setup = new Setup()) {
      setup.say("""
          url: %s
          auth:
            type: oauth2_client_credentials
            config: {token_url: '%s', client_id: a, client_secret: b%s}
          """.formatted(stub.url("/"), stub.url("/token"), header == null ? "" : ", header: " + header));
      assertEquals(value, stub.last().field(name));
    }
  }

  @Test
  void aTokenThatDoesNotComeInTimeIsATimeout() {
    try (StubService server = new StubService(_ -> {
      await(new CountDownLatch(1));
      return "";
    });
        Setup setup = new Setup(
            Setup.limits(Optional.of(Duration.ofMillis(300)), Optional.empty(), Optional.empty()))) {
      Endpoint endpoint = Setup.endpoint("{url: 'http://h/', auth: {type: oauth2_client_credentials, config: "
          + "{token_url: '" + server.url("/")
          + "', client_id: a, client_secret: b}}}");
      assertTrue(assertThrows(CallFailure.Unauthenticated.class, () -> setup.say(endpoint)).timeout());
    }
  }

  @Test
  void exhaustedParseMemoryIsNotAnErrorOfTheServer() throws CallFailure {
    String large = granted(", \"x\": \"" + "x".repeat(20_000) + "\"");
    try (StubService server = new StubService(_ -> large); Setup setup = new Setup()) {
      ClientCredentials client = client(server, "app", "x", false, UNSET);
      Endpoint endpoint = Setup.endpoint("{url: '" + server.url("/x") + "', auth: {type: oauth2_client_credentials, "
          + "config: {token_url: '" + server.url("/token") + "', client_id: a, client_secret: b}}}");
      try (FullMemory _ = new FullMemory()) {
        assertThrows(CallFailure.Exhausted.class, () -> client.token(setup.caller));
        assertThrows(CallFailure.Exhausted.class, () -> setup.say(endpoint));
      }
      assertEquals("AT", client.token(setup.caller).value());
    }
  }
}

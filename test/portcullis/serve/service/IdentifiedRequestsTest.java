package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;

/** Which id a request has for rules, for its client and in the log. */
class IdentifiedRequestsTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      finalizers:
        - {id: seen, type: header, config: {headers: {X-Seen: 'id {{ .Request.Header "X-Request-Id" }}'}}}
        - {id: named, type: header, config: {headers: {X-Request-Id: f}}}
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}, {finalizer: seen}]}
      - {id: named, match: {routes: [{path: /named}]}, execute: [{authenticator: anon}, {finalizer: named}]}
      """;
  private static final TrustedProxies TRUSTED = new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow()));

  private final HttpClient client = HttpClient.newHttpClient();
  private final DeciderSetup setup = new DeciderSetup(client, MECHANISMS, RULES);
  private Optional<Listener> listener = Optional.empty();

  @AfterEach
  void stop() {
    listener.ifPresent(l -> l.stop(Duration.ofSeconds(1)));
    client.close();
  }

  private int serve(boolean envoy, boolean enabled, TrustedProxies proxies) throws Exception {
    Services services = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system());
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES, proxies)
        .with(ListenerSettings.REQUEST_IDS, enabled);
    listener = Optional.of(envoy ? services.envoy(settings, Optional.empty(), setup.decider(), () -> true)
        : services.decision(settings, Optional.empty(), setup.decider()));
    return listener.get().port();
  }

  @Test
  void theIdOfATrustedProxyIsKept() throws Exception {
    int port = serve(false, true, TRUSTED);
    String answer = OneRequest.receivedCalls(port, "GET", "/open", "X-Request-Id: a-1");
    assertEquals("id a-1", OneRequest.field(answer, "X-Seen"));
    assertEquals("a-1", OneRequest.field(answer, "X-Request-Id"));
    assertEquals("a-1", OneRequest.field(OneRequest.receivedCalls(port, "GET", "/none", "X-Request-Id: a-1"),
        "X-Request-Id"));
  }

  @Test
  void othersGetAnIdOfTheirOwn() throws Exception {
    int port = serve(false, true, TrustedProxies.NONE);
    String one = OneRequest.receivedCalls(port, "GET", "/open", "X-Request-Id: a-1", "X_Request_Id: a-2");
    String id = OneRequest.field(one, "X-Request-Id");
    assertTrue(id.matches("[0-9a-f]{32}"), one);
    assertEquals("id " + id, OneRequest.field(one, "X-Seen"));
    assertNotEquals(id, OneRequest.field(OneRequest.receivedCalls(port, "GET", "/open"), "X-Request-Id"));
    assertTrue(OneRequest.field(OneRequest.receivedCalls(port, "GET", "//"), "X-Request-Id").matches("[0-9a-f]{32}"));
  }

  @Test
  void unlessEnabledIdsAreForTheLogAlone() throws Exception {
    String answer = OneRequest.receivedCalls(serve(false, false, TRUSTED), "GET", "/open", "X-Request-Id: a-1");
    assertEquals("", OneRequest.field(answer, "X-Request-Id"));
    assertEquals("id a-1", OneRequest.field(answer, "X-Seen"));
  }

  @Test
  void aCheckHasTheIdThatATrustedProxyGaveTheRequest() throws Exception {
    try (EnvoyCaller envoy = new EnvoyCaller(serve(true, true, TRUSTED))) {
      assertEquals("id a-1", envoy.check("/open", "x-request-id", "a-1").set().get("X-Seen"));
      EnvoyCaller.CheckResult denied = envoy.check("/none", "x-request-id", "a-1");
      assertEquals("a-1", denied.set().get("X-Request-Id"), denied.toString());
      String own = envoy.check("/open", "x-request-id", "a b").set().get("X-Seen");
      assertTrue(own.matches("id [0-9a-f]{32}"), own);
    }
  }

  @Test
  void aCheckOfOthersHasTheIdOfTheCall() throws Exception {
    try (EnvoyCaller envoy = new EnvoyCaller(serve(true, true, TrustedProxies.NONE))) {
      EnvoyCaller.CheckResult result = envoy.check("/open", "x-request-id", "a-1");
      assertTrue(result.set().get("X-Seen").matches("id [0-9a-f]{32}"), result.toString());
      assertEquals(result.set().get("X-Seen"), "id " + result.set().get("answer: X-Request-Id"), result.toString());
      assertEquals(result.set().get("X-Seen"), "id " + result.set().get("X-Request-Id"), "for the upstream");
      assertEquals("f", envoy.check("/named").set().get("X-Request-Id"), "as a finalizer says");
    }
  }

  @Test
  void theLogHasBothIdsOfACheckWhereTheyDiffer() throws Exception {
    try (EnvoyCaller envoy = new EnvoyCaller(serve(true, true, TRUSTED))) {
      envoy.check("/open", "x-request-id", "a-1");
      envoy.check("/open");
    }
    stop();
    List<String> finished = setup.shown().lines().filter(line -> line.contains("\"TX finished\"")).toList();
    assertEquals(2, finished.size(), finished::toString);
    // the line of a call may come after that of the next one, as it is written behind its answer
    assertEquals(1, finished.stream().filter(line -> line.contains("\"_http_x_request_id\":\"a-1\"")).count(),
        finished::toString);
    assertEquals(1, finished.stream().filter(line -> !line.contains("_http_x_request_id")).count(),
        finished::toString);
  }

  @Test
  void aCheckWithoutIdsIsSeenAsItIs() throws Exception {
    try (EnvoyCaller envoy = new EnvoyCaller(serve(true, false, TRUSTED))) {
      EnvoyCaller.CheckResult result = envoy.check("/open", "x-request-id", "a-1");
      assertEquals("id a-1", result.set().get("X-Seen"));
      assertNull(result.set().get("answer: X-Request-Id"));
      assertEquals("id", envoy.check("/open").set().get("X-Seen"));
    }
  }
}

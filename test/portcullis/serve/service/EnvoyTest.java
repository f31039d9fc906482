package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Await;
import portcullis.fixture.FullMemory;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.grpc.MessageWriter;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;
import portcullis.lang.value.ParseMemory;
import portcullis.policy.decision.Decider;

/** Envoy's external authorization over real sockets, asked by a client of gRPC that others wrote. */
class EnvoyTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      authorizers: [{id: never, type: deny}, {id: own, type: cel, config: {expressions: [{expression: \
      'Request.Body().a == 1'}]}}]
      contextualizers: [{id: silent, type: generic, config: {endpoint: {url: "http://127.0.0.1:%d/", method: GET}, \
      cache_ttl: 0s}}]
      finalizers:
        - {id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}", X-Role: '{{ .Request.Header "role" \
      }}'}}}
        - {id: two, type: header, config: {headers: {X-Two: "a\\nb"}}}
        - {id: cookies, type: cookie, config: {cookies: {sid: '{{ .Request.Header "sid" }}'}}}
        - {id: clients, type: header, config: {headers: {X-Clients: '{{ .Request.ClientIPAddresses | join "|" }}/{{ \
      .Request.Header "x-forwarded-host" }}'}}}
      error_handlers:
        - {id: login, type: redirect, config: {to: "http://login.local/"}}
        - {id: ask, type: www_authenticate, config: {realm: Shop}}
        - {id: fine, type: generic, config: {code: 200, headers: [{Set-Cookie: a=1}, {Set-Cookie: b=2}, {X-Why: \
      "no"}], body: all is well}}
      """;
  private static final String RULES = """
      - {id: user, match: {routes: [{path: /user}]}, execute: [{authenticator: anon}, {finalizer: user}, {finalizer: \
      two}]}
      - {id: jar, match: {routes: [{path: /jar}]}, execute: [{authenticator: anon}, {finalizer: cookies, if: \
      'Request.Header("sid") != ""'}]}
      - {id: clients, match: {routes: [{path: /clients}]}, execute: [{authenticator: anon}, {finalizer: clients}]}
      - {id: own, match: {routes: [{path: /own}], methods: [PUT]}, execute: [{authenticator: anon}, {authorizer: own}]}
      - {id: nobody, match: {routes: [{path: /nobody}]}, execute: [{authenticator: nobody}]}
      - {id: never, match: {routes: [{path: /never}]}, execute: [{authenticator: anon}, {authorizer: never}]}
      - {id: login, match: {routes: [{path: /login}]}, execute: [{authenticator: nobody}], on_error: [{error_handler: \
      login}]}
      - {id: ask, match: {routes: [{path: /ask}]}, execute: [{authenticator: nobody}], on_error: [{error_handler: ask}]}
      - {id: barred, match: {routes: [{path: /barred}]}, execute: [{authenticator: anon}, {authorizer: never}], \
      on_error: [{error_handler: ask}]}
      - {id: fine, match: {routes: [{path: /fine}]}, execute: [{authenticator: nobody}], on_error: [{error_handler: \
      fine}]}
      - {id: silent, match: {routes: [{path: /silent}]}, execute: [{authenticator: anon}, {contextualizer: silent}]}
      """;

  private final AtomicBoolean ready = new AtomicBoolean(true);
  private ServerSocket silent;
  private WireClient client;
  private DeciderSetup setup;
  private Listener listener;
  private EnvoyCaller envoy;

  @BeforeEach
  void start() throws Exception {
    silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, MECHANISMS.formatted(silent.getLocalPort()), RULES);
    serve(setup.decider(), TrustedProxies.NONE);
  }

  private void serve(Decider decider, TrustedProxies proxies) throws IOException {
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES, proxies);
    listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).envoy(settings, Optional.empty(),
        decider, ready::get);
    envoy = new EnvoyCaller(listener.port());
  }

  @AfterEach
  void stop() throws IOException {
    end();
    client.close();
    silent.close();
  }

  private void end() {
    envoy.close();
    listener.stop(Duration.ofSeconds(1));
  }

  @Test
  void headersOfRulesReplaceThoseOfClients() {
    EnvoyCaller.CheckResult result = envoy.check("/user?a=b", "x-user", "root", "role", "cook", ":path", "/user");
    assertEquals(
        new EnvoyCaller.CheckResult(0, 0, Map.of("X-User", "anonymous", "X-Role", "cook", "X-Two", "a,b"), "x-clients",
            ""),
        result);
  }

  @Test
  void whatTheRuleMaySayAndDoesNotIsTakenAway() {
    EnvoyCaller.CheckResult result = envoy.check("/user", "x-role", "root", "x_role", "root", "x-other", "1");
    assertEquals("x-clients x-role x_role", result.removed());
    assertFalse(result.set().containsKey("X-Role"));
  }

  @Test
  void protectedHeadersOfAllRulesAreRemoved() {
    String all = "x-clients x-role x-two x-user";
    assertEquals(all, envoy.check("/jar").removed(), "Envoy may show us only some of the fields");
    assertEquals(all + " x.user", envoy.check("/jar", "x-user", "root", "x.user", "root").removed());
  }

  @Test
  void lookAlikesOfFramingFieldsAreRemoved() {
    assertEquals("content_length proxy x-clients x-role x-two x-user",
        envoy.check("/jar", "proxy", "x", "content_length", "1", "content-length", "0", "content-type", "a/b")
            .removed());
  }

  @Test
  void clusterNamesAreNoReasonToRefuseACheck() throws Exception {
    EnvoyCaller named = new EnvoyCaller(listener.port(), "outbound|4456||h.svc");
    try (named) {
      assertEquals(0, named.check("/user").code());
      assertEquals(16, named.check("/nobody").code());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      a=1; sid=forged; b=2 |   | {Cookie=a=1; b=2} | ''
      a=1; Sid=forged; b=2 |   | {Cookie=a=1; b=2} | ''
      sid=forged           |   | {}                | cookie
      a=1                  |   | {}                | ''
      a=1; sid=forged      | 7 | {Cookie=sid=7}    | ''
      """)
  void cookiesOfTheRuleAreNeverTheClients(String cookie, String sid, String set, String removed) {
    EnvoyCaller.CheckResult result = sid == null ? envoy.check("/jar", "cookie", cookie)
        : envoy.check("/jar", "cookie", cookie, "sid", sid);
    assertEquals(0, result.code());
    assertEquals(set, result.set().toString());
    assertEquals(removed, result.removed().replaceAll(" ?x-[a-z]+", ""));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /nobody  | 16 | 401 | {}                                                      | ''
      /never   | 7  | 403 | {}                                                      | ''
      /nowhere | 5  | 404 | {}                                                      | ''
      /login   | 9  | 302 | {Location=http://login.local/}                          | ''
      /ask     | 16 | 401 | {WWW-Authenticate=Basic realm="Shop"}                   | ''
      /barred  | 16 | 401 | {WWW-Authenticate=Basic realm="Shop"}                   | ''
      /fine    | 16 | 200 | {+Set-Cookie=a=1 & b=2, X-Why=no}                       | all is well
      /a/../b  | 3  | 400 | {}                                                      | ''
      ''       | 3  | 400 | {}                                                      | ''
      """)
  void whatIsRefusedHasACodeThatEnvoyTakesForNo(String path, long code, long status, String set, String body) {
    EnvoyCaller.CheckResult result = envoy.check(path);
    assertEquals(List.of(code, status, set, body),
        List.of(result.code(), result.status(), result.set().toString(), result.body()));
  }

  @Test
  void whatAnErrorHandlerRefusesIsLoggedWithItsReasonAndCode() {
    envoy.check("/barred");
    end();
    String finished = setup.shown().lines().filter(line -> line.contains("\"TX finished\"")).findFirst().orElse("");
    assertTrue(finished.contains("\"_error\":\"authorization error: denied by authorizer")
        && finished.contains("\"_access_granted\":false") && finished.contains("\"_grpc_status_code\":16"), finished);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      GET   | http  | shop.local | /user | a   | b      | 0
      GET   | HTTP  | shop.local | /user | a   | b      | 3
      GET   | ''    | shop.local | /user | a   | b      | 3
      G T   | http  | shop.local | /user | a   | b      | 3
      ''    | http  | shop.local | /user | a   | b      | 3
      GET   | http  | ''         | /user | a   | b      | 3
      GET   | http  | a@b        | /user | a   | b      | 3
      GET   | http  | shop.local | user  | a   | b      | 3
      GET   | http  | shop.local | //user | a  | b      | 3
      GET   | http  | shop.local | /user | a b | b      | 3
      """)
  void whatCannotBeARequestIsRefused(String method, String scheme, String host, String path, String name, String value,
      long code) {
    byte[] answer = envoy.call(EnvoyCaller.CHECK,
        EnvoyCaller.request(method, scheme, host, path, new byte[0], name, value));
    assertEquals(code, EnvoyCaller.CheckResult.of(answer).code());
  }

  @Test
  void rejectsEmptyRequestsAndControlCharacters() {
    assertEquals(3, EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, new byte[0])).code());
    assertEquals(3, envoy.check("/user", "a", "b\r\nx-user: root").code());
  }

  @Test
  void decidesBodyAsItIs() {
    byte[] good = EnvoyCaller.request("PUT", "https", "shop.local", "/own", "{\"a\":1}".getBytes(UTF_8), "content-type",
        "application/json");
    byte[] bad = EnvoyCaller.request("PUT", "https", "shop.local", "/own", "{\"a\":2}".getBytes(UTF_8), "content-type",
        "application/json");
    assertEquals(0, EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, good)).code());
    assertEquals(7, EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, bad)).code());
  }

  @Test
  void theWordOnClientsIsATrustedCallersAlone() throws Exception {
    byte[] message = EnvoyCaller.request("GET", "http", "shop.local", "/clients", new byte[0], "x-forwarded-host", "h");
    String[] reported = {"x-forwarded-for", "192.0.2.1, 198.51.100.1, nonsense"};
    assertEquals("/",
        EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, message, EnvoyCaller.soon(), reported)).set()
            .get("X-Clients"));
    end();
    serve(setup.decider(), new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow())));
    assertEquals("192.0.2.1|198.51.100.1/h",
        EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, message, EnvoyCaller.soon(), reported)).set()
            .get("X-Clients"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      envoy.service.auth.v3.Authorization/Check | 0aff | INTERNAL
      envoy.service.auth.v3.Authorization/Check | 0f   | INTERNAL
      envoy.service.auth.v3.Authorization/check | ''   | UNIMPLEMENTED
      envoy.service.auth.v2.Authorization/Check | ''   | UNIMPLEMENTED
      grpc.health.v1.Health/Watch               | ''   | UNIMPLEMENTED
      a/b                                       | ''   | UNIMPLEMENTED
      """)
  void callsThatCannotBeAnsweredFailByTheRulesOfGrpc(String method, String message, Status.Code code) {
    assertEquals(code, envoy.failure(method, HexFormat.of().parseHex(message), EnvoyCaller.soon()).getCode());
    assertEquals(0, envoy.check("/user").code(), "the connection goes on");
  }

  @Test
  void aCompressedMessageAndOneThatIsTooLongAreRefused() {
    Status compressed = envoy.failure(EnvoyCaller.CHECK, new byte[2000], EnvoyCaller.soon().withCompression("gzip"));
    assertEquals(Status.Code.UNIMPLEMENTED, compressed.getCode(), compressed.toString());
    assertEquals(Status.Code.RESOURCE_EXHAUSTED,
        envoy.failure(EnvoyCaller.CHECK, new byte[12 << 20], EnvoyCaller.soon()).getCode());
    assertEquals(0, envoy.check("/user").code());
  }

  @Test
  void aCallEndsAtItsDeadlineAndTheConnectionGoesOn() {
    long start = System.nanoTime();
    byte[] slow = EnvoyCaller.request("GET", "http", "shop.local", "/silent", new byte[0]);
    // one that the client itself knows nothing of, so that it is the server that ends the call
    Status status = envoy.failure(EnvoyCaller.CHECK, slow, CallOptions.DEFAULT, "grpc-timeout", "300m");
    assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode(), status.toString());
    assertEquals("the deadline of the call has passed", status.getDescription());
    assertTrue(System.nanoTime() - start < 10_000_000_000L);
    assertEquals(0, envoy.check("/user").code());
  }

  @ParameterizedTest
  @CsvSource({"1S", "99999999H", "99999999S", "20000000u"})
  void aDeadlineThatIsFarOffChangesNothing(String timeout) {
    byte[] message = EnvoyCaller.request("GET", "http", "shop.local", "/user", new byte[0]);
    byte[] answer = envoy.call(EnvoyCaller.CHECK, message, CallOptions.DEFAULT, "grpc-timeout", timeout);
    assertEquals(0, EnvoyCaller.CheckResult.of(answer).code());
  }

  @Test
  void anErrorOfOursIsNoPermission() throws Exception {
    end();
    serve(new Decider(() -> {
      throw new IllegalStateException("a bug");
    }, setup.log()), TrustedProxies.NONE);
    EnvoyCaller.CheckResult result = envoy.check("/user");
    assertEquals(List.of(13L, 500L), List.of(result.code(), result.status()));
  }

  @Test
  void unreadableBodiesAreRefusedWithTheirStatus() {
    byte[] large = ("{\"a\":1,\"b\":\"" + "x".repeat(1 << 20) + "\"}").getBytes(UTF_8);
    EnvoyCaller.CheckResult result = EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK,
        EnvoyCaller.request("PUT", "https", "shop.local", "/own", large, "content-type", "application/json")));
    assertEquals(List.of(3L, 413L), List.of(result.code(), result.status()));
  }

  @Test
  void forwardingHeadersOfTrustedProxiesAreLogged() throws IOException {
    byte[] message = EnvoyCaller.request("GET", "http", "shop.local", "/jar", new byte[0]);
    String[] forwarded = {"x-forwarded-for", "192.0.2.1", "forwarded", "for=198.51.100.1"};
    envoy.call(EnvoyCaller.CHECK, message, EnvoyCaller.soon(), forwarded);
    end();
    serve(setup.decider(), new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow())));
    envoy.call(EnvoyCaller.CHECK, message, EnvoyCaller.soon(), forwarded);
    assertEquals(505, OneRequest.status(OneRequest.answer(listener.port(), OneRequest.text("POST", CheckMethod.PATH,
        "Content-Type: application/grpc", "Content-Length: 0", "Forwarded: for=\"_f\u00c3\u00bcr\"") + "\r\n")));
    end();
    List<String> started = setup.shown().lines().filter(line -> line.contains("\"TX started\"")).toList();
    assertFalse(started.getFirst().contains("192.0.2.1") || started.getFirst().contains("198.51.100.1"));
    assertTrue(started.getLast().contains("_f\u00fcr"), started.getLast());
    assertTrue(started.get(1).contains("\"_x_forwarded_for\":\"192.0.2.1\"")
        && started.get(1).contains("\"_forwarded\":\"for=198.51.100.1\""), started.get(1));
  }

  @Test
  void reportsHealthByGrpc() {
    byte[] serving = {8, 1};
    assertEquals(HexFormat.of().formatHex(serving),
        HexFormat.of().formatHex(envoy.call("grpc.health.v1.Health/Check", new byte[0])));
    byte[] named = new MessageWriter().string(1, "envoy.service.auth.v3.Authorization").bytes();
    ready.set(false);
    assertEquals("0802", HexFormat.of().formatHex(envoy.call("grpc.health.v1.Health/Check", named)));
    byte[] other = new MessageWriter().string(1, "other").bytes();
    assertEquals(Status.Code.NOT_FOUND,
        envoy.failure("grpc.health.v1.Health/Check", other, EnvoyCaller.soon()).getCode());
  }

  @ParameterizedTest
  @CsvSource({"GET, application/grpc, 405", "POST, application/grpc, 505", "POST, text/plain, 415",
    "POST, application/grpc-web, 415"})
  void whatIsNoCallIsAnsweredByHttp(String method, String type, int status) throws Exception {
    try (HttpClient plain = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + CheckMethod.PATH))
          .header("Content-Type", type).method(method, HttpRequest.BodyPublishers.noBody()).build();
      assertEquals(status, plain.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    }
  }

  @Test
  void whatIsNoHttpEndsItsConnection() throws Exception {
    String answer = OneRequest.answer(listener.port(), "POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    assertEquals("400 close", OneRequest.status(answer) + " " + OneRequest.field(answer, "Connection"));
    end();
    assertTrue(setup.shown().lines().anyMatch(line -> line.contains("\"_http_status_code\":400")
        && line.contains("\"_error\":\"")), setup.shown());
  }

  @Test
  void aCallWithoutDeadlineIsAnswered() {
    byte[] message = EnvoyCaller.request("GET", "http", "shop.local", "/user", new byte[0]);
    assertEquals(0, EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, message, CallOptions.DEFAULT)).code());
  }

  @Test
  void logsCalls() {
    envoy.check("/user");
    envoy.check("/never");
    envoy.failure("a/b", new byte[0], EnvoyCaller.soon());
    envoy.call("grpc.health.v1.Health/Check", new byte[0]);
    end();
    String log = setup.shown();
    assertTrue(log.lines().anyMatch(l -> l.contains("\"_grpc_method\":\"/grpc.health.v1.Health/Check\"")
        && l.contains("\"_grpc_status_code\":0")), log);
    assertTrue(log.contains("\"_grpc_method\":\"/envoy.service.auth.v3.Authorization/Check\""), log);
    assertTrue(log.lines().anyMatch(l -> l.contains("\"_grpc_status_code\":0") && l.contains("\"_access_granted\":true")
        && l.contains("\"_subject\":\"anonymous\"") && l.contains("\"_rule\":\"")), log);
    assertTrue(
        log.lines().anyMatch(l -> l.contains("\"_grpc_status_code\":7") && l.contains("\"_access_granted\":false")
            && !l.contains("_subject")),
        log);
    assertTrue(
        log.lines().anyMatch(l -> l.contains("\"_grpc_status_code\":12") && l.contains("\"_grpc_method\":\"/a/b\"")
            && !l.contains("_access_granted")),
        log);
  }

  @Test
  void messagesTakeMemoryForParsing() throws InterruptedException {
    byte[] message = EnvoyCaller.request("GET", "http", "shop.local", "/user", new byte[0]);
    long before = ParseMemory.PROCESS.used();
    try (FullMemory _ = new FullMemory()) {
      Status status = envoy.failure(EnvoyCaller.CHECK, message, EnvoyCaller.soon());
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode());
      assertEquals("too much is being parsed at once", status.getDescription());
    }
    assertEquals(Status.OK, envoy.failure(EnvoyCaller.CHECK, message, EnvoyCaller.soon()));
    Await.until(() -> ParseMemory.PROCESS.used() == before);
    assertEquals(before, ParseMemory.PROCESS.used());
  }
}

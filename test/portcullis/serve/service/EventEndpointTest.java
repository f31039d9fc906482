package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.TokenIssuer;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Level;
import portcullis.policy.cache.Cache;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.event.EventReceiver;
import portcullis.policy.event.EventSettings;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.feed.FeedEntry;
import portcullis.serve.feed.FeedFilter;

class EventEndpointTest {
  private static final String RULES = """
      - {id: all, match: {routes: [{path: "/**"}]}, execute: [{authenticator: anon}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: nobody}]}
      """;
  private static final String LOGOUT = "/.well-known/backchannel-logout";
  private static final String EVENTS = "/.well-known/security-events";
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
  private static final String EVENT = "Content-Type: application/secevent+jwt";

  private final InstantSource clock = InstantSource.system();
  private final DecisionFeed feed = new DecisionFeed();
  private final TelemetrySinks sinks = new TelemetrySinks(Optional.empty(), Optional.empty(), Optional.empty(),
      Optional.empty(), Optional.of(feed));
  private final LockTable locks = new LockTable(clock);
  private final HttpClient client = HttpClient.newHttpClient();
  private TokenIssuer issuer;
  private DeciderSetup setup;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    start(AuditTrail.NONE);
  }

  private void start(AuditTrail audit) throws Exception {
    issuer = new TokenIssuer();
    setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]",
        RULES, Level.DEBUG);
    EventSettings settings = Yaml.read(new SourceFile("f", "issuers: [{issuer: 'https://idp.example', audience: [shop],"
        + " jwks_endpoint: {url: '" + issuer.jwksUrl() + "'}}]"), new Problems())
        .flatMap(node -> EventSettings.decoder().decode(node, new Problems())).orElseThrow();
    MechanismContext context = new MechanismContext(new EndpointClient(() -> client, Cache.none()),
        new KeyRings(clock), Enforcement.NONE, clock, clock, setup.log());
    ListenerSettings listening = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES,
        new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow())));
    listener = new Services(sinks,
        Optional.empty(), Optional.of(new EventReceiver(settings, locks, audit, context)), setup.log(), clock)
        .decision(listening, Optional.empty(), setup.decider());
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ZERO);
    issuer.close();
    client.close();
  }

  private String post(String path, String body, String... lines) throws Exception {
    String[] all = Stream.concat(Stream.of(lines), Stream.of("Content-Length: " + body.length()))
        .toArray(String[]::new);
    return OneRequest.answer(listener.port(), OneRequest.text("POST", path, all) + "\r\n" + body);
  }

  private String logoutToken(String id, String more) throws Exception {
    return issuer.token("logout+jwt", "{\"iss\":\"https://idp.example\",\"aud\":\"shop\",\"sid\":\"s1\",\"iat\":"
        + Instant.now().getEpochSecond() + ",\"jti\":\"" + id
        + "\",\"events\":{\"http://schemas.openid.net/event/backchannel-logout\":{}}" + more + "}");
  }

  private String event(String id, String issuedBy) throws Exception {
    return issuer.token("secevent+jwt", "{\"iss\":\"" + issuedBy + "\",\"aud\":\"shop\",\"iat\":"
        + Instant.now().getEpochSecond() + ",\"jti\":\"" + id + "\",\"sub_id\":{\"format\":\"opaque\",\"id\":\"s1\"},"
        + "\"events\":{\"https://schemas.openid.net/secevent/caep/event-type/session-revoked\":{}}}");
  }

  private static void isNotStored(String answer) {
    assertEquals("no-store", OneRequest.field(answer, "Cache-Control"));
  }

  @Test
  void aLogoutTokenIsAnsweredWith200Once() throws Exception {
    String body = "logout_token=" + logoutToken("j1", "");
    String answer = post(LOGOUT, body, FORM);
    assertEquals(200, OneRequest.status(answer));
    isNotStored(answer);
    assertEquals(Lock.Target.SESSION, locks.all().getFirst().target());
    String again = post(LOGOUT, body, FORM);
    assertEquals(400, OneRequest.status(again));
    isNotStored(again);
    assertEquals("{\"error\":\"invalid_request\",\"error_description\":\"the logout token was used before\"}",
        OneRequest.body(again));
  }

  @Test
  void aSecurityEventIsAcknowledgedWith202EachTime() throws Exception {
    String token = event("j1", "https://idp.example");
    for (int i = 0; i < 2; i++) {
      String answer = post(EVENTS, token, EVENT);
      assertEquals(202, OneRequest.status(answer), "a transmitter that got no answer sends it again");
      isNotStored(answer);
      assertEquals("", OneRequest.body(answer));
      assertEquals(2, locks.size());
    }
  }

  @Test
  void whatBecameOfEventsIsLogged() throws Exception {
    post(EVENTS, event("j1", "https://idp.example"), EVENT);
    post(EVENTS, event("j2", "https://other.example"), EVENT);
    listener.stop(Duration.ofSeconds(5));
    String log = setup.shown();
    assertTrue(log.contains("Security event received _outcome="), log);
    String refused = log.lines().filter(line -> line.contains("Security event refused")).findFirst().orElse("");
    assertTrue(refused.contains("error=") && refused.contains("_client=127.0.0.1"), log);
  }

  @Test
  void slowClientsDoNotKeepOthersOut() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 80; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        slow.add(socket);
        socket.getOutputStream().write((OneRequest.text("POST", LOGOUT, FORM, "Content-Length: 100",
            "Expect: 100-continue") + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(socket.getInputStream().read() >= 0, "its body is awaited");
      }
      assertEquals(200, OneRequest.status(post(LOGOUT, "logout_token=" + logoutToken("j1", ""), FORM)));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void moreThan64AtOnceAreToldToComeAgain() throws Exception {
    listener.stop(Duration.ZERO);
    issuer.close();
    CountDownLatch looking = new CountDownLatch(64);
    CountDownLatch over = new CountDownLatch(1);
    start(_ -> {
      looking.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String token = event("j" + i, "https://idp.example");
        answers.add(clients.submit(() -> post(EVENTS, token, EVENT)));
      }
      assertTrue(looking.await(60, TimeUnit.SECONDS));
      String answer = post(EVENTS, event("beyond", "https://idp.example"), EVENT);
      assertEquals(503, OneRequest.status(answer));
      assertTrue(OneRequest.body(answer).contains("too many tokens at once"), answer);
      over.countDown();
      for (Future<String> one : answers) {
        assertEquals(202, OneRequest.status(one.get()));
      }
    } finally {
      over.countDown();
    }
  }

  @Test
  void placesOfEventsThatWereAnsweredAreFreeAgain() throws Exception {
    for (int i = 0; i < 80; i++) {
      assertEquals(400, OneRequest.status(post(EVENTS, "x", EVENT)));
    }
    assertEquals(202, OneRequest.status(post(EVENTS, event("j1", "https://idp.example"), EVENT)));
  }

  @Test
  void aRefusedEventHasItsErrorCode() throws Exception {
    String answer = post(EVENTS, event("j1", "https://evil.example"), EVENT);
    assertEquals(400, OneRequest.status(answer));
    isNotStored(answer);
    assertEquals("application/json", OneRequest.field(answer, "Content-Type"));
    assertEquals("en", OneRequest.field(answer, "Content-Language"));
    assertEquals("{\"description\":\"the issuer is not one of those accepted here\",\"err\":\"invalid_issuer\"}",
        OneRequest.body(answer));
    assertEquals(0, locks.size());
  }

  @Test
  void keysThatCannotBeFetchedAreWorthAnotherTry() throws Exception {
    String token = event("j1", "https://idp.example");
    issuer.close();
    String answer = post(EVENTS, token, EVENT);
    assertEquals(503, OneRequest.status(answer));
    assertEquals("10", OneRequest.field(answer, "Retry-After"));
    assertTrue(OneRequest.body(answer).contains("\"err\":\"temporarily_unavailable\""), answer);
    String logout = post(LOGOUT, "logout_token=" + logoutToken("j2", ""), FORM);
    assertEquals("503 10", OneRequest.status(logout) + " " + OneRequest.field(logout, "Retry-After"));
    assertTrue(OneRequest.body(logout).contains("\"error\":\"temporarily_unavailable\""), logout);
  }

  @Test
  void spaceAroundAnEventIsIgnored() throws Exception {
    assertEquals(202, OneRequest.status(post(EVENTS, " " + event("j1", "https://idp.example") + "\r\n", EVENT)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      x=y                          | `logout_token` is missing or repeated
      logout_token=a&logout_token=b | `logout_token` is missing or repeated
      logout_token=                | failed to parse JWT: it does not have three parts
      """)
  void refusesFormsWithoutOneToken(String body, String refusal) throws Exception {
    String answer = post(LOGOUT, body, FORM);
    assertEquals(400, OneRequest.status(answer));
    assertTrue(OneRequest.body(answer).contains(refusal), answer);
  }

  @Test
  void refusesOtherContent() throws Exception {
    assertEquals(400, OneRequest.status(post(LOGOUT, "logout_token=" + logoutToken("j1", ""), EVENT)));
    assertEquals(400, OneRequest.status(post(EVENTS, event("j1", "https://idp.example"), FORM)));
    assertEquals(400, OneRequest.status(post(EVENTS, event("j1", "https://idp.example"))));
    String long33 = "a".repeat(33 << 10);
    assertTrue(OneRequest.body(post(EVENTS, long33, EVENT)).contains("longer than 32768 bytes"));
    assertFalse(OneRequest.body(post(EVENTS, long33.substring(0, 32 << 10), EVENT)).contains("longer than 32768"));
    assertEquals(0, locks.size());
    assertEquals(202, OneRequest.status(post(EVENTS, event("j1", "https://idp.example"),
        "Content-Type: Application/SecEvent+jwt; x=y")));
  }

  @ParameterizedTest
  @ValueSource(strings = {LOGOUT, EVENTS})
  void takesPostOnly(String path) throws Exception {
    String answer = OneRequest.receivedCalls(listener.port(), "GET", path);
    assertEquals(405, OneRequest.status(answer));
    assertEquals("POST", OneRequest.field(answer, "Allow"));
    isNotStored(answer);
  }

  @Test
  void rulesDecideEverythingElse() throws Exception {
    assertEquals(200, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", LOGOUT + "/x")));
    String checked = OneRequest.receivedCalls(listener.port(), "GET", LOGOUT, "X-Forwarded-Uri: /page");
    assertEquals(200, OneRequest.status(checked), "a proxy in front asks about another path");
  }

  @Test
  void refusalsOfRulesAreInTheFeedAndEventsAreNot() throws Exception {
    post(LOGOUT, "logout_token=x", FORM);
    OneRequest.receivedCalls(listener.port(), "GET", "/shut");
    assertEquals(List.of("/shut"), feed.refusals(FeedFilter.DENIED).stream().map(FeedEntry::path).toList());
  }

  @Test
  void blanksAreAllowedAroundTheContentType() throws Exception {
    assertEquals(200, OneRequest.status(post(LOGOUT, "logout_token=" + logoutToken("j9", ""), FORM + " ; charset=x")));
    listener.stop(Duration.ofSeconds(5));
    String log = setup.shown();
    assertTrue(log.contains("Security event received _outcome=locked"), log);
  }
}

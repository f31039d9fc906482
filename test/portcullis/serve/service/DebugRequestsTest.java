package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.LocatedText;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;
import portcullis.serve.debug.DebugSettings;
import portcullis.serve.debug.DebugToken;
import portcullis.serve.debug.ExplanationStore;
import portcullis.serve.explain.LiveExplanations;

class DebugRequestsTest {
  private static final String MECHANISMS = """
      authenticators:
      - {id: anon, type: anonymous}
      - {id: nobody, type: unauthorized}
      finalizers:
      - {id: seen, type: header, config: {headers: {X-Seen: '{{ .Request.Header "X-Portcullis-Debug" }}'}}}
      """;
  private static final String RULES = """
      - {id: closed, match: {routes: [{path: /closed}]}, forward_to: {host: "127.0.0.1:%1$d"},
         execute: [{authenticator: nobody}]}
      - {id: all, match: {routes: [{path: /**}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}, {finalizer: seen}]}
      """;
  private static final InstantSource CLOCK = InstantSource.system();

  private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final ExplanationStore store = new ExplanationStore(
      new DebugSettings(LocatedText.of("k", "k"), Duration.ofMinutes(15), 100, 1 << 20), CLOCK);
  private RawUpstream upstream;
  private WireClient client;
  private DeciderSetup setup;
  private Services services;
  private Listener proxy;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.of(peer -> {
      received.add(peer.head());
      peer.say("HTTP/1.1 204 No Content\r\nX-Own: 1\r\nConnection: close\r\n\r\n");
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, MECHANISMS, RULES.formatted(upstream.port()));
    services = new Services(TelemetrySinks.NONE, Optional.of(new LiveExplanations(key(), store, CLOCK, setup.log())),
        setup.log(), CLOCK);
    proxy = services.proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
  }

  @AfterEach
  void stop() {
    proxy.stop(Duration.ZERO);
    client.close();
    upstream.close();
  }

  private static SymmetricKey key() throws Exception {
    return SymmetricKey.parse("1".repeat(64), "it");
  }

  private static String token(String rule) throws Exception {
    Instant now = CLOCK.instant();
    return new DebugToken(rule, now, now.plusSeconds(60)).signed(key());
  }

  private static String get(Listener listener, String path, String... lines) throws Exception {
    return OneRequest.receivedCalls(listener.port(), "GET", path, lines);
  }

  private static String withoutDate(String answer) {
    return answer.replaceFirst("(?i)date: [^\r]*\r\n", "");
  }

  @Test
  void requestsOfTheRuleAreExplained() throws Exception {
    String answer = get(proxy, "/a?token=abcdefgh", "X-Portcullis-Debug: " + token("all"));
    String id = OneRequest.field(answer, DebugToken.RESPONSE_HEADER);
    assertTrue(answer.startsWith("HTTP/1.1 204"), answer);
    String json = store.json(id).orElseThrow();
    assertTrue(json.contains("\"allowed\":true") && json.contains("\"request_id\":"), json);
    assertFalse(json.contains("abcdefgh"), "secrets are masked");
    assertTrue(store.text(id).orElseThrow().startsWith("GET http://localhost/a\nrule      `all` of "));
    String refused = get(proxy, "/closed", "X-Portcullis-Debug: " + token("closed"));
    assertTrue(refused.startsWith("HTTP/1.1 401"), refused);
    String why = store.json(OneRequest.field(refused, DebugToken.RESPONSE_HEADER)).orElseThrow();
    assertTrue(why.contains("\"allowed\":false"), why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed", "nowhere", "unsigned", "twice"})
  void otherTokensChangeNothing(String which) throws Exception {
    String line = "X-Portcullis-Debug: " + switch (which) {
      case "unsigned" -> token("all").replaceFirst("\\..*", ".AAAA");
      case "twice" -> token("all") + "\r\nX-Portcullis-Debug: " + token("all");
      default -> token(which);
    };
    assertEquals(withoutDate(get(proxy, "/a")), withoutDate(get(proxy, "/a", line)));
    assertEquals(received.take(), received.take(), "and nothing for the upstream");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Portcullis-Debug", "x_portcullis_debug"})
  void neitherRulesNorUpstreamsSeeTokens(String name) throws Exception {
    get(proxy, "/a");
    String without = received.take();
    get(proxy, "/a", name + ": " + token("all"));
    assertEquals(without, received.take());
  }

  @Test
  void decisionsForOtherProxiesAreExplained() throws Exception {
    Listener decision = services.decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
    try {
      String answer = get(decision, "/a", "X-Portcullis-Debug: " + token("all"));
      assertTrue(store.json(OneRequest.field(answer, DebugToken.RESPONSE_HEADER)).isPresent(), answer);
      assertEquals("", OneRequest.field(get(decision, "/a"), DebugToken.RESPONSE_HEADER));
    } finally {
      decision.stop(Duration.ZERO);
    }
  }

  @Test
  void withoutAKeyNothingIsExplained() throws Exception {
    Listener other = new Services(TelemetrySinks.NONE, setup.log(), CLOCK).proxy(
        ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
    try {
      assertEquals("", OneRequest.field(get(other, "/a", "X-Portcullis-Debug: " + token("all")),
          DebugToken.RESPONSE_HEADER));
      assertFalse(received.take().toLowerCase(java.util.Locale.ROOT).contains("portcullis-debug"));
    } finally {
      other.stop(Duration.ZERO);
    }
  }

  @Test
  void explanationsAreReadByIdUnderListedNames() throws Exception {
    PublishedKeys none = PublishedKeys.of(java.util.List.of());
    Listener management = services.management(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), () -> none,
        null, new ManagementEndpoints(Optional.empty(), Optional.empty(), Optional.of(store)));
    try {
      String id = store.add("{\"a\":1}", "text").orElseThrow();
      assertEquals("{\"a\":1}", OneRequest.body(get(management, "/explanations/" + id)));
      assertEquals("application/json", OneRequest.field(get(management, "/explanations/" + id), "Content-Type"));
      String text = get(management, "/explanations/" + id + ".txt");
      assertEquals("text/plain; charset=utf-8", OneRequest.field(text, "Content-Type"));
      assertEquals("no-store", OneRequest.field(text, "Cache-Control"));
      assertEquals("nosniff", OneRequest.field(text, "X-Content-Type-Options"));
      String missing = get(management, "/explanations/none");
      assertEquals("application/json", OneRequest.field(missing, "Content-Type"));
      assertTrue(OneRequest.body(missing).startsWith("{\"error\":\"there is no such explanation"), missing);
      assertEquals("text\n", OneRequest.body(get(management, "/explanations/" + id + ".txt")));
      assertEquals(404, OneRequest.status(get(management, "/explanations/" + "0".repeat(32))));
      assertEquals(405, OneRequest.status(OneRequest.receivedCalls(management.port(), "POST", "/explanations/" + id)));
      assertEquals(403, OneRequest.status(OneRequest.answer(management.port(),
          "GET /explanations/" + id + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")));
    } finally {
      management.stop(Duration.ZERO);
    }
  }

  @Test
  void aBugInAnExplanationIsLoggedAndCostsNothingElse() throws Exception {
    RequestExplainer broken = new RequestExplainer() {
      @Override
      public Optional<DebugToken> token(String text) {
        return Optional.of(new DebugToken("all", CLOCK.instant(), CLOCK.instant().plusSeconds(60)));
      }

      @Override
      public Optional<String> explained(DryRun.Outcome outcome, Optional<Match<Rule>> match, List<StepReport> steps) {
        throw new IllegalStateException("a bug of explanations");
      }
    };
    Listener other = new Services(TelemetrySinks.NONE, Optional.of(broken), setup.log(), CLOCK).proxy(
        ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
    try {
      String answer = get(other, "/a", "X-Portcullis-Debug: any");
      assertEquals("204 ", OneRequest.status(answer) + " " + OneRequest.field(answer, DebugToken.RESPONSE_HEADER));
    } finally {
      other.stop(Duration.ofSeconds(5));
    }
    assertTrue(setup.shown().contains("IllegalStateException: a bug of explanations"));
  }

  /** No rule decides what a mechanism answers at an endpoint of its own. */
  @Test
  void endpointsOfMechanismsAreNotExplained(@TempDir Path folder) throws Exception {
    Path keys = Files.writeString(folder.resolve("session.keys"), "0b".repeat(32));
    DeciderSetup logins = new DeciderSetup(client, "authenticators: [{id: login, type: oidc, config: {providers: "
        + "[{issuer: 'https://login.test', client_id: shop, client_auth: {client_secret: secret}}], session: {keys: '"
        + keys + "'}}}]", "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: login}]}\n");
    Listener other = new Services(TelemetrySinks.NONE,
        Optional.of(new LiveExplanations(key(), store, CLOCK, logins.log())), logins.log(), CLOCK)
        .proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), logins.decider(), client);
    try {
      String plain = get(other, "/.portcullis/logout");
      assertEquals(200, OneRequest.status(plain));
      assertEquals(withoutDate(plain),
          withoutDate(get(other, "/.portcullis/logout", "X-Portcullis-Debug: " + token("all"))));
    } finally {
      other.stop(Duration.ofSeconds(5));
    }
  }
}

package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** What an upstream gets of a request and of finalizers, over real connections. */
class OutgoingTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      finalizers:
        - {id: liar, type: header, config: {headers: {X-Forwarded-For: 6.6.6.6, Forwarded: for=6.6.6.6, \
      X-Forwarded-Host: evil.test, X-User: a,
            Authorization: Bearer ours, User-Agent: ours}}}
        - {id: jar, type: cookie, config: {cookies: {sid: "1", theme: dark}}}
      """;
  private static final String RULE = """
      - {id: bare, match: {routes: [{path: /bare}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}]}
      - {id: closed, match: {routes: [{path: /closed}]}, execute: [{authenticator: nobody}]}
      - {id: all, match: {routes: [{path: /**}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}, {finalizer: liar}, {finalizer: jar}, {finalizer: jar, id: again, config: \
      {cookies: {sid: "2"}}}]}
      """;

  private RawUpstream upstream;
  private WireClient client;
  private DeciderSetup setup;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, MECHANISMS, RULE.formatted(upstream.port()));
  }

  @AfterEach
  void stop() {
    client.close();
    upstream.close();
  }

  private static String receivedCalls(Listener listener, String line, String... fields) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream().write((line + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n"
          + String.join("", Stream.of(fields).map(f -> f + "\r\n").toList()) + "\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } finally {
      listener.stop(Duration.ofSeconds(1));
    }
  }

  private Listener proxy() throws Exception {
    return services().proxy(settings(), Optional.empty(), setup.decider(), client);
  }

  private Listener decision() throws Exception {
    return services().decision(settings(), Optional.empty(), setup.decider());
  }

  private Services services() {
    return new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system());
  }

  private static ListenerSettings settings() {
    return settings("{}");
  }

  /** @param yaml of {@code serve} */
  private static ListenerSettings settings(String yaml) {
    Problems problems = new Problems();
    ListenerSettings s = Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow();
    return s.with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
  }

  @Test
  void addsThisHopAndUsesTheLastCookieOfAName() throws Exception {
    assertTrue(receivedCalls(proxy(), "GET /x").startsWith("HTTP/1.1 204"));
    String head = upstream.heads().getFirst();
    assertTrue(head.contains("\r\nX-Forwarded-For: 127.0.0.1\r\n") && head.contains("\r\nX-Forwarded-Host: a.test\r\n"),
        head);
    assertTrue(head.contains("\r\nForwarded: for=127.0.0.1;host=\"a.test\";proto=http\r\n"), head);
    assertTrue(!head.contains("6.6.6.6") && !head.contains("evil"), head);
    assertTrue(head.contains("\r\nX-User: a\r\n") && head.contains("\r\nCookie: theme=dark; sid=2\r\n"), head);
  }

  @Test
  void cookiesThatARuleSetsAreNeverTheClients() throws Exception {
    assertTrue(
        receivedCalls(proxy(), "GET /x HTTP/1.1\r\nCookie: sid=forged; own=1\r\nX-Rest:").startsWith("HTTP/1.1 204"));
    assertTrue(receivedCalls(proxy(), "GET /bare HTTP/1.1\r\nCookie: sid=forged; own=1\r\nX-Rest:")
        .startsWith("HTTP/1.1 204"));
    for (String head : upstream.heads()) {
      assertTrue(head.contains("own=1") && !head.contains("forged"), head);
    }
    assertTrue(upstream.heads().getLast().contains("\r\nCookie: own=1\r\n"), "a rule that sets none");
  }

  @Test
  void aRuleWithoutCookiesLeavesThoseOfTheClientAsTheyCame() throws Exception {
    receivedCalls(proxy(), "GET /bare", "Cookie: own=1", "Cookie: last=2");
    receivedCalls(proxy(), "GET /bare");
    assertTrue(upstream.heads().getFirst().contains("\r\nCookie: own=1\r\nCookie: last=2\r\n"),
        upstream.heads().getFirst());
    assertFalse(upstream.heads().getLast().contains("Cookie"), upstream.heads().getLast());
  }

  @Test
  void decisionsReturnTheLastCookieOfAName() throws Exception {
    assertEquals("theme=dark sid=2",
        String.join(" ", receivedCalls(decision(), "GET /x").lines().filter(l -> l.startsWith("Set-Cookie: "))
            .map(l -> l.substring(12)).toList()));
  }

  private String sent(Listener listener, String... fields) throws IOException {
    assertTrue(receivedCalls(listener, "GET /x", fields).startsWith("HTTP/1.1 204"));
    return upstream.heads().getLast();
  }

  @ParameterizedTest
  @ValueSource(strings = {"s.i.d", "SID", " sid", "sid[]", "sid%00", "=sid", "a=1,sid", "a=1 sid", "s%69d"})
  void ourCookieComesFirstAndAlone(String name) throws Exception {
    boolean other = name.equals("s.i.d");
    String head = sent(proxy(), "Cookie: own=1; " + name + "=root; theme=dark", "X-A: 1", "Cookie: last=2");
    String kept = name.startsWith("a=1") ? "own=1; a=1; last=2" : other ? "own=1; s.i.d=root; last=2" : "own=1; last=2";
    assertTrue(head.contains("\r\nCookie: theme=dark; sid=2; " + kept + "\r\n"), head);
    assertEquals(1, head.split("(?i)\r\ncookie:", -1).length - 1, head);
  }

  @Test
  void lookAlikesOfFramingFieldsReachNoUpstream() throws Exception {
    String head = sent(proxy(), "Content_Length: 7", "Transfer_Encoding: chunked", "Proxy: http://evil",
        "Proxy_Authorization: x",
        "X_Forwarded_For: 6.6.6.6", "X.User: root", "Proxy-Status: kept");
    for (String name : List.of("content_length", "transfer_encoding", "proxy:", "proxy_auth", "6.6.6.6", "root")) {
      assertTrue(!head.toLowerCase(Locale.ROOT).contains(name), head);
    }
    assertTrue(head.contains("\r\nProxy-Status: kept\r\n"), head);
  }

  @Test
  void protectedHeadersAreRemovedWhateverTheRule() throws Exception {
    receivedCalls(proxy(), "GET /bare", "X-User: root", "x_user: root", "Cookie: sid=root; own=1",
        "Authorization: Bearer mine",
        "User-Agent: mine");
    String head = upstream.heads().getLast();
    assertTrue(!head.contains("root"), head);
    assertTrue(head.contains("\r\nAuthorization: Bearer mine\r\n") && head.contains("\r\nUser-Agent: mine\r\n"), head);
    head = sent(proxy(), "Authorization: Bearer mine", "authorization: Bearer mine", "User-Agent: mine");
    assertTrue(!head.contains("mine") && head.contains("\r\nAuthorization: Bearer ours\r\n"), head);
  }

  @Test
  void expectationsConcernThisHopAlone() throws Exception {
    String head = sent(proxy(), "Expect: 100-continue", "Expectation: kept");
    assertTrue(head.contains("\r\nExpectation: kept\r\n"), head);
    assertTrue(!head.contains("Expect:"), head);
  }

  @Test
  void methodOverridesAreRemovedOnRequest() throws Exception {
    String[] overrides = {"X-HTTP-Method-Override: DELETE", "X_HTTP_Method: DELETE", "x-method-override: DELETE"};
    String head = sent(proxy(), overrides);
    assertTrue(Stream.of(overrides).allMatch(head::contains), head);
    head = sent(
        services().proxy(settings("{strip_method_overrides: true}"), Optional.empty(), setup.decider(), client),
        overrides);
    assertTrue(!head.contains("DELETE"), head);
  }

  private static List<String> lines(String answer, String name) {
    return answer.lines().filter(line -> line.startsWith(name)).toList();
  }

  @Test
  void decisionsAnswerUnsetHeadersEmptyOnRequest() throws Exception {
    assertEquals(List.of(), lines(receivedCalls(decision(), "GET /bare"), "x-user"));
    Listener listener = services().decision(settings("{respond: {empty_headers: true}}"), Optional.empty(),
        setup.decider());
    assertEquals(List.of("x-user: "), lines(receivedCalls(listener, "GET /bare"), "x-"));
    listener = services().decision(settings("{respond: {empty_headers: true}}"), Optional.empty(), setup.decider());
    String set = receivedCalls(listener, "GET /x");
    assertEquals(List.of("X-User: a"), lines(set, "X-User"));
    assertEquals(List.of(), lines(set, "x-user"));
  }

  @Test
  void aProxysUriOfOptionsAsteriskIsDecided() throws Exception {
    String[] closed = {"X-Forwarded-Uri: /closed", "X-Forwarded-Method: GET"};
    String[] open = {"X-Forwarded-Uri: /x", "X-Forwarded-Method: GET"};
    String trusting = "{trusted_proxies: [127.0.0.1]}";
    assertTrue(
        receivedCalls(services().decision(settings(trusting), Optional.empty(), setup.decider()), "OPTIONS *", closed)
            .startsWith("HTTP/1.1 401"));
    assertTrue(
        receivedCalls(services().decision(settings(trusting), Optional.empty(), setup.decider()), "OPTIONS *", open)
            .contains("X-User: a"));
    assertTrue(receivedCalls(services().decision(settings(trusting), Optional.empty(), setup.decider()), "OPTIONS *",
        "X-Forwarded-Uri: *")
        .startsWith("HTTP/1.1 400"));
    assertTrue(receivedCalls(decision(), "OPTIONS *", open).startsWith("HTTP/1.1 400"),
        "a stranger speaks for himself");
  }

  @Test
  void onlyTheProxyAnswersOptionsAsteriskItself() throws Exception {
    assertTrue(receivedCalls(proxy(), "OPTIONS *").startsWith("HTTP/1.1 200"));
    assertTrue(receivedCalls(decision(), "OPTIONS *").startsWith("HTTP/1.1 400"), "no rule has allowed it");
    assertTrue(receivedCalls(proxy(), "GET *").startsWith("HTTP/1.1 400"));
    assertEquals(0, upstream.heads().size());
  }
}

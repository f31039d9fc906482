package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.server.Descriptors;
import portcullis.serve.feed.DecidedStep;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.feed.FeedEntry;
import portcullis.serve.feed.FeedFilter;
import portcullis.serve.feed.FeedFollower;

/** What the feed has of the requests to a decision service. */
final class FeedLayerTest {
  private final DecisionFeed feed = new DecisionFeed();
  private final TelemetrySinks sinks = new TelemetrySinks(Optional.empty(), Optional.empty(), Optional.empty(),
      Optional.empty(), Optional.of(feed));
  private DeciderSetup setup;
  private Listener listener;

  @BeforeEach
  void start() throws IOException {
    setup = new DeciderSetup(null, """
        authenticators: [{id: anon, type: anonymous, config: {subject: guest}}]
        authorizers: [{id: no, type: deny}]
        """, """
        - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}]}
        - {id: shut, match: {routes: [{path: /shut/**}]}, execute: [{authenticator: anon}, {authorizer: no}]}
        """);
    listener = new Services(sinks, setup.log(), InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ZERO);
  }

  private String request(String target) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream().write(("GET " + target + " HTTP/1.1\r\nHost: app.example:81\r\nCookie: s=hidden\r\n"
          + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).substring(9, 12);
    }
  }

  private FeedEntry refused() {
    return feed.refusals(FeedFilter.DENIED).getFirst();
  }

  @Test
  void refusalsAreKeptWithTheirReasonAndWithoutSecrets() throws IOException {
    assertEquals("403", request("/shut/a%20b?token=hidden"));
    FeedEntry entry = refused();
    assertEquals("GET app.example:81/shut/a%20b", entry.method() + " " + entry.host() + entry.path());
    assertEquals("403 guest shut test no authorization_error", String.join(" ", entry.answer(), entry.subject(),
        entry.rule(), entry.ruleSet(), entry.step(), entry.error()));
    assertEquals(List.of("anon authenticator anonymous passed ", "no authorizer deny failed authorization_error"),
        entry.steps().stream().map(FeedLayerTest::text).toList());
    assertEquals("127.0.0.1", entry.client());
    assertTrue(entry.reason().startsWith("authorization error"), entry.reason());
    assertTrue(entry.requestId().matches("[0-9a-f]{16}"), entry.requestId());
    assertFalse(entry.toString().contains("hidden"), entry.toString());
  }

  private static String text(DecidedStep step) {
    return String.join(" ", step.id(), step.kind(), step.type(), step.outcome(), step.error());
  }

  @Test
  void refusedCallsOfEnvoyAreKept() throws Exception {
    Listener calls = new Services(sinks, setup.log(), InstantSource.system())
        .envoy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), () -> true);
    try (EnvoyCaller envoy = new EnvoyCaller(calls.port())) {
      envoy.check("/shut/b");
      Await.until(() -> !feed.refusals(FeedFilter.DENIED).isEmpty());
      assertEquals("/shut/b guest shut no", String.join(" ", refused().path(), refused().subject(), refused().rule(),
          refused().step()));
      assertEquals("", refused().client(), "Envoy is not a trusted proxy here");
    } finally {
      calls.stop(Duration.ZERO);
    }
  }

  @Test
  void whatIsNoDecisionIsNotKeptThoughItFails() throws IOException {
    Listener other = Listener.start("test", ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), _ -> {
      throw new IllegalStateException("a bug");
    }, sinks, setup.log(), InstantSource.system(), new Descriptors());
    assertEquals(500, OneRequest.status(OneRequest.receivedCalls(other.port(), "GET", "/x")));
    other.stop(Duration.ofSeconds(10));
    assertEquals(List.of(), feed.refusals(FeedFilter.DENIED));
  }

  @Test
  void requestsWithoutARuleAreKept() throws IOException {
    assertEquals("404", request("/nowhere"));
    assertEquals("404 /nowhere no_rule_error ",
        String.join(" ", refused().answer(), refused().path(), refused().error(),
            refused().rule()));
    assertEquals(List.of(), refused().steps());
  }

  @Test
  void pathsThatAreRefusedBeforeTheirRuleAreKept() throws IOException {
    assertEquals("400", request("/shut/%2e%2e%5cx"));
    assertEquals("400 /shut/%2e%2e%5cx precondition_error", String.join(" ", refused().answer(), refused().path(),
        refused().error()));
  }

  @Test
  void whatIsNoRequestIsNotKept() throws IOException {
    OneRequest.answer(listener.port(), "GET /shut HTTP/1.1\r\nBroken field\r\n\r\n");
    OneRequest.answer(listener.port(), "\0\1\r\n\r\n");
    assertEquals(List.of(), feed.refusals(FeedFilter.DENIED));
  }

  @Test
  void whatIsAllowedIsShownToFollowersOnly() throws Exception {
    assertEquals("200", request("/open"));
    assertEquals(List.of(), feed.refusals(FeedFilter.DENIED));
    try (FeedFollower follower = feed.follow(new FeedFilter(false, "", "", "", ""))) {
      assertEquals("200", request("/open"));
      FeedEntry entry = follower.next(Duration.ofSeconds(20)).orElseThrow();
      assertEquals("200 guest open", String.join(" ", entry.answer(), entry.subject(), entry.rule()));
    }
  }

  @Test
  void aRequestThatItsClientGivesUpHasNoAnswer() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    RawUpstream.Script waits = peer -> {
      peer.head();
      sent.countDown();
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(waits);
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
        FeedFollower follower = feed.follow(new FeedFilter(false, "", "", "", ""))) {
      DeciderSetup forwarding = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]", """
          - id: up
            match: {routes: [{path: /up}]}
            forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: http}}
            execute: [{authenticator: anon}]
          """.formatted(upstream.port()));
      Listener proxy = new Services(sinks, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), forwarding.decider(), client);
      try {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
          socket.getOutputStream().write(OneRequest.text("GET", "/up").concat("\r\n").getBytes(StandardCharsets.UTF_8));
          sent.await();
        }
        assertEquals("aborted", follower.next(Duration.ofSeconds(20)).orElseThrow().answer());
      } finally {
        proxy.stop(Duration.ZERO);
      }
    }
  }

  @Test
  void requestsThatAreRejectedBeforeTheyAreReadAreKept() throws IOException {
    assertEquals(400, OneRequest.status(OneRequest.answer(listener.port(), "PUT /shut HTTP/1.0\r\n\r\n")));
    FeedEntry entry = refused();
    assertEquals("400|PUT||||127.0.0.1||there is no valid Host|precondition_error",
        String.join("|", entry.answer(), entry.method(), entry.host(), entry.path(), entry.rule(), entry.client(),
            entry.subject(), entry.reason(), entry.error()));
  }

  @Test
  void theServerAsAWholeIsNamedByItsAsterisk() throws IOException {
    assertEquals(400, OneRequest.status(OneRequest.receivedCalls(listener.port(), "OPTIONS", "*")));
    assertEquals("localhost *", refused().host() + " " + refused().path());
  }
}

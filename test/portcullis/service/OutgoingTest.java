package portcullis.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.client.ClientLimits;
import portcullis.client.WireClient;
import portcullis.fixture.RawUpstream;

/** What an upstream gets of a request and of finalizers, over real connections. */
class OutgoingTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      finalizers:
        - {id: liar, type: header, config: {headers: {X-Forwarded-For: 6.6.6.6, Forwarded: for=6.6.6.6, X-Forwarded-Host: evil.test, X-User: a}}}
        - {id: jar, type: cookie, config: {cookies: {sid: "1", theme: dark}}}
      """;
  private static final String RULE = """
      - {id: all, match: {routes: [{path: /**}]}, forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}, {finalizer: liar}, {finalizer: jar}, {finalizer: jar, id: again, config: {cookies: {sid: "2"}}}]}
      """;

  private RawUpstream upstream;
  private WireClient client;
  private Judged judged;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    judged = new Judged(client, MECHANISMS, RULE.formatted(upstream.port()));
  }

  @AfterEach
  void stop() {
    client.close();
    upstream.close();
  }

  private static String asked(Listener listener, String line) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream().write((line + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } finally {
      listener.stop(Duration.ofSeconds(1));
    }
  }

  private Listener proxy() throws Exception {
    return services().proxy(settings(), Optional.empty(), judged.decider(), client);
  }

  private Listener decision() throws Exception {
    return services().decision(settings(), Optional.empty(), judged.decider());
  }

  private Services services() {
    return new Services(Observed.NOT, judged.log(), InstantSource.system());
  }

  private static ListenerSettings settings() {
    ListenerSettings s = ListenerSettings.standard(0);
    return new ListenerSettings("127.0.0.1", 0, s.timeouts(), s.buffers(), s.connections(), s.limits(), s.cors(), s.tls(), s.proxies(),
        s.respond(), s.statusHosts());
  }

  @Test
  void whereARequestComesFromIsSaidByThisHopAloneAndTheLastCookieOfANameCounts() throws Exception {
    assertTrue(asked(proxy(), "GET /x").startsWith("HTTP/1.1 204"));
    String head = upstream.heads().getFirst();
    assertTrue(head.contains("\r\nX-Forwarded-For: 127.0.0.1\r\n") && head.contains("\r\nX-Forwarded-Host: a.test\r\n"), head);
    assertTrue(head.contains("\r\nForwarded: for=127.0.0.1;host=\"a.test\";proto=http\r\n"), head);
    assertTrue(!head.contains("6.6.6.6") && !head.contains("evil"), head);
    assertTrue(head.contains("\r\nX-User: a\r\n") && head.contains("\r\nCookie: theme=dark; sid=2\r\n"), head);
  }

  @Test
  void aDecisionTellsTheLastCookieOfAName() throws Exception {
    assertEquals("theme=dark sid=2", String.join(" ", asked(decision(), "GET /x").lines().filter(l -> l.startsWith("Set-Cookie: "))
        .map(l -> l.substring(12)).toList()));
  }

  @Test
  void aQuestionAboutTheServerAsAWholeIsAnsweredByItself() throws Exception {
    assertTrue(asked(proxy(), "OPTIONS *").startsWith("HTTP/1.1 200"));
    assertTrue(asked(decision(), "OPTIONS *").startsWith("HTTP/1.1 200"));
    assertTrue(asked(proxy(), "GET *").startsWith("HTTP/1.1 400"));
    assertEquals(0, upstream.heads().size());
  }
}

package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Yaml;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** What the proxy answers to messages beyond its limits, and what it carries after an upgrade. */
class ProxyLimitsTest {
  private static final String RULE = "- {id: all, match: {routes: [{path: /**}]}, forward_to: {host: '127.0.0.1:%d',"
      + " rewrite: {scheme: http}}, execute: [{authenticator: anon}]}\n";

  private RawUpstream upstream;
  private WireClient client;
  private DeciderSetup setup;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.of(peer -> {
      if (peer.head().contains("Upgrade: ")) {
        peer.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        peer.say(peer.line() + " heard");
      } else {
        peer.line();
        peer.say("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
      }
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
        RULE.formatted(upstream.port()));
    listener = listener("{request_limit: {body: 1000B}}");
  }

  private Listener listener(String configuration) throws Exception {
    Problems problems = new Problems();
    ListenerSettings s = Yaml.read(new SourceFile("f", configuration), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow();
    ListenerSettings settings = s.with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
    return new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .proxy(settings, Optional.empty(), setup.decider(), client);
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ofSeconds(1));
    client.close();
    upstream.close();
  }

  private String answer(String message) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(message.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private String status(String message) throws Exception {
    return answer(message).substring(9, 12);
  }

  private static String post(String framing, String body) {
    return "POST /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n" + framing + "\r\n\r\n" + body;
  }

  @Test
  void bodyBeyondTheLimitIs413WithALengthAndInChunks() throws Exception {
    String chunked = "Transfer-Encoding: chunked";
    assertEquals("204", status(post("Content-Length: 1000", "\n".repeat(1000))));
    assertEquals("413", status(post("Content-Length: 1001", "\n".repeat(1001))));
    assertEquals("204", status(post(chunked, "3e8\r\n" + "\n".repeat(1000) + "\r\n0\r\n\r\n")));
    assertEquals("413", status(post(chunked, "3e9\r\n" + "\n".repeat(1001) + "\r\n0\r\n\r\n")));
  }

  @Test
  void headBeyondTheLimitIs431AndALongRequestLine414() throws Exception {
    assertEquals("431", status("GET /x HTTP/1.1\r\nHost: a.test\r\nA: " + "a".repeat(9000) + "\r\n\r\n"));
    assertEquals("414", status("GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: a.test\r\n\r\n"));
  }

  @Test
  void upgradedConnectionCarriesBothDirections() throws Exception {
    String reported = answer(
        "GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nping\n");
    assertEquals("101", reported.substring(9, 12));
    assertEquals("ping heard", reported.substring(reported.indexOf("\r\n\r\n") + 4));
  }

  /** Over HTTP/1.1 each silent call would occupy one of the connections that {@code max_per_host} allows. */
  @Test
  void silentGrpcCallsToHttp1UpstreamsTimeOut() throws Exception {
    Listener impatient = listener("{timeout: {read: 1s, idle: 1h}}");
    try (WireClient caller = new WireClient(ClientLimits.DEFAULT)) {
      Fields fields = Fields.of("Host", "a.test", "Content-Type", "application/grpc");
      WireRequest call = new WireRequest(new WireRequest.Parts("POST",
          URI.create("h2c://127.0.0.1:" + impatient.port()), "/x", fields, InputStream.nullInputStream(), 0,
          () -> Fields.NONE, (_, _) -> {}, Duration.ofMinutes(1), Duration.ofMinutes(1)));
      assertEquals(504, caller.send(call, BodyHandlers.discarding()).statusCode());
    } finally {
      impatient.stop(Duration.ofSeconds(1));
    }
  }
}

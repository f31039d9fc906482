package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** A response that breaks off right behind its head, when nothing of it has been sent to its client. */
class BrokenBeginTest {
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\n";
  private static final String RULE = """
      - id: all
        match: {routes: [{path: /**}]}
        forward_to: {host: 'localhost:%d', rewrite: {scheme: %s}}
        execute: [{authenticator: anon}]
      """;
  private static final Duration LONG = Duration.ofMinutes(2);
  /** On a busy machine the end may come too long behind the head, which has been sent then. */
  private static final int ATTEMPTS = 50;

  private static void breakOff(RawUpstream.Peer peer, String framing) throws IOException {
    peer.head();
    peer.say("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n");
  }

  private static void breakOff(RawUpstream.Peer peer) throws IOException {
    FramePeer frames = FramePeer.greet(peer);
    frames.next(FramePeer.HEADERS);
    frames.headers(1, false, ":status", "200", "content-length", "5");
    frames.frame(FramePeer.RST_STREAM, 0, 1, 2);
    frames.awaitEnd();
  }

  /** Returns status and body, or that the response was not whole. */
  private static String response(WireClient caller, String scheme, int port) throws Exception {
    try {
      HttpResponse<InputStream> response = caller.send(new WireRequest(new WireRequest.Parts("GET",
          URI.create(scheme + "://localhost:" + port), "/x", Fields.of("Host", "a.test"),
          InputStream.nullInputStream(), 0, () -> Fields.NONE, (_, _) -> {}, LONG, LONG)),
          HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        return response.statusCode() + " " + new String(body.readAllBytes(), ISO_8859_1);
      }
    } catch (IOException e) {
      return "broken off";
    }
  }

  @ParameterizedTest
  @CsvSource({"http,Content-Length: 5", "h2c,Content-Length: 5", "http,Transfer-Encoding: chunked",
    "h2c,Transfer-Encoding: chunked", "http,", "h2c,"})
  void itIsAnsweredWith502(String scheme, String framing) throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    LogWriter writer = new LogWriter(written);
    Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
    try (writer;
        RawUpstream upstream = framing == null ? RawUpstream.of(peer -> breakOff(peer))
            : RawUpstream.of(peer -> breakOff(peer, framing));
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
        WireClient caller = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      Listener proxy = new Services(TelemetrySinks.NONE, log, InstantSource.system()).proxy(
          ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
          new DeciderSetup(client, MECHANISMS, RULE.formatted(upstream.port(), framing == null ? "h2c" : "http"))
              .decider(),
          client);
      try {
        String response = response(caller, scheme, proxy.port());
        for (int i = 1; i < ATTEMPTS && !response.equals("502 "); i++) {
          assertEquals("broken off", response);
          response = response(caller, scheme, proxy.port());
        }
        assertEquals("502 ", response);
      } finally {
        proxy.stop(Duration.ofSeconds(10));
      }
    }
    List<String> lines = written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).toList();
    assertTrue(lines.getLast().contains("\"_http_status_code\":502"), lines.getLast());
    assertTrue(lines.getLast().contains("Failed to proxy request"), lines.getLast());
    assertFalse(lines.stream().anyMatch(line -> !line.contains("_error")), lines.toString());
  }
}

package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** A response of HTTP/2 that ends with a frame of its own, long after all of its announced content or at once. */
class LateEndTest {
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\n";
  private static final String RULE = """
      - id: all
        match: {routes: [{path: /**}]}
        forward_to: {host: 'localhost:%d', rewrite: {scheme: h2c}}
        execute: [{authenticator: anon}]
      """;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int FRAME = 16384;

  private final CountDownLatch heard = new CountDownLatch(1);

  private void respond(RawUpstream.Peer peer, String content, boolean late, boolean trailers) throws IOException {
    FramePeer frames = FramePeer.greet(peer);
    frames.next(FramePeer.HEADERS);
    frames.headers(1, false, ":status", "200", "content-length", Integer.toString(content.length()));
    for (int at = 0; at < content.length(); at += FRAME) {
      frames.data(1, false, content.substring(at, Math.min(at + FRAME, content.length())));
    }
    try {
      if (late && !heard.await(60, TimeUnit.SECONDS)) {
        return; // the response breaks off
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    if (trailers) {
      frames.headers(1, true, "x-sum", "1");
    } else {
      frames.data(1, true, "");
    }
    frames.awaitEnd();
  }

  @ParameterizedTest
  @CsvSource({"http,100,true,false", "h2c,100,true,false", "http,100000,true,false", "h2c,100000,true,false",
    "http,100,true,true", "h2c,100,true,true", "http,100,false,true", "h2c,100,false,true", "h2c,100000,false,false"})
  void contentDoesNotWaitForItsEnd(String scheme, int length, boolean late, boolean trailers) throws Exception {
    String content = "x".repeat(length);
    LogWriter writer = new LogWriter(OutputStream.nullOutputStream());
    Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
    try (writer;
        RawUpstream upstream = RawUpstream.of(peer -> respond(peer, content, late, trailers));
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
        WireClient caller = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      Listener proxy = new Services(TelemetrySinks.NONE, log, InstantSource.system()).proxy(
          ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
          new DeciderSetup(client, MECHANISMS, RULE.formatted(upstream.port())).decider(), client);
      try {
        HttpResponse<InputStream> response = caller.send(new WireRequest(new WireRequest.Parts("GET",
            URI.create(scheme + "://localhost:" + proxy.port()), "/x", Fields.of("Host", "a.test"),
            InputStream.nullInputStream(), 0, () -> Fields.NONE, (_, _) -> {}, LONG, LONG)),
            HttpResponse.BodyHandlers.ofInputStream());
        assertEquals(200, response.statusCode());
        try (InputStream body = response.body()) {
          assertEquals(content, new String(body.readNBytes(length), ISO_8859_1));
          heard.countDown();
          assertEquals(-1, body.read());
        }
        assertEquals(Optional.of(Integer.toString(length)), response.headers().firstValue("content-length"));
        assertEquals(trailers && scheme.equals("h2c") ? Fields.of("x-sum", "1") : Fields.NONE,
            WireResponse.of(response).trailers());
      } finally {
        proxy.stop(Duration.ofSeconds(1));
      }
    }
  }
}

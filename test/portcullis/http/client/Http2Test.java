package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.FramePeer.ACK;
import static portcullis.fixture.FramePeer.DATA;
import static portcullis.fixture.FramePeer.HEADERS;
import static portcullis.fixture.FramePeer.PING;
import static portcullis.fixture.FramePeer.RST_STREAM;
import static portcullis.fixture.FramePeer.SETTINGS;
import static portcullis.fixture.FramePeer.WINDOW_UPDATE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;
import portcullis.http.h2.Inbound;
import portcullis.http.message.Fields;

/** Exchanges over HTTP/2 with an upstream that speaks it on clear text. */
@Timeout(60)
final class Http2Test {
  /** One connection's script, once both have said hello. */
  private interface Script {
    void run(FramePeer peer) throws IOException;
  }

  private static RawUpstream upstream(Script script, int... settings) {
    return RawUpstream.of(peer -> {
      FramePeer frames = FramePeer.greet(peer, settings);
      script.run(frames);
      frames.awaitEnd();
    });
  }

  private static Ask get(RawUpstream upstream, String target) {
    return Ask.get(upstream, target).to(URI.create("h2c://" + upstream.host()));
  }

  @Test
  void sendsHeadWithoutConnectionFields() throws IOException, InterruptedException {
    List<Fields> heads = new ArrayList<>();
    try (RawUpstream upstream = upstream(peer -> {
      heads.add(peer.head());
      peer.answer(1, "ok");
    }); WireClient client = Ask.client()) {
      Ask ask = get(upstream, "/a?b=%2F").field("X-Two", "1").field("x-two", "2").field("TE", "trailers")
          .field("Connection", "x")
          .field("Keep-Alive", "9").field("Cookie", "a=b").field("Latin", "\u00e9");
      ClientResponse<InputStream> answer = ask.field("x-two", "3").send(client);
      assertEquals("200 ok", Ask.text(answer));
      assertEquals(HttpClient.Version.HTTP_2, answer.version());
      assertEquals(
          Fields.of(":method", "GET", ":scheme", "http", ":authority", upstream.host(), ":path", "/a?b=%2F", "x-two",
              "1", "x-two", "2", "te", "trailers", "cookie", "a=b", "latin", "\u00e9", "x-two", "3"),
          heads.getFirst());
    }
  }

  @Test
  void sharesOneConnection() throws Exception {
    int many = 50;
    try (RawUpstream upstream = upstream(peer -> {
      for (int i = 0; i < many; i++) {
        peer.next(HEADERS);
      }
      for (int i = many; i-- > 0;) {
        peer.answer(2 * i + 1, "ok");
      }
    }); WireClient client = Ask.client()) {
      // the first makes sure that there is one
      var first = client.sendAsync(get(upstream, "/").request(), BodyHandlers.ofString());
      assertTrue(Ask.within(() -> client.connections() == 1));
      first.cancel(true);
      var all = IntStream.range(0, many - 1)
          .mapToObj(_ -> client.sendAsync(get(upstream, "/").request(), BodyHandlers.ofString())).toList();
      for (var each : all) {
        assertEquals("ok", each.get().body());
      }
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void opensNoMoreStreamsThanAllowed() throws Exception {
    try (RawUpstream upstream = upstream(peer -> {
      for (int stream = 1; stream < 20; stream += 2) {
        assertEquals(stream, peer.next(HEADERS).stream());
        peer.answer(stream, "ok");
      }
    }, 3, 1); WireClient client = Ask.client(one())) {
      assertEquals("200 ok", get(upstream, "/").answer(client));
      var all = IntStream.range(0, 9)
          .mapToObj(_ -> client.sendAsync(get(upstream, "/").request(), BodyHandlers.ofString())).toList();
      for (var each : all) {
        assertEquals("ok", each.get().body());
      }
      assertEquals(1, upstream.connections());
    }
  }

  private static ClientLimits one() {
    ClientLimits d = ClientLimits.DEFAULT;
    return new ClientLimits(1, 1, 1, d.idle(), Ask.LONG, d.head(), 4096, 100, d.bodyIdle(), 100);
  }

  @Test
  void sendsBodiesAndTrailers() throws IOException, InterruptedException {
    List<String> got = new ArrayList<>();
    try (RawUpstream upstream = upstream(peer -> {
      for (int stream = 1; stream < 6; stream += 2) {
        got.add(peer.head().all("content-length") + text(peer));
        peer.answer(stream, "ok");
      }
      got.add(peer.head().all("content-length") + peer.next(DATA).text() + peer.head());
      peer.answer(7, "ok");
    }); WireClient client = Ask.client()) {
      byte[] body = "hello".getBytes(ISO_8859_1);
      assertEquals("200 ok", get(upstream, "/").body(body).answer(client));
      assertEquals("200 ok", get(upstream, "/").body(new ByteArrayInputStream(body), -1).answer(client));
      assertEquals("200 ok", get(upstream, "/").body(new byte[20_000]).answer(client));
      assertEquals("200 ok", get(upstream, "/").body(new ByteArrayInputStream(body), -1)
          .trailers(() -> Fields.of("X-Sum", "1", "Content-Length", "9")).answer(client));
      assertEquals(List.of("[5]hello", "[]hello", "[20000]" + "\0".repeat(20_000), "[]hello" + Fields.of("x-sum", "1")),
          got);
    }
  }

  /** All content up to the end of the stream. */
  private static String text(FramePeer peer) throws IOException {
    StringBuilder out = new StringBuilder();
    FramePeer.Frame frame = peer.next(DATA);
    for (; !frame.ends(); frame = peer.next(DATA)) {
      out.append(frame.text());
    }
    return out + frame.text();
  }

  @Test
  void carriesGrpcCallInBothDirections() throws IOException, InterruptedException {
    try (RawUpstream upstream = upstream(peer -> {
      peer.head();
      peer.headers(1, false, ":status", "200", "content-type", "application/grpc");
      for (int i = 0; i < 2; i++) {
        peer.data(1, false, peer.next(DATA).text());
      }
      assertTrue(peer.next(DATA).ends());
      peer.headers(1, true, "grpc-status", "0", "grpc-message", "");
    }); WireClient client = Ask.client()) {
      PipedOutputStream writer = new PipedOutputStream();
      ClientResponse<InputStream> answer = get(upstream, "/pkg.Service/Call").body(new PipedInputStream(writer), -1)
          .send(client);
      for (String each : List.of("ab", "cd")) {
        writer.write(each.getBytes(ISO_8859_1));
        writer.flush();
        assertEquals(each, new String(answer.body().readNBytes(2), ISO_8859_1));
      }
      writer.close();
      assertEquals(-1, answer.body().read());
      assertEquals(Fields.of("grpc-status", "0", "grpc-message", ""), answer.trailers());
      assertFalse(answer.fields().has("grpc-status"));
    }
  }

  @Test
  void takesResponsesWithoutContent() throws IOException, InterruptedException {
    try (RawUpstream upstream = upstream(peer -> {
      peer.next(HEADERS);
      peer.headers(1, true, ":status", "204");
      peer.next(HEADERS);
      peer.headers(3, true, ":status", "200", "content-length", "500");
      peer.next(HEADERS);
      peer.headers(5, true, ":status", "200", "grpc-status", "12");
      peer.next(HEADERS);
      peer.headers(7, false, ":status", "304", "content-length", "500").data(7, true, "");
      peer.next(HEADERS);
      peer.headers(9, false, ":status", "103", "link", "</a>").headers(9, false, ":status", "200").data(9, true, "ok");
    }); WireClient client = Ask.client()) {
      assertEquals("204 ", get(upstream, "/").answer(client));
      assertEquals("200 ", get(upstream, "/").method("HEAD").answer(client));
      assertEquals("200 ", get(upstream, "/").answer(client));
      assertEquals("304 ", get(upstream, "/").answer(client));
      Ask ask = get(upstream, "/");
      assertEquals("200 ok", ask.answer(client));
      assertEquals(List.of("103 [Field[name=link, value=</a>]]"), ask.interim());
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void sendsNoMoreThanTheWindowAllows() throws IOException, InterruptedException {
    AtomicLong got = new AtomicLong();
    try (RawUpstream upstream = upstream(peer -> {
      peer.next(HEADERS);
      for (int i = 0; i < 20; i++) {
        FramePeer.Frame frame = peer.next(DATA);
        got.addAndGet(frame.payload().length);
        assertTrue(frame.payload().length <= 10);
        peer.frame(WINDOW_UPDATE, 0, 1, frame.payload().length);
      }
      peer.answer(1, "ok");
    }, 4, 10); WireClient client = Ask.client()) {
      // so that the settings have come
      assertEquals("200 ok", get(upstream, "/").body(new byte[200]).field("Expect", "100-continue").answer(client));
      assertEquals(200, got.get());
    }
  }

  @Test
  void limitsUnreadContentToTheWindow() throws IOException, InterruptedException {
    AtomicLong window = new AtomicLong();
    int all = 1_000_000;
    try (RawUpstream upstream = upstream(peer -> {
      FramePeer.Frame settings = peer.next(SETTINGS);
      for (int i = 0; i < settings.payload().length; i += 6) {
        window.addAndGet(settings.payload()[i + 1] == 4 ? settings.integer(i + 2) : 0);
      }
      peer.next(HEADERS);
      peer.headers(1, false, ":status", "200");
      long left = window.get();
      for (int sent = 0; sent < all;) {
        while (left < 10_000) {
          FramePeer.Frame update = peer.next(WINDOW_UPDATE);
          left += update.stream() == 1 ? update.integer(0) : 0;
        }
        peer.data(1, sent + 10_000 == all, "x".repeat(10_000));
        sent += 10_000;
        left -= 10_000;
      }
    }); WireClient client = Ask.client(); InputStream body = get(upstream, "/").send(client).body()) {
      Ask.pause();
      assertEquals(all, body.readAllBytes().length);
      assertTrue(window.get() <= Inbound.WINDOW);
    }
  }

  @Test
  void cancelsUnreadStreamAndContinues() throws IOException, InterruptedException {
    CountDownLatch cancelled = new CountDownLatch(1);
    try (RawUpstream upstream = upstream(peer -> {
      peer.next(HEADERS);
      peer.headers(1, false, ":status", "200").data(1, false, "some");
      assertEquals(8, peer.next(RST_STREAM).integer(0));
      cancelled.countDown();
      // too late for anybody, but not a error
      peer.data(1, false, "more").headers(1, true, "x", "y");
      assertEquals(3, peer.next(HEADERS).stream());
      peer.answer(3, "ok");
    }); WireClient client = Ask.client()) {
      get(upstream, "/").send(client).body().close();
      cancelled.await();
      assertEquals("200 ok", get(upstream, "/").answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void cancelsLateStreamAndContinues() throws IOException, InterruptedException {
    try (RawUpstream upstream = upstream(peer -> {
      peer.next(HEADERS);
      peer.frame(PING, ACK, 0, new byte[8]);
      assertEquals(1, peer.next(RST_STREAM).stream());
      peer.next(HEADERS);
      peer.headers(3, false, ":status", "200").data(3, false, "some");
      assertEquals(3, peer.next(RST_STREAM).stream());
      peer.next(HEADERS);
      peer.answer(5, "ok");
    }); WireClient client = Ask.client()) {
      assertEquals("ResponseTimeoutException", get(upstream, "/").head(Ask.SHORT).outcome(client));
      assertEquals("ResponseBodyException", get(upstream, "/").idle(Ask.SHORT).outcome(client));
      assertEquals("200 ok", get(upstream, "/").answer(client));
    }
  }

  @Test
  void leavesSilentConnection() throws InterruptedException {
    RawUpstream.Script silent = peer -> {
      FramePeer.greet(peer).next(HEADERS);
      peer.awaitEnd();
    };
    RawUpstream.Script good = peer -> {
      FramePeer frames = FramePeer.greet(peer);
      frames.next(HEADERS);
      frames.answer(1, "ok").awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(silent, good); WireClient client = Ask.client()) {
      // the settings may come with the first request
      while (upstream.connections() < 2) {
        assertEquals("ResponseTimeoutException",
            get(upstream, "/").head(Ask.SHORT).outcome(client).replace("200 ok", "ResponseTimeoutException"));
      }
      assertTrue(Ask.within(() -> upstream.open() == 1));
    }
  }

  @Test
  void deliversResponseBeforeRequestIsWhole() throws IOException, InterruptedException {
    InputStream endless = new InputStream() {
      @Override
      public int read() {
        return 'x';
      }
    };
    try (RawUpstream upstream = upstream(peer -> {
      peer.next(HEADERS);
      peer.answer(1, "long");
      peer.next(RST_STREAM);
      peer.next(HEADERS);
      peer.answer(3, "ok");
    }); WireClient client = Ask.client()) {
      assertEquals("200 long", get(upstream, "/").body(endless, -1).answer(client));
      assertEquals("200 ok", get(upstream, "/").answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  /** RFC 9113, 8.1: a server may answer without the rest of the request, and then reset the stream with NO_ERROR. */
  @Test
  void deliversResponseBeforeSmallBodyIsWritten() throws IOException, InterruptedException {
    try (RawUpstream upstream = upstream(peer -> {
      peer.next(HEADERS);
      peer.answer(1, "first");
      peer.next(HEADERS);
      peer.answer(3, "enough").frame(RST_STREAM, 0, 3, 0);
      peer.next(HEADERS);
      peer.answer(5, "last");
    }, 4, 0); WireClient client = Ask.client()) {
      // behind the first answer the window of no bytes is known, so that the body of the second request has to wait
      assertEquals("200 first", get(upstream, "/").answer(client));
      assertEquals("200 enough", get(upstream, "/").body(new byte[5]).answer(client));
      assertEquals("200 last", get(upstream, "/").answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void reportsSourceOfBrokenRequestBody() throws IOException, InterruptedException {
    try (RawUpstream upstream = upstream(peer -> {
      assertEquals(1, peer.next(RST_STREAM).stream());
      peer.next(HEADERS);
      peer.answer(3, "ok");
    }); WireClient client = Ask.client()) {
      assertEquals("RequestBodyException",
          get(upstream, "/").body(new ByteArrayInputStream(new byte[40_000]), 50_000).outcome(client));
      assertEquals("200 ok", get(upstream, "/").answer(client));
    }
  }
}

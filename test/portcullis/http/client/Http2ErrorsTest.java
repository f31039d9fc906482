package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.FramePeer.ACK;
import static portcullis.fixture.FramePeer.CONTINUATION;
import static portcullis.fixture.FramePeer.DATA;
import static portcullis.fixture.FramePeer.END_HEADERS;
import static portcullis.fixture.FramePeer.END_STREAM;
import static portcullis.fixture.FramePeer.GOAWAY;
import static portcullis.fixture.FramePeer.HEADERS;
import static portcullis.fixture.FramePeer.PING;
import static portcullis.fixture.FramePeer.PUSH_PROMISE;
import static portcullis.fixture.FramePeer.RST_STREAM;
import static portcullis.fixture.FramePeer.SETTINGS;
import static portcullis.fixture.FramePeer.WINDOW_UPDATE;
import static portcullis.fixture.FramePeer.block;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;

/** Upstreams that speak HTTP/2 wrongly, refuse requests, or leave. */
@Timeout(60)
final class Http2ErrorsTest {
  private interface Script {
    void run(FramePeer peer) throws IOException;
  }

  /** Says hello, does that when a request has come, and leaves when the client does. */
  private static RawUpstream.Script connection(Script script) {
    return peer -> {
      FramePeer frames = FramePeer.greet(peer);
      script.run(frames);
      frames.awaitEnd();
    };
  }

  private static Script answering(Script script) {
    return peer -> {
      peer.next(HEADERS);
      script.run(peer);
    };
  }

  private static Ask get(RawUpstream upstream, String target) {
    return Ask.get(upstream, target).to(URI.create("h2c://" + upstream.host()));
  }

  private static String outcome(Script script) throws InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(connection(answering(script))); WireClient client = Ask.client()) {
      return get(upstream, "/").outcome(client);
    }
  }

  private static Script head(String... lines) {
    return peer -> peer.headers(1, true, lines);
  }

  @Test
  void refusesMalformedHeads() throws InterruptedException {
    Map<String, Script> scripts = new TreeMap<>(Map.ofEntries(
        Map.entry("no status", head("x", "y")),
        Map.entry("status behind", head("x", "y", ":status", "200")),
        Map.entry("two statuses", head(":status", "200", ":status", "200")),
        Map.entry("short status", head(":status", "20")),
        Map.entry("letters", head(":status", "2oo")),
        Map.entry("zero", head(":status", "000")),
        Map.entry("switch", head(":status", "101")),
        Map.entry("a request's field", head(":status", "200", ":path", "/")),
        Map.entry("upper case", head(":status", "200", "X", "y")),
        Map.entry("blank in a name", head(":status", "200", "x y", "y")),
        Map.entry("empty name", head(":status", "200", "", "y")),
        Map.entry("line feed", head(":status", "200", "x", "a\nb: c")),
        Map.entry("carriage return", head(":status", "200", "x", "a\r")),
        Map.entry("NUL", head(":status", "200", "x", "a\0b")),
        Map.entry("blank around", head(":status", "200", "x", " a")),
        Map.entry("connection", head(":status", "200", "connection", "close")),
        Map.entry("coding", head(":status", "200", "transfer-encoding", "chunked")),
        Map.entry("length of letters", head(":status", "200", "content-length", "four")),
        Map.entry("several lengths", head(":status", "200", "content-length", "0", "content-length", "1")),
        Map.entry("less than announced", head(":status", "200", "content-length", "4")),
        Map.entry("end of an interim answer", head(":status", "103")),
        Map.entry("content before a head", peer -> peer.data(1, true, "x")),
        Map.entry("too long",
            head(":status", "200", "x", "y".repeat(15_000), "z", "y".repeat(15_000), "a", "y".repeat(15_000), "b",
                "y".repeat(15_000)))));
    scripts.forEach((name, script) -> {
      ClientLimits d = ClientLimits.DEFAULT;
      ClientLimits limits = new ClientLimits(9, 9, 9, d.idle(), d.connect(), d.head(), 50_000, 100, d.bodyIdle(), 100);
      try (RawUpstream upstream = RawUpstream.of(connection(peer -> {
        peer.next(HEADERS);
        script.run(peer);
        int seen = 0;
        while (seen != (1 << RST_STREAM | 1 << HEADERS)) {
          seen |= 1 << peer.next().type() & (1 << RST_STREAM | 1 << HEADERS);
        }
        peer.answer(3, "ok");
      })); WireClient client = Ask.client(limits)) {
        assertEquals("InvalidResponseException", get(upstream, "/").outcome(client), name);
        if (!name.equals("too long")) {
          assertEquals("200 ok", get(upstream, "/").outcome(client), name);
          assertEquals(1, upstream.connections(), "it is the stream's error: " + name);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @Test
  void neverTakesBrokenBodyForWhole() throws InterruptedException {
    Map<String, Script> scripts = Map.of(
        "cut", peer -> peer.data(1, false, "he").frame(RST_STREAM, 0, 1, 2),
        "no error, but no end", peer -> peer.data(1, false, "he").frame(RST_STREAM, 0, 1, 0),
        "short", peer -> peer.data(1, true, "hell"),
        "long", peer -> peer.data(1, true, "hello!"),
        "lines in the middle", peer -> peer.data(1, false, "he").headers(1, false, "x", "y"),
        "a head in the middle", peer -> peer.data(1, false, "he").headers(1, false, ":status", "200"),
        "a pseudo trailer", peer -> peer.data(1, false, "hello").headers(1, true, ":x", "y"),
        "gone", peer -> peer.data(1, false, "he").frame(GOAWAY, 0, 0, 0, 2));
    for (Map.Entry<String, Script> each : scripts.entrySet()) {
      assertEquals("ResponseBodyException", outcome(peer -> {
        peer.headers(1, false, ":status", "200", "content-length", "5");
        each.getValue().run(peer);
      }), each.getKey());
    }
  }

  @Test
  void endsConnectionOfProtocolErrorsWithGoAway() throws InterruptedException {
    byte[] head = block(":status", "200");
    Map<String, Script> scripts = new TreeMap<>(Map.ofEntries(
        Map.entry("a push", peer -> peer.frame(PUSH_PROMISE, END_HEADERS, 1, new byte[] {0, 0, 0, 2})),
        Map.entry("a stream of theirs", peer -> peer.headers(2, true, ":status", "200")),
        Map.entry("a stream to come", peer -> peer.headers(3, true, ":status", "200")),
        Map.entry("data on the connection", peer -> peer.data(0, true, "x")),
        Map.entry("a head on the connection", peer -> peer.headers(0, true, ":status", "200")),
        Map.entry("settings on a stream", peer -> peer.frame(SETTINGS, 0, 1, new byte[0])),
        Map.entry("settings of odd length", peer -> peer.frame(SETTINGS, 0, 0, new byte[5])),
        Map.entry("settings beyond their range", peer -> peer.frame(SETTINGS, 0, 0, new byte[] {0, 4, -1, -1, -1, -1})),
        Map.entry("a ping on a stream", peer -> peer.frame(PING, 0, 1, new byte[8])),
        Map.entry("a short ping", peer -> peer.frame(PING, 0, 0, new byte[7])),
        Map.entry("a window of nothing", peer -> peer.frame(WINDOW_UPDATE, 0, 0, 0)),
        Map.entry("a window too large", peer -> peer.frame(WINDOW_UPDATE, 0, 0, Integer.MAX_VALUE)),
        Map.entry("a continuation of nothing", peer -> peer.frame(CONTINUATION, END_HEADERS, 1, head)),
        Map.entry("something inside a head", peer -> peer.frame(HEADERS, 0, 1, head).frame(PING, 0, 0, new byte[8])),
        Map.entry("another head inside",
            peer -> peer.frame(HEADERS, 0, 1, head).frame(CONTINUATION, END_HEADERS, 3, head)),
        Map.entry("bad compression",
            peer -> peer.frame(HEADERS, END_HEADERS, 1, new byte[] {(byte) 0xff, (byte) 0xff, 1})),
        Map.entry("more padding than frame", peer -> peer.frame(DATA, 8, 1, new byte[] {9, 1})),
        Map.entry("an endless frame", peer -> peer.frame(DATA, END_STREAM, 1, new byte[17_000]))));
    for (Map.Entry<String, Script> each : scripts.entrySet()) {
      CountDownLatch shown = new CountDownLatch(1);
      RawUpstream.Script script = connection(answering(peer -> {
        each.getValue().run(peer);
        peer.next(GOAWAY);
        shown.countDown();
      }));
      try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
        assertEquals("InvalidResponseException", get(upstream, "/").outcome(client), each.getKey());
        assertTrue(shown.await(10, TimeUnit.SECONDS), "told why: " + each.getKey());
        assertTrue(Ask.within(() -> upstream.open() == 0 && client.connections() == 0), each.getKey());
      }
    }
  }

  @Test
  void refusesConnectionWithoutSettings() throws InterruptedException {
    try (
        RawUpstream one = RawUpstream
            .of(peer -> peer.say("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n").awaitEnd());
        RawUpstream ping = RawUpstream
            .of(peer -> peer.say(new byte[] {0, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}).awaitEnd());
        WireClient client = Ask.client()) {
      assertEquals("InvalidResponseException", get(one, "/").outcome(client));
      assertEquals("InvalidResponseException", get(ping, "/").outcome(client));
    }
  }

  @Test
  void endsConnectionOfFrameFloods() throws InterruptedException {
    assertEquals("InvalidResponseException", outcome(peer -> peer.flood(200_000)));
    assertEquals("InvalidResponseException", outcome(peer -> {
      peer.frame(HEADERS, 0, 1, block(":status", "200"));
      for (int i = 0; i < 10_000; i++) {
        peer.frame(CONTINUATION, 0, 1, new byte[0]);
      }
    }));
    assertEquals("InvalidResponseException", outcome(peer -> {
      for (int i = 0; i < 1000; i++) {
        peer.headers(1, false, ":status", "103");
      }
    }));
  }

  @Test
  void answersPingsAndIgnoresUnknownFrames() throws InterruptedException {
    assertEquals("200 ok", outcome(peer -> {
      peer.frame(PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}).frame(PING, ACK, 0, new byte[8]);
      assertEquals(8, peer.next(PING).payload()[7]);
      peer.frame(99, 255, 1, new byte[100]).frame(2, 0, 1, new byte[5]).frame(SETTINGS, 0, 0,
          new byte[] {0, 99, 0, 0, 0, 1});
      peer.frame(HEADERS, 0, 1, block(":status", "200", "x", "y")).frame(CONTINUATION, END_HEADERS, 1, block("a", "b"));
      peer.frame(DATA, 8 | END_STREAM, 1, new byte[] {3, 'o', 'k', 0, 0, 0});
    }));
  }

  @Test
  void retriesRefusedStreams() throws InterruptedException {
    List<Script> refusals = List.of(peer -> peer.frame(RST_STREAM, 0, 1, 7), peer -> peer.frame(GOAWAY, 0, 0, 0, 0));
    for (Script refusal : refusals) {
      RawUpstream.Script second = connection(answering(peer -> peer.answer(1, "ok")));
      RawUpstream.Script first = connection(peer -> {
        peer.next(HEADERS);
        refusal.run(peer);
        peer.next(HEADERS);
        peer.answer(3, "ok");
      });
      try (RawUpstream upstream = RawUpstream.of(first, second); WireClient client = Ask.client()) {
        long begin = System.nanoTime();
        String outcome = get(upstream, "/").method("POST").outcome(client);
        boolean late = System.nanoTime() - begin >= 1_000_000_000; // a slow machine, and the request is not sent again
        assertTrue(outcome.equals("200 ok") || late && outcome.equals("NoResponseException"), outcome);
      }
    }
  }

  @Test
  void leavesConnectionAfterGoAway() throws InterruptedException {
    RawUpstream.Script going = connection(answering(peer -> peer.headers(1, false, ":status", "200")
        .frame(GOAWAY, 0, 0, 1, 0).data(1, true, "ok")));
    RawUpstream.Script second = connection(answering(peer -> peer.answer(1, "ok")));
    try (RawUpstream upstream = RawUpstream.of(going, second); WireClient client = Ask.client()) {
      assertEquals("200 ok", get(upstream, "/").outcome(client));
      assertEquals("200 ok", get(upstream, "/").outcome(client));
      assertEquals(2, upstream.connections());
      assertTrue(Ask.within(() -> upstream.open() == 1));
    }
  }

  /** Answers one request, and leaves when the second has come. */
  private static final RawUpstream.Script HANGING_UP = peer -> {
    FramePeer frames = FramePeer.greet(peer);
    frames.next(HEADERS);
    frames.answer(1, "ok");
    frames.next(HEADERS);
  };

  @Test
  void retriesOnlySafeMethodsWhenConnectionEnds() throws InterruptedException {
    for (String method : List.of("GET", "POST")) {
      RawUpstream.Script second = connection(answering(peer -> peer.answer(1, "again")));
      try (RawUpstream upstream = RawUpstream.of(HANGING_UP, second); WireClient client = Ask.client()) {
        assertEquals("200 ok", get(upstream, "/").outcome(client));
        assertEquals(method.equals("GET") ? "200 again" : "NoResponseException",
            get(upstream, "/").method(method).outcome(client));
      }
    }
  }

  @Test
  void failsAllStreamsOfEndedConnection() throws Exception {
    RawUpstream.Script cutting = peer -> {
      FramePeer frames = FramePeer.greet(peer);
      for (int i = 0; i < 5; i++) {
        frames.next(HEADERS);
      }
    };
    ClientLimits d = ClientLimits.DEFAULT;
    ClientLimits one = new ClientLimits(1, 1, 1, d.idle(), Ask.LONG, d.head(), 4096, 100, d.bodyIdle(), 100);
    try (RawUpstream upstream = RawUpstream.of(cutting); WireClient client = Ask.client(one)) {
      var all = IntStream.range(0, 5).mapToObj(_ -> client.sendAsync(get(upstream, "/").method("POST").request(),
          BodyHandlers.ofInputStream())).toList();
      for (var each : all) {
        assertInstanceOf(NoResponseException.class, assertThrows(ExecutionException.class, each::get).getCause());
      }
      assertEquals(0, client.connections());
    }
  }
}

package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.FramePeer.HEADERS;
import static portcullis.fixture.FramePeer.RST_STREAM;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;

/** Responses that are awaited without a thread. */
@Timeout(60)
final class AwaitedResponseTest {
  private final CountDownLatch quiet = new CountDownLatch(1);

  private interface Script {
    void run(FramePeer peer) throws Exception;
  }

  /** Takes a request, and does that once nothing has come for so long that it is not awaited by a thread. */
  private RawUpstream upstream(Script script) {
    return RawUpstream.of(peer -> {
      FramePeer frames = FramePeer.greet(peer);
      frames.next(HEADERS);
      try {
        quiet.await(30, TimeUnit.SECONDS);
        script.run(frames);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      frames.awaitEnd();
    });
  }

  private static Ask get(RawUpstream upstream) {
    return Ask.get(upstream, "/").to(URI.create("h2c://" + upstream.host())).head(Duration.ofMinutes(1));
  }

  private String outcome(WireClient client, Ask ask) throws Exception {
    AwaitedResponse response = client.begin(ask.request());
    assertTrue(response.isQuiet());
    CountDownLatch comes = new CountDownLatch(1);
    response.whenComes(comes::countDown);
    assertEquals(1, comes.getCount());
    quiet.countDown();
    assertTrue(comes.await(30, TimeUnit.SECONDS));
    return Ask.text(response.get());
  }

  @Test
  void actionRunsWhenTheHeadComes() throws Exception {
    try (RawUpstream upstream = upstream(peer -> peer.answer(1, "late")); WireClient client = Ask.client()) {
      assertEquals("200 late", outcome(client, get(upstream)));
    }
  }

  @Test
  void actionRunsAtOnceWhereTheHeadIsThere() throws Exception {
    try (RawUpstream upstream = upstream(peer -> peer.answer(1, "late")); WireClient client = Ask.client()) {
      AwaitedResponse response = client.begin(get(upstream).request());
      CountDownLatch comes = new CountDownLatch(2);
      response.whenComes(comes::countDown);
      quiet.countDown();
      while (comes.getCount() == 2) {
        Thread.onSpinWait();
      }
      response.whenComes(comes::countDown);
      assertEquals(0, comes.getCount());
      assertEquals("200 late", Ask.text(response.get()));
    }
  }

  /** It is refused too late. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aRefusedRequestFails(int size) throws Exception {
    try (RawUpstream upstream = upstream(peer -> peer.frame(RST_STREAM, 0, 1, 7)); WireClient client = Ask.client()) {
      Ask call = size == 0 ? get(upstream) : get(upstream).body(new ByteArrayInputStream(new byte[size]), -1);
      assertThrows(NoResponseException.class, () -> outcome(client, call));
    }
  }

  @Test
  void aBrokenConnectionFails() throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      FramePeer.greet(peer).next(HEADERS);
      try {
        quiet.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      peer.reset();
    }); WireClient client = Ask.client()) {
      Ask call = get(upstream).body(new ByteArrayInputStream(new byte[] {1}), -1);
      assertThrows(NoResponseException.class, () -> outcome(client, call));
    }
  }

  @Test
  void aThreadWaitsWhereLittleTimeIsLeft() throws Exception {
    try (RawUpstream upstream = upstream(peer -> peer.answer(1, "late")); WireClient client = Ask.client()) {
      AwaitedResponse response = client.begin(get(upstream).head(Duration.ofMillis(6900)).request());
      assertFalse(response.isQuiet());
      quiet.countDown();
      assertEquals("200 late", Ask.text(response.get()));
    }
  }

  /** An upstream of HTTP/1.1 that does that once nothing has come for so long. */
  private RawUpstream http1(RawUpstream.Script script) {
    return RawUpstream.of(peer -> {
      peer.head();
      awaitQuiet();
      script.run(peer);
    });
  }

  private void awaitQuiet() {
    try {
      quiet.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Ask getHttp1(RawUpstream upstream) {
    return Ask.get(upstream, "/").head(Duration.ofMinutes(1));
  }

  private static WireClient withoutThreads() {
    return Ask.client(ClientLimits.DEFAULT.withWaitingThreads(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "POST"})
  void aHeadOverHttp1ThatComesInPiecesIsReadWhole(String method) throws Exception {
    try (RawUpstream upstream = http1(peer -> {
      for (String piece : List.of("HTTP/1.1 103 Early", " Hints\r\n\r", "\nHTTP/1.1 2", "00 OK\r\nContent-",
          "Length: 4",
          "\r\n\r\n", "late")) {
        peer.say(piece);
        Ask.pause();
      }
    }); WireClient client = withoutThreads()) {
      Ask ask = getHttp1(upstream);
      Ask sent = method.isEmpty() ? ask : ask.body(new ByteArrayInputStream(new byte[] {1}), -1);
      assertEquals("200 late", outcome(client, sent));
      assertEquals(List.of("103 []"), ask.interim());
    }
  }

  @Test
  void aConnectionOverHttp1IsUsedAgainAfterTheWait() throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      awaitQuiet();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain");
    }); WireClient client = withoutThreads()) {
      assertEquals("200 late", outcome(client, getHttp1(upstream)));
      assertEquals("200 again", getHttp1(upstream).answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  /** How an upstream of HTTP/1.1 ends the wait without a response, and what is reported. */
  private enum Http1End {
    CLOSES(NoResponseException.class, "the connection ended without an answer"),
    RESETS(NoResponseException.class, "the connection ended without an answer"),
    CLOSES_IN_ITS_HEAD(InvalidResponseException.class, "the connection ended inside a head"),
    IS_SILENT(ResponseTimeoutException.class, "no answer in time"),
    STOPS_IN_ITS_HEAD(ResponseTimeoutException.class, "no answer in time");

    private final Class<? extends IOException> type;
    private final String message;

    Http1End(Class<? extends IOException> type, String message) {
      this.type = type;
      this.message = message;
    }

    private Duration limit(int seconds) {
      return type == ResponseTimeoutException.class ? Duration.ofSeconds(seconds) : Duration.ofMinutes(1);
    }

    private void run(RawUpstream.Peer peer) throws IOException {
      switch (this) {
        case CLOSES -> {
        }
        case RESETS -> peer.reset();
        case CLOSES_IN_ITS_HEAD -> peer.say("HTTP/1.1 200");
        case IS_SILENT -> peer.awaitEnd();
        case STOPS_IN_ITS_HEAD -> {
          peer.say("HTTP/1.1 200");
          peer.awaitEnd();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Http1End.class)
  void anEndOverHttp1IsReportedAsToAThread(Http1End how) throws Exception {
    try (RawUpstream upstream = http1(how::run); WireClient client = withoutThreads()) {
      AwaitedResponse response = client.begin(getHttp1(upstream).head(how.limit(9)).request());
      CountDownLatch comes = new CountDownLatch(1);
      if (response.isQuiet()) { // unless the machine took seconds
        response.whenComes(comes::countDown);
      } else {
        comes.countDown();
      }
      quiet.countDown();
      assertTrue(comes.await(30, TimeUnit.SECONDS));
      assertFails(how, client, response::get);
    }
    try (RawUpstream upstream = http1(how::run); WireClient client = Ask.client()) {
      Ask ask = getHttp1(upstream).head(how.limit(1));
      assertFails(how, client, () -> client.begin(ask.request()).get());
    }
  }

  private static void assertFails(Http1End how, WireClient client, Executable call) {
    IOException error = assertThrows(IOException.class, call);
    assertEquals(how.type, error.getClass());
    assertEquals(how.message, error.getMessage());
    assertTrue(Ask.within(() -> client.connections() == 0));
  }

  /** It is used for less than three seconds and may have ended while it was idle. */
  @Test
  void aRequestIsSentAgainWhoseUsedConnectionEnds() throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
      peer.head();
      awaitQuiet();
    }, RawUpstream.always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain")); WireClient client = withoutThreads()) {
      assertEquals("200 first", getHttp1(upstream).answer(client));
      long begin = System.nanoTime();
      try {
        assertEquals("200 again", outcome(client, getHttp1(upstream)));
        assertEquals(2, upstream.connections());
      } catch (NoResponseException e) {
        assertTrue(System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(3), "only a slow machine has that");
      }
    }
  }

  @Test
  void aWaitOverHttp1EndsWithAnInterrupt() throws Exception {
    try (RawUpstream upstream = http1(RawUpstream.Peer::awaitEnd); WireClient client = withoutThreads()) {
      AwaitedResponse response = client.begin(getHttp1(upstream).request());
      assertTrue(response.isQuiet());
      response.whenComes(() -> {});
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, response::get);
      assertTrue(Ask.within(() -> client.connections() == 0));
    }
  }

  @Test
  void aWaitOverHttp1MayBeEndedBeforeAnythingComes() throws Exception {
    try (RawUpstream upstream = http1(peer -> peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"));
        WireClient client = withoutThreads()) {
      AwaitedResponse response = client.begin(getHttp1(upstream).request());
      assertTrue(response.isQuiet());
      response.whenComes(() -> {});
      Thread.ofVirtual().start(() -> {
        Ask.pause();
        quiet.countDown();
      });
      assertEquals("200 late", Ask.text(response.get()));
    }
  }

  @Test
  void fewRequestsOverHttp1WaitWithThreads() throws Exception {
    try (RawUpstream upstream = http1(peer -> peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"));
        WireClient client = Ask.client(ClientLimits.DEFAULT.withWaitingThreads(1))) {
      CompletableFuture<String> first = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> {
        try {
          AwaitedResponse response = client.begin(getHttp1(upstream).request());
          first.complete(response.isQuiet() + " " + Ask.text(response.get()));
        } catch (IOException | InterruptedException e) {
          first.completeExceptionally(e);
        }
      });
      assertTrue(Ask.within(() -> upstream.heads().size() == 1));
      assertEquals("200 late", outcome(client, getHttp1(upstream)));
      assertEquals("false 200 late", first.get(30, TimeUnit.SECONDS));
    }
  }

  /** A tunnel needs its head as it was. */
  @Test
  void aRequestForATunnelWaitsWithItsThread() throws Exception {
    try (RawUpstream upstream = http1(peer -> peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"));
        WireClient client = withoutThreads()) {
      Thread.ofVirtual().start(() -> {
        Ask.pause();
        quiet.countDown();
      });
      AwaitedResponse response = client.begin(getHttp1(upstream).field("Upgrade", "websocket").request());
      assertFalse(response.isQuiet());
      assertEquals("200 late", Ask.text(response.get()));
    }
  }
}

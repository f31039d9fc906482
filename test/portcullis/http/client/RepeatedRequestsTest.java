package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.FramePeer.ACK;
import static portcullis.fixture.FramePeer.DATA;
import static portcullis.fixture.FramePeer.GOAWAY;
import static portcullis.fixture.FramePeer.HEADERS;
import static portcullis.fixture.FramePeer.PING;
import static portcullis.fixture.FramePeer.RST_STREAM;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Fields;

/** Which requests an upstream gets a second time, as it refused the first or ended the connection (RFC 9113, 8.7). */
class RepeatedRequestsTest {
  /** Longer than an idle connection takes to show that it has ended. */
  private static final long WAIT = TimeUnit.MILLISECONDS.toNanos(3200);

  /** What is refused within this time is sent again. */
  private static final long SOON = TimeUnit.SECONDS.toNanos(1);
  private static final int ATTEMPTS = 5;

  /** What the upstream received of each request, after its head. */
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

  private interface Script {
    void run(FramePeer peer) throws IOException;
  }

  /** Answers a request, does that with the next one, and answers all others, on this connection and further ones. */
  private RawUpstream upstream(Script second) {
    return RawUpstream.of(peer -> {
      FramePeer frames = FramePeer.greet(peer);
      assertEquals(1, frames.next(HEADERS).stream());
      frames.answer(1, "first");
      assertEquals(3, frames.next(HEADERS).stream());
      second.run(frames);
      frames.next(HEADERS);
      answer(frames, 5);
    }, peer -> {
      FramePeer frames = FramePeer.greet(peer);
      frames.next(HEADERS);
      answer(frames, 1);
    });
  }

  private void answer(FramePeer frames, int stream) throws IOException {
    received.add(body(frames));
    frames.answer(stream, "again").awaitEnd();
  }

  /** Returns the content of a request up to its end, trailers in brackets. */
  private static String body(FramePeer frames) throws IOException {
    StringBuilder out = new StringBuilder();
    while (true) {
      FramePeer.Frame frame = frames.next();
      out.append(frame.type() == DATA ? frame.text() : frame.type() == HEADERS ? "[trailers]" : "");
      if (frame.ends() && (frame.type() == DATA || frame.type() == HEADERS)) {
        return out.toString();
      }
    }
  }

  private static Ask get(RawUpstream upstream) {
    return Ask.get(upstream, "/").to(URI.create("h2c://" + upstream.host()));
  }

  /** Returns what becomes of a request that the upstream treats so. */
  private String outcome(Script second, Ask.Change change) throws Exception {
    try (RawUpstream upstream = upstream(second); WireClient client = Ask.client()) {
      assertEquals("200 first", get(upstream).answer(client));
      return change.of(get(upstream)).outcome(client);
    }
  }

  /** The same, a few times where a slow machine refuses it too late for another attempt. */
  private String outcomeInTime(Script second, Ask.Change change) throws Exception {
    String outcome = "";
    boolean late = true;
    for (int i = 0; i < ATTEMPTS && late; i++) {
      long begin = System.nanoTime();
      outcome = outcome(second, change);
      late = outcome.equals("NoResponseException") && System.nanoTime() - begin >= SOON;
    }
    return outcome;
  }

  private static Script refusal(String how) {
    return how.equals("RST_STREAM") ? peer -> peer.frame(RST_STREAM, 0, 3, 7) : peer -> peer.frame(GOAWAY, 0, 0, 1, 0);
  }

  @ParameterizedTest
  @CsvSource({"RST_STREAM, 5, 4", "GOAWAY, 5, 4", "RST_STREAM, 5, -1", "GOAWAY, 5, -1", "RST_STREAM, 8192, -1",
    "RST_STREAM, 8192, 8192", "RST_STREAM, 0, -1"})
  void aRefusedRequestIsSentAgainWithItsBody(String how, int size, int length) throws Exception {
    String text = "x".repeat(size);
    String expected = length < 0 ? text + "[trailers]" : text;
    assertEquals("200 again", outcomeInTime(peer -> {
      assertEquals(expected, body(peer));
      refusal(how).run(peer);
    }, ask -> ask.body(new ByteArrayInputStream(text.getBytes(ISO_8859_1)), length < 0 ? -1 : size)
        .trailers(() -> length < 0 ? Fields.of("x-sum", "1") : Fields.NONE)));
    assertEquals(expected, received.take());
  }

  /** The body of a request goes on although its stream has been refused. */
  @Test
  void aRefusedRequestIsSentAgainWhoseBodyEndsABitLater() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    InputStream body = new InputStream() {
      private int left = 3;

      @Override
      public int read() {
        throw new UnsupportedOperationException();
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        try {
          assertTrue(left == 3 || refused.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        into[offset] = 'x';
        return left-- == 0 ? -1 : 1;
      }
    };
    String outcome = outcome(peer -> {
      assertEquals("x", peer.next(DATA).text());
      peer.frame(RST_STREAM, 0, 3, 7);
      peer.frame(PING, 0, 0, new byte[8]);
      peer.next(PING); // the client knows
      refused.countDown();
    }, ask -> ask.body(body, -1));
    // how soon it is there is up to the machine: it is waited for 50 ms
    assertTrue(List.of("200 again", "NoResponseException").contains(outcome), outcome);
    assertTrue(received.isEmpty() || received.take().equals("xxx"));
  }

  @ParameterizedTest
  @CsvSource({"RST_STREAM, 0", "GOAWAY, 0", "RST_STREAM, 5"})
  void aRequestThatIsRefusedLateIsNotSentAgain(String how, int size) throws Exception {
    try (RawUpstream upstream = upstream(peer -> {
      LockSupport.parkNanos(SOON + SOON / 10);
      refusal(how).run(peer);
    }); WireClient client = Ask.client()) {
      assertEquals("200 first", get(upstream).answer(client));
      Ask ask = get(upstream);
      assertEquals("NoResponseException", (size == 0 ? ask : ask.body(new byte[size])).outcome(client));
      assertTrue(received.isEmpty());
    }
  }

  @Test
  void aLongBodyIsNotSentAgain() throws Exception {
    for (long length : new long[] {8193, -1}) {
      assertEquals("NoResponseException", outcome(peer -> {
        body(peer);
        refusal("RST_STREAM").run(peer);
      }, ask -> ask.body(new ByteArrayInputStream(new byte[8193]), length)));
    }
    assertTrue(received.isEmpty());
  }

  @Test
  void aBodyThatHasNotEndedIsNotSentAgain() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    InputStream body = new InputStream() {
      @Override
      public int read() throws IOException {
        try {
          over.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        return -1;
      }
    };
    assertEquals("NoResponseException", outcome(refusal("RST_STREAM"), ask -> ask.body(body, -1)));
    over.countDown();
    assertTrue(received.isEmpty());
  }

  /** With its stream it may have been processed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8, 11})
  void aRequestWhoseStreamIsResetIsNotSentAgain(int error) throws Exception {
    assertEquals("NoResponseException", outcome(peer -> peer.frame(RST_STREAM, 0, 3, error), ask -> ask));
    assertTrue(received.isEmpty());
  }

  /** The upstream says that it may process it, or has shown that it is there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestOfWhichTheUpstreamKnowsIsNotSentAgain(boolean goes) throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      FramePeer frames = FramePeer.greet(peer);
      frames.next(HEADERS);
      frames.answer(1, "first").next(HEADERS);
      if (goes) {
        frames.frame(GOAWAY, 0, 0, 3, 0);
      } else {
        frames.frame(PING, ACK, 0, new byte[8]);
      }
    }); WireClient client = Ask.client()) {
      assertEquals("200 first", get(upstream).answer(client));
      assertEquals("NoResponseException", get(upstream).outcome(client));
      assertEquals(1, upstream.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestWhoseConnectionEndsAfterAWaitIsNotSentAgain(boolean second) throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      if (second) {
        FramePeer frames = FramePeer.greet(peer);
        frames.next(HEADERS);
        frames.answer(1, "first").next(HEADERS);
      } else {
        peer.head();
        peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
        peer.head();
      }
      LockSupport.parkNanos(WAIT);
    }); WireClient client = Ask.client()) {
      Ask ask = second ? get(upstream) : Ask.get(upstream, "/");
      assertEquals("200 first", ask.answer(client));
      assertEquals("NoResponseException", ask.outcome(client));
      assertEquals(1, upstream.connections());
    }
  }
}

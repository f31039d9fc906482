package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.FramePeer.HEADERS;
import static portcullis.fixture.FramePeer.RST_STREAM;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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

  @Test
  void aThreadWaitsForHttp1() throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
    }); WireClient client = Ask.client()) {
      AwaitedResponse response = client.begin(Ask.get(upstream, "/").request());
      assertFalse(response.isQuiet());
      assertEquals("200 late", Ask.text(response.get()));
    }
  }
}

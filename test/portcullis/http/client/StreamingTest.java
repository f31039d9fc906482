package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.RawUpstream.always;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Fields;

/** Bodies under way in either direction. */
final class StreamingTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** A body that never ends. */
  private static final class Endless extends InputStream {
    private final AtomicLong read = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public int read() {
      read.incrementAndGet();
      return 'x';
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      read.addAndGet(length);
      return length;
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static final class Breaking extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("the client has left");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 6})
  void sendsPiecesOfBodyAtOnce(long length) throws Exception {
    Exchanger<String> echo = new Exchanger<>();
    int piece = length < 0 ? 7 : 2;
    RawUpstream.Script script = peer -> {
      peer.head();
      for (int i = 0; i < 3; i++) {
        meet(echo, peer.read(piece));
      }
      peer.read(length < 0 ? 5 : 0);
      peer.say(OK);
    };
    PipedOutputStream writer = new PipedOutputStream();
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      var answer = client.sendAsync(Ask.get(upstream, "/").body(new PipedInputStream(writer), length).request(),
          BodyHandlers.ofInputStream());
      for (String each : List.of("ab", "cd", "ef")) {
        writer.write(each.getBytes(ISO_8859_1));
        writer.flush();
        assertEquals(length < 0 ? "2\r\n" + each + "\r\n" : each, meet(echo, ""));
      }
      writer.close();
      assertEquals("200 ok", Ask.text(answer.get()));
      assertEquals(1, client.connections());
    }
  }

  private static String meet(Exchanger<String> exchanger, String text) {
    try {
      return exchanger.exchange(text);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void deliversPiecesOfResponseAtOnce() throws IOException, InterruptedException {
    CountDownLatch seen = new CountDownLatch(1);
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\nc");
      await(seen);
      peer.say("d\r\n0\r\n\r\n");
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(script);
        WireClient client = Ask.client();
        InputStream body = Ask.get(upstream, "/").send(client).body()) {
      assertEquals("ab", new String(body.readNBytes(2), ISO_8859_1));
      assertEquals('c', body.read());
      seen.countDown();
      assertEquals("d", new String(body.readAllBytes(), ISO_8859_1));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void deliversResponseBeforeRequestIsWhole() throws IOException, InterruptedException {
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.read(100_000);
      peer.say("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nlong");
      peer.awaitEnd();
    };
    Endless body = new Endless();
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      assertEquals("413 long", Ask.get(upstream, "/").body(body, -1).answer(client));
      assertEquals(0, client.connections(), "it is of no use any more");
      assertTrue(Ask.within(() -> body.closed.get() && upstream.open() == 0));
    }
  }

  @Test
  void deliversResponseOfUpstreamThatStopsReading() throws IOException, InterruptedException {
    RawUpstream.Script script = peer -> {
      peer.say("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlong");
      peer.endOutput();
      peer.head();
      peer.read(500_000);
    };
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      assertEquals("413 long", Ask.get(upstream, "/").body(new Endless(), -1).answer(client));
    }
  }

  @Test
  void carriesBothDirectionsAtOnce() throws IOException, InterruptedException {
    RawUpstream.Script echo = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\n\r\n");
      peer.say(peer.read(7)).say(peer.read(7));
    };
    PipedOutputStream writer = new PipedOutputStream();
    try (RawUpstream upstream = RawUpstream.of(echo); WireClient client = Ask.client()) {
      ClientResponse<InputStream> answer = Ask.get(upstream, "/").body(new PipedInputStream(writer), -1).send(client);
      for (String each : List.of("ab", "cd")) {
        writer.write(each.getBytes(ISO_8859_1));
        writer.flush();
        assertEquals("2\r\n" + each + "\r\n", new String(answer.body().readNBytes(7), ISO_8859_1));
      }
      writer.close();
      assertEquals(-1, answer.body().read());
    }
  }

  @Test
  void slowUpstreamHoldsBackSource() throws IOException, InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    RawUpstream.Script script = peer -> {
      peer.head();
      await(go);
      peer.read(100_000_000);
    };
    Endless body = new Endless();
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      var answer = client.sendAsync(Ask.get(upstream, "/").body(body, 100_000_000).request(),
          BodyHandlers.ofInputStream());
      assertTrue(Ask.within(() -> body.read.get() > 10_000));
      Ask.pause();
      assertTrue(body.read.get() < 30_000_000, () -> body.read + " bytes were taken");
      go.countDown();
      assertInstanceOf(NoResponseException.class, assertThrows(Exception.class, answer::get).getCause());
      assertEquals(100_000_000, body.read.get());
    }
  }

  @Test
  void unreadBodyHoldsBackUpstream() throws IOException, InterruptedException {
    AtomicLong reported = new AtomicLong();
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n");
      for (int i = 0; i < 1000; i++) {
        peer.say(new byte[100_000]);
        reported.addAndGet(100_000);
      }
    };
    try (RawUpstream upstream = RawUpstream.of(script);
        WireClient client = Ask.client();
        InputStream body = Ask.get(upstream, "/").send(client).body()) {
      Ask.pause();
      assertTrue(reported.get() < 30_000_000, () -> reported + " bytes were taken");
      assertEquals(100_000_000, body.transferTo(OutputStream.nullOutputStream()));
    }
  }

  @Test
  void trailersAppearAfterBodyOnly() throws IOException, InterruptedException {
    String text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: "
        + "1\r\nX-User: root\r\n\r\n";
    try (RawUpstream upstream = RawUpstream.answering(text); WireClient client = Ask.client()) {
      ClientResponse<InputStream> answer = Ask.get(upstream, "/").send(client);
      assertEquals(Fields.NONE, answer.trailers());
      assertEquals("200 ok", Ask.text(answer));
      assertEquals(Fields.of("X-Sum", "1", "X-User", "root"), answer.trailers());
      assertFalse(answer.fields().has("X-Sum") || answer.fields().has("X-User"));
      assertTrue(answer.headers().firstValue("X-User").isEmpty());
    }
  }

  @Test
  void reportsInterimResponsesExcept100() throws IOException, InterruptedException {
    String text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 P\r\n\r\n"
        + OK;
    try (RawUpstream upstream = RawUpstream.answering(text); WireClient client = Ask.client()) {
      Ask ask = Ask.get(upstream, "/");
      assertEquals("200 ok", ask.answer(client));
      assertEquals(List.of("103 [Field[name=Link, value=</a>]]", "102 []"), ask.interim());
      String endless = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100);
      try (RawUpstream chatty = RawUpstream.answering(endless)) {
        assertEquals("InvalidResponseException", Ask.get(chatty, "/").outcome(client));
      }
    }
  }

  @Test
  void waitsForContinueBeforeBody() throws IOException, InterruptedException {
    RawUpstream.Script script = peer -> {
      peer.head();
      assertEquals(0, peer.input().available());
      peer.say("HTTP/1.1 100 Continue\r\n\r\n");
      peer.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n" + peer.read(2));
    };
    RawUpstream.Script refusing = peer -> {
      peer.head();
      peer.say("HTTP/1.1 401 Who\r\nContent-Length: 0\r\n\r\n");
      assertEquals("", peer.read(2));
    };
    try (RawUpstream upstream = RawUpstream.of(script, refusing); WireClient client = Ask.client()) {
      assertEquals("200 ab",
          Ask.get(upstream, "/").body("ab".getBytes()).field("Expect", "100-continue").answer(client));
      Endless unread = new Endless();
      assertEquals("401 ", Ask.get(upstream, "/").body(unread, -1).field("Expect", "100-continue").answer(client));
      assertTrue(Ask.within(unread.closed::get));
      assertEquals(0, unread.read.get());
    }
  }

  @Test
  void sendsBodyWhenContinueDoesNotCome() throws IOException, InterruptedException {
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + peer.read(2));
    };
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      assertEquals("200 ab",
          Ask.get(upstream, "/").body("ab".getBytes()).field("Expect", "100-continue").answer(client));
    }
  }

  @Test
  void reportsSourceOfBrokenRequestBody() throws IOException, InterruptedException {
    RawUpstream.Script waiting = peer -> {
      peer.head();
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(waiting); WireClient client = Ask.client()) {
      Ask ask = Ask.get(upstream, "/");
      RequestBodyException chunked = assertThrows(RequestBodyException.class,
          () -> ask.body(new Breaking(), -1).send(client));
      assertEquals("the client has left", chunked.getCause().getMessage());
      assertEquals("RequestBodyException", ask.body(new Breaking(), 5).outcome(client));
      assertEquals("RequestBodyException", ask.body(new ByteArrayInputStream(new byte[4]), 5).outcome(client));
      assertEquals("RequestBodyException",
          ask.body(new ByteArrayInputStream(new byte[40_000]), 50_000).outcome(client));
      assertEquals(0, client.connections());
      assertTrue(Ask.within(() -> upstream.open() == 0), "half a request never looks whole");
    }
  }

  @Test
  void carriesMegabyteUnchanged() throws IOException, InterruptedException {
    byte[] bytes = new byte[1 << 20];
    new Random(1).nextBytes(bytes);
    RawUpstream.Script echo = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: " + bytes.length + "\r\n\r\n")
          .say(peer.input().readNBytes(bytes.length));
    };
    try (RawUpstream upstream = RawUpstream.of(echo, always(OK)); WireClient client = Ask.client()) {
      assertEquals("200 " + new String(bytes, ISO_8859_1), Ask.get(upstream, "/").body(bytes).answer(client));
    }
  }
}

package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.RawUpstream.always;
import static portcullis.fixture.RawUpstream.once;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;

/** When a connection carries a second exchange, and when it must not. In the tables {@code ~} is CRLF. */
final class ReuseTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static ClientLimits limits(int connections, int idlePerHost, int idle, Duration rest) {
    return limits(connections, idlePerHost, idle, rest, Ask.SHORT);
  }

  private static ClientLimits limits(int connections, int idlePerHost, int idle, Duration rest, Duration connect) {
    ClientLimits d = ClientLimits.DEFAULT;
    return new ClientLimits(connections, idlePerHost, idle, rest, connect, d.head(), d.maxHeadBytes(),
        d.maxHeadFields(),
        d.bodyIdle(), d.maxBufferedBytes());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "GET  | HTTP/1.1 200 OK~Content-Length: 2~~ok",
    "GET  | HTTP/1.1 200 OK~Content-Length: 0~~",
    "GET  | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~ok~0~X: y~~",
    "GET  | HTTP/1.1 204 No Content~~",
    "GET  | HTTP/1.1 304 Not Modified~Content-Length: 5~~",
    "GET  | HTTP/1.1 103 Early~~HTTP/1.1 200 OK~Content-Length: 2~~ok",
    "GET  | HTTP/1.0 200 OK~Connection: Keep-Alive~Content-Length: 2~~ok",
    "HEAD | HTTP/1.1 200 OK~Content-Length: 2~~",
    "HEAD | HTTP/1.1 200 OK~~",
  })
  void reusesConnectionAfterWholeResponse(String method, String answer) throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(answer.replace("~", "\r\n")); WireClient client = Ask.client()) {
      for (int i = 0; i < 3; i++) {
        Ask.get(upstream, "/").method(method).answer(client);
      }
      assertEquals(1, upstream.connections());
      assertEquals(1, client.connections());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "GET  | HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~ok",
    "GET  | HTTP/1.1 200 OK~Content-Length: 2~Connection: x, Close~~ok",
    "GET  | HTTP/1.1 200 OK~Content-Length: 2~~ok, and more",
    "GET  | HTTP/1.1 200 OK~Content-Length: 2~~okHTTP/1.1 200 OK~Content-Length: 4~~evil",
    "GET  | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~ok~0~~x",
    "GET  | HTTP/1.0 200 OK~Content-Length: 2~~ok",
    "GET  | HTTP/1.1 204 No Content~Content-Length: 2~~",
    "GET  | HTTP/1.1 204 No Content~Transfer-Encoding: chunked~~",
    "GET  | HTTP/1.1 204 No Content~~HTTP/1.1 200 OK~Content-Length: 4~~evil",
    "HEAD | HTTP/1.1 200 OK~Content-Length: 2~~ok",
  })
  void neverReusesConnectionAfterUnclearFraming(String method, String answer)
      throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(answer.replace("~", "\r\n")); WireClient client = Ask.client()) {
      for (int i = 0; i < 3; i++) {
        assertTrue(Ask.get(upstream, "/").method(method).answer(client).matches("200 (ok)?|204 "));
        assertTrue(Ask.within(() -> client.connections() == 0));
      }
      assertEquals(3, upstream.connections());
    }
  }

  @Test
  void neverReusesConnectionWhoseEndEndedTheBody() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(once("HTTP/1.1 200 OK\r\n\r\nok")); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertEquals(0, client.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "HTTP/1.1 200 OK~Content-Length: 3~Content-Length: 2~~ok",
    "HTTP/1.1 101 Switching Protocols~Upgrade: x~Connection: upgrade~~",
    "HTTP/1.1 200 OK~Content-Length: 7~~ok",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~9~ok",
  })
  void neverReusesConnectionAfterError(String answer) throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(once(answer.replace("~", "\r\n")), always(OK));
        WireClient client = Ask.client()) {
      assertThrows(IOException.class, () -> Ask.get(upstream, "/").answer(client));
      assertEquals(0, client.connections());
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertEquals(2, upstream.connections());
    }
  }

  @Test
  void closesConnectionOfUnreadBody() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(OK); WireClient client = Ask.client()) {
      try (InputStream body = Ask.get(upstream, "/").send(client).body()) {
        assertEquals('o', body.read());
      }
      assertEquals(0, client.connections());
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  @Test
  void returnsConnectionWithLastByte() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(OK); WireClient client = Ask.client()) {
      assertEquals(2, Ask.get(upstream, "/").send(client).body().read(new byte[9]));
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void replacesEndedIdleConnection() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(once(OK), always(OK)); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertTrue(Ask.within(() -> upstream.open() == 0));
      assertEquals("200 ok", Ask.get(upstream, "/").body("body".getBytes()).method("GET").answer(client));
      assertEquals(2, upstream.connections());
    }
  }

  @Test
  void dropsIdleConnectionWithUnexpectedData() throws IOException, InterruptedException {
    CountDownLatch reported = new CountDownLatch(1);
    RawUpstream.Script chatty = peer -> {
      peer.head();
      peer.say(OK);
      Ask.pause();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
      reported.countDown();
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(chatty, always(OK)); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      reported.await();
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertEquals(2, upstream.connections());
    }
  }

  /** Answers once, and hangs up on the second request when it has come. */
  private static RawUpstream.Script hangingUp() {
    return peer -> {
      peer.head();
      peer.say(OK);
      peer.head();
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
  void retriesSafeMethodsOnEndedConnection(String method) throws IOException, InterruptedException {
    String bare = "HTTP/1.1 204 No Content\r\n\r\n";
    try (RawUpstream upstream = RawUpstream.of(hangingUp(), always(bare)); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/1").answer(client));
      assertEquals("204 ", Ask.get(upstream, "/2").method(method).answer(client));
      assertEquals(3, upstream.heads().size());
      assertEquals(2, upstream.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "FOO"})
  void retriesNoOtherMethods(String method) throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(hangingUp(), always(OK)); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/1").answer(client));
      assertEquals("NoResponseException", Ask.get(upstream, "/2").method(method).outcome(client));
      assertEquals("200 ok", Ask.get(upstream, "/3").answer(client));
      assertEquals(3, upstream.heads().size());
    }
  }

  @Test
  void retriesNothingWithBodyOrPartialResponse() throws IOException, InterruptedException {
    RawUpstream.Script cutting = peer -> {
      peer.head();
      peer.say(OK);
      peer.head();
      peer.say("H");
    };
    try (RawUpstream upstream = RawUpstream.of(hangingUp(), cutting); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/1").answer(client));
      assertEquals("NoResponseException", Ask.get(upstream, "/2").body("x".getBytes()).method("GET").outcome(client));
      assertEquals("200 ok", Ask.get(upstream, "/3").answer(client));
      assertEquals("InvalidResponseException", Ask.get(upstream, "/4").outcome(client));
      assertEquals(4, upstream.heads().size());
    }
  }

  @Test
  void retriesOnceAndNeverOnFreshConnection() throws IOException, InterruptedException {
    RawUpstream.Script mute = RawUpstream.Peer::head;
    try (RawUpstream upstream = RawUpstream.of(mute); WireClient client = Ask.client()) {
      assertEquals("NoResponseException", Ask.get(upstream, "/").outcome(client));
      assertEquals(1, upstream.heads().size());
    }
    try (RawUpstream upstream = RawUpstream.of(hangingUp(), mute); WireClient client = Ask.client()) {
      assertEquals("200 ok", Ask.get(upstream, "/1").answer(client));
      assertEquals("NoResponseException", Ask.get(upstream, "/2").outcome(client));
      assertEquals(3, upstream.heads().size());
    }
  }

  @Test
  void refusesMoreConnectionsThanAllowed() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(OK); WireClient client = Ask.client(limits(1, 9, 9, Ask.LONG))) {
      ClientResponse<InputStream> first = Ask.get(upstream, "/1").send(client);
      assertEquals("ConnectTimeoutException", Ask.get(upstream, "/2").outcome(client));
      assertEquals("200 ok", Ask.text(first));
    }
  }

  @Test
  void waitsForFreeConnection() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(OK);
        WireClient client = Ask.client(limits(1, 9, 9, Ask.LONG, Ask.LONG))) {
      ClientResponse<InputStream> first = Ask.get(upstream, "/1").send(client);
      Thread.ofVirtual().start(() -> {
        Ask.pause();
        read(first);
      });
      assertEquals("200 ok", Ask.get(upstream, "/2").answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  private static String read(ClientResponse<InputStream> answer) {
    try {
      return Ask.text(answer);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void keepsNoMoreIdleConnectionsThanAllowed() throws IOException, InterruptedException {
    try (RawUpstream a = RawUpstream.answering(OK);
        RawUpstream b = RawUpstream.answering(OK);
        WireClient client = Ask.client(limits(9, 2, 3, Ask.LONG))) {
      three(a, client);
      assertEquals(2, client.connections());
      three(b, client);
      assertEquals(3, client.connections());
      assertTrue(Ask.within(() -> a.open() == 1 && b.open() == 2), "the one unused for longest goes first");
    }
  }

  /** Three exchanges at once. */
  private static void three(RawUpstream upstream, WireClient client) throws IOException, InterruptedException {
    ClientResponse<InputStream> first = Ask.get(upstream, "/").send(client);
    ClientResponse<InputStream> second = Ask.get(upstream, "/").send(client);
    assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
    assertEquals("200 ok200 ok", Ask.text(first) + Ask.text(second));
  }

  @Test
  void closesConnectionsIdleForTooLong() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(OK); WireClient client = Ask.client(limits(9, 9, 9, Ask.SHORT))) {
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertEquals(1, client.connections());
      assertTrue(Ask.within(() -> client.connections() == 0 && upstream.open() == 0));
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
    }
  }
}

package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;

/** An upstream that goes away at any point of an exchange; in the tables {@code ~} is CRLF. */
final class BreakOffTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static String kind(int offset, int head, String status) {
    return offset == 0 ? "NoResponseException" : offset < head ? "InvalidResponseException" : status;
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "HTTP/1.1 200 OK~Content-Length: 5~X: y~~hello",
    "HTTP/1.1 103 Early~~HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~he~3;x~llo~0~X: y~~",
  })
  void reportsResponseBrokenAtAnyOffset(String text) throws InterruptedException {
    String answer = text.replace("~", "\r\n");
    int head = answer.lastIndexOf("\r\n\r\n", answer.length() - 5) + 4;
    AtomicInteger next = new AtomicInteger();
    RawUpstream.Script cutting = peer -> {
      peer.head();
      peer.say(answer.substring(0, next.getAndIncrement() % answer.length()));
    };
    try (RawUpstream upstream = RawUpstream.of(cutting); WireClient client = Ask.client()) {
      for (int offset = 0; offset < answer.length(); offset++) {
        assertEquals(kind(offset, head, "ResponseBodyException"), Ask.get(upstream, "/").outcome(client),
            "offset " + offset);
        assertEquals(0, client.connections());
      }
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  /** What a reset may take away is unknown, but never is half an answer a whole one. */
  @Test
  void survivesResetAtAnyOffsetOfResponse() throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    RawUpstream.Script resetting = peer -> {
      peer.head();
      peer.say(OK.substring(0, next.getAndIncrement() % OK.length()));
      peer.reset();
    };
    try (RawUpstream upstream = RawUpstream.of(resetting);
        RawUpstream good = RawUpstream.answering(OK);
        WireClient client = Ask.client()) {
      for (int offset = 0; offset < OK.length(); offset++) {
        String outcome = Ask.get(upstream, "/").outcome(client);
        assertTrue(Set.of("NoResponseException", "InvalidResponseException", "ResponseBodyException").contains(outcome),
            outcome);
        assertEquals("200 ok", Ask.get(good, "/").answer(client));
        assertEquals(1, client.connections());
      }
      assertEquals(1, good.connections(), "good upstreams are not disturbed");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void survivesEndAtAnyOffsetOfRequest(boolean reset) throws InterruptedException {
    String request = "POST / HTTP/1.1\r\nHost: localhost:00000\r\nTransfer-Encoding: "
        + "chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    AtomicInteger next = new AtomicInteger();
    RawUpstream.Script leaving = peer -> {
      peer.read(next.getAndIncrement());
      if (reset) {
        peer.reset();
      }
    };
    Supplier<byte[]> body = () -> "hello".getBytes(ISO_8859_1);
    try (RawUpstream upstream = RawUpstream.of(leaving); WireClient client = Ask.client()) {
      for (int offset = 0; offset <= request.length(); offset++) {
        Ask ask = Ask.get(upstream, "/");
        String outcome = ask.body(new ByteArrayInputStream(body.get()), -1).outcome(client);
        // who is reset at once may not even have been connected
        assertTrue(outcome.equals("NoResponseException") || offset == 0 && outcome.equals("UnreachableException"),
            offset + ": " + outcome);
        assertEquals(0, client.connections());
      }
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  @Test
  void survivesHalfClosedUpstream() throws InterruptedException {
    RawUpstream.Script half = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe");
      peer.endOutput();
      peer.awaitEnd();
    };
    RawUpstream.Script mute = peer -> {
      peer.head();
      peer.endOutput();
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(half, mute); WireClient client = Ask.client()) {
      assertEquals("ResponseBodyException", Ask.get(upstream, "/").outcome(client));
      assertEquals("NoResponseException", Ask.get(upstream, "/").outcome(client));
      assertTrue(Ask.within(() -> upstream.open() == 0), "we have ended the other half");
    }
  }
}

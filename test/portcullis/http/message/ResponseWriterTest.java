package portcullis.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of our server, seen as bytes. */
class ResponseWriterTest {
  /** Answers a request, and can be asked how that ended. */
  private interface Act<T> {
    T on(ResponseWriter reply) throws IOException;
  }

  private record Seen<T>(String bytes, T result) {
    String body() {
      return bytes.substring(bytes.indexOf("\r\n\r\n") + 4);
    }
  }

  /** The answer to a first request, {@code <open>} behind it where a second one on the connection was answered. */
  private static <T> Seen<T> seen(String method, Act<T> act) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    try (RawServer server = new RawServer(exchange -> {
      ResponseWriter reply = ResponseWriter.to(exchange);
      if (exchange.getRequestURI().getPath().equals("/second")) {
        reply.send(Response.of(299).with("Connection", "close"));
      } else {
        T done = act.on(reply);
        assertFalse(Thread.currentThread().isInterrupted());
        result.complete(done);
      }
    })) {
      String heard = server.say(method + " / HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n",
          5_000);
      int second = heard.indexOf("HTTP/1.1 299");
      return new Seen<>(second < 0 ? heard : heard.substring(0, second) + "<open>", result.get(30, TimeUnit.SECONDS));
    }
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(ISO_8859_1));
  }

  private static InputStream breaking(String text) {
    return new SequenceInputStream(bytes(text), new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("upstream broke");
      }
    });
  }

  @Test
  void sendsAnswersWhole() throws Exception {
    Seen<Long> seen = seen("GET", reply -> {
      reply.send(Response.of(403, "text/plain", "né").with("X-A", "1").with("X-A", "2"));
      return reply.sent() * 1000 + reply.status();
    });
    assertEquals(3403, seen.result);
    assertTrue(seen.bytes.startsWith("HTTP/1.1 403 "), seen.bytes);
    assertTrue(seen.bytes.contains("\r\nX-A: 1\r\nX-A: 2\r\n") && seen.bytes.contains("\r\nContent-Length: 3\r\n"),
        seen.bytes);
    assertEquals("n\u00c3\u00a9<open>", seen.body());
  }

  @Test
  void whatAClientThatHasLeftDoesNotGetWasNotSent() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CompletableFuture<Long> sent = new CompletableFuture<>();
    try (RawServer server = new RawServer(exchange -> {
      ResponseWriter reply = ResponseWriter.to(exchange);
      try {
        left.await();
        reply.send(Response.of(200, "text/plain", "hello"));
        sent.complete(-1L);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        sent.complete(reply.sent());
      }
    })) {
      try (Socket client = server.connect()) {
        client.setSoLinger(true, 0); // it is reset
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
      }
      left.countDown();
      assertEquals(0, sent.get(30, TimeUnit.SECONDS));
    }
  }

  @ParameterizedTest
  @CsvSource({"HEAD, 200, hello, 5", "GET, 204, '', ''", "GET, 204, hello, ''", "GET, 304, '', ''",
    "GET, 304, hello, 5", "GET, 200, '', 0"})
  void answersWithoutContentHaveNone(String method, int status, String text, String length) throws Exception {
    Seen<Long> seen = seen(method, reply -> {
      reply.send(Response.of(status, "text/plain", text));
      return reply.sent();
    });
    assertEquals("<open>", seen.body());
    assertEquals(0, seen.result);
    assertEquals(!length.isEmpty(), seen.bytes.contains("Content-Length: " + length + "\r\n"), seen.bytes);
  }

  @ParameterizedTest
  @CsvSource({"GET, -1", "GET, 11", "HEAD, -1", "HEAD, 11"})
  void streamsWhatComesInWhole(String method, long length) throws Exception {
    Seen<ResponseWriter.End> seen = seen(method,
        reply -> reply.stream(200, Fields.of("X-A", "1"), length, bytes("hello world"),
            () -> Fields.NONE));
    assertEquals(ResponseWriter.End.WHOLE, seen.result);
    String body = method.equals("HEAD") ? "" : length < 0 ? "b\r\nhello world\r\n0\r\n\r\n" : "hello world";
    assertEquals(body + "<open>", seen.body());
  }

  /** There may be many that wait: calls, event streams. */
  @ParameterizedTest
  @CsvSource({"-1, 0, 2048", "-1, 1, 16384", "50000, 0, 16384"})
  void aBodyThatComesNowAndThenWaitsWithASmallBuffer(long length, int available, int expected) throws Exception {
    AtomicInteger most = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    InputStream body = new ByteArrayInputStream(new byte[50_000]) {
      @Override
      public int available() {
        return available;
      }

      @Override
      public int read(byte[] into, int offset, int room) {
        most.accumulateAndGet(room, Math::max);
        return super.read(into, offset, room);
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
    Seen<ResponseWriter.End> seen = seen("GET", reply -> reply.stream(200, Fields.NONE, length, body,
        () -> Fields.NONE));
    assertEquals(ResponseWriter.End.WHOLE, seen.result);
    assertEquals(1, closed.get());
    assertEquals(expected, most.get());
  }

  @ParameterizedTest
  @CsvSource({"-1, hello", "11, hello", "5, hello world"})
  void halfAnAnswerNeverLooksWhole(long length, String text) throws Exception {
    Seen<ResponseWriter.End> seen = seen("GET", reply -> reply.stream(200, Fields.NONE, length, breaking(text),
        () -> Fields.NONE));
    assertEquals(ResponseWriter.End.SOURCE_FAILED, seen.result);
    assertTrue(seen.bytes.endsWith("<closed>"), seen.bytes);
    assertFalse(seen.body().contains("0\r\n\r\n"), seen.bytes);
    assertFalse(length == 5 && seen.body().length() >= "hello<closed>".length(), seen.bytes);
  }

  /** Fails while something is waited for, and again when it is read. */
  private static class Failing extends InputStream implements PausableBody {
    private int waits;

    @Override
    public boolean begins(int millis) throws IOException {
      throw new IOException("upstream broke");
    }

    @Override
    public boolean comes(int millis) throws IOException {
      if (waits++ > 0) {
        throw new IllegalStateException("it has failed before");
      }
      throw new IOException("upstream broke");
    }

    @Override
    public int read() throws IOException {
      throw new IOException("upstream broke");
    }

    @Override
    public boolean isShared() {
      return false;
    }

    @Override
    public void pause(Runnable coming) {
      throw new IllegalStateException("it has failed before");
    }

    @Override
    public Source pause() {
      throw new IllegalStateException("it has failed before");
    }

    @Override
    public void resume(boolean late) {
      throw new IllegalStateException("it has not been paused");
    }

    @Override
    public Fields trailers() {
      return Fields.NONE;
    }
  }

  @Test
  void anAnswerThatFailsWhileItIsWaitedForIsBrokenOff() throws Exception {
    Failing body = new Failing();
    CompletableFuture<ResponseWriter.End> end = new CompletableFuture<>();
    try (RawServer server = new RawServer(e -> end.complete(ResponseWriter.to(e).stream(200, Fields.NONE, -1, body,
        () -> Fields.NONE)))) {
      String heard = server.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 30_000);
      assertEquals(ResponseWriter.End.SOURCE_FAILED, end.get(30, TimeUnit.SECONDS));
      assertEquals(1, body.waits);
      assertTrue(heard.endsWith("\r\n\r\n<closed>"), heard);
    }
  }

  /** Begins once its head has come, or at once. */
  private static final class Late extends Failing {
    private final CompletableFuture<Void> head = new CompletableFuture<>();
    private final int available;
    private int waits;

    Late(int available) {
      this.available = available;
    }

    @Override
    public int available() {
      return available;
    }

    @Override
    public boolean begins(int millis) {
      waits++;
      return false;
    }

    @Override
    public boolean comes(int millis) {
      return true;
    }

    @Override
    public int read() {
      return -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (available == 0) {
        head.orTimeout(30, TimeUnit.SECONDS).join();
      }
      return -1;
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 2", "5, 0, 2", "-1, 1, 0"})
  void aHeadGoesOutBeforeItsBodyUnlessThatIsThere(long length, int available, int waits) throws Exception {
    Late body = new Late(available);
    try (RawServer server = new RawServer(e -> {
      PausableBody.awaitBegin(body, 20);
      ResponseWriter.to(e).stream(200, Fields.NONE, length, body, () -> Fields.NONE);
    });
        Socket socket = server.connect()) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
      await(socket.getInputStream(), "\r\n\r\n");
      body.head.complete(null);
      assertEquals(waits, body.waits);
    }
  }

  @Test
  void anAnswerShorterThanItsLengthIsBrokenOff() throws Exception {
    Seen<ResponseWriter.End> seen = seen("GET",
        reply -> reply.stream(200, Fields.NONE, 11, bytes("hello"), () -> Fields.NONE));
    assertEquals(ResponseWriter.End.SOURCE_FAILED, seen.result);
    assertEquals("hello<closed>", seen.body());
  }

  @Test
  void partsGoOutAsTheyComeIn() throws Exception {
    CompletableFuture<Void> heardFirst = new CompletableFuture<>();
    InputStream second = new InputStream() {
      @Override
      public int read() {
        heardFirst.orTimeout(30, TimeUnit.SECONDS).join();
        return -1;
      }
    };
    InputStream slow = new SequenceInputStream(bytes("one"), second);
    try (
        RawServer server = new RawServer(
            e -> ResponseWriter.to(e).stream(200, Fields.NONE, -1, slow, () -> Fields.NONE));
        Socket socket = server.connect()) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
      await(socket.getInputStream(), "one");
      heardFirst.complete(null);
      await(socket.getInputStream(), "0\r\n\r\n");
    }
  }

  private static void await(InputStream in, String text) throws IOException {
    StringBuilder heard = new StringBuilder();
    while (heard.indexOf(text) < 0) {
      int c = in.read();
      assertTrue(c >= 0, () -> "ended after " + heard);
      heard.append((char) c);
    }
  }

  @Test
  void reportsThatTheClientLeft() throws Exception {
    CompletableFuture<ResponseWriter.End> end = new CompletableFuture<>();
    AtomicInteger closed = new AtomicInteger();
    InputStream endless = new InputStream() {
      @Override
      public int read() {
        return 'x';
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
    try (RawServer server = new RawServer(e -> end.complete(ResponseWriter.to(e).stream(200, Fields.NONE, -1, endless,
        () -> Fields.NONE)))) {
      try (Socket socket = server.connect()) {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
        socket.getInputStream().read();
      }
      assertEquals(ResponseWriter.End.CLIENT_LEFT, end.get(30, TimeUnit.SECONDS));
      assertEquals(1, closed.get());
    }
  }

  @Test
  void whatIsNoFieldIsNeverWrittenAndCanStillBeAnswered() throws Exception {
    for (String value : new String[] {"a\r\nX-B: 1", "a\u0000", "a\n", "\u0100", " a"}) {
      Seen<Integer> seen = seen("GET", reply -> {
        Response bad = Response.of(200).with("X-A", value);
        assertThrows(IllegalArgumentException.class, () -> reply.send(bad));
        assertThrows(IllegalArgumentException.class, () -> reply.stream(200, bad.fields(), 0, bytes(""),
            () -> Fields.NONE));
        assertThrows(IllegalArgumentException.class, () -> reply.send(bad, Fields.NONE));
        assertThrows(IllegalArgumentException.class, () -> reply.upgrade(bad.fields()));
        assertEquals(0, reply.status());
        reply.send(Response.of(500));
        return reply.status();
      });
      assertEquals(500, seen.result);
      assertTrue(seen.bytes.startsWith("HTTP/1.1 500 "), seen.bytes);
    }
  }

  @Test
  void fieldsOfTheConnectionAreNotPassedOn() throws Exception {
    Fields fields = Fields.of("Transfer-Encoding", "gzip", "Content-Length", "99", "Connection", "close", "Keep-Alive",
        "timeout=9", "X-A", "1");
    Seen<ResponseWriter.End> seen = seen("GET", reply -> reply.stream(200, fields, 2, bytes("hi"), () -> Fields.NONE));
    assertEquals("hi<open>", seen.body());
    assertFalse(seen.bytes.contains("gzip") || seen.bytes.contains("99") || seen.bytes.contains("timeout=9"),
        seen.bytes);
    assertTrue(seen("GET", reply -> {
      reply.send(Response.of(400).with("Connection", "close"));
      return 0;
    }).bytes.endsWith("<closed>"));
  }

  @Test
  void anAnswerThatIsForgottenIsOutOfReach() throws Exception {
    Seen<String> seen = seen("GET", reply -> {
      reply.send(Response.of(200, "text/plain", "all"));
      reply.forget();
      reply.abort();
      return reply.status() + " " + reply.sent() + " "
          + assertThrows(IllegalStateException.class, () -> reply.inform(102, Fields.NONE)).getMessage();
    });
    assertEquals("200 3 an answer that has been paused or forgotten", seen.result);
    assertEquals("all<open>", seen.body());
  }
}

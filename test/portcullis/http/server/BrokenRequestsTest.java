package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.wire.MalformedMessageException;

/** Handlers that fail, clients that leave. */
class BrokenRequestsTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

  private static List<RawClient.Answer> ask(TestServer server) throws IOException {
    try (RawClient client = RawClient.of(server)) {
      return client.say(GET + GET).answers();
    }
  }

  private static void answers500AndCloses(HttpHandler handler) throws Exception {
    try (TestServer server = new TestServer(handler)) {
      List<RawClient.Answer> answers = ask(server);
      assertEquals(List.of(500), answers.stream().map(RawClient.Answer::status).toList());
      assertEquals("close", answers.getFirst().header("Connection"));
      assertEquals(500, server.reports().take().status());
    }
  }

  @Test
  void aHandlerThatThrowsIsA500() throws Exception {
    answers500AndCloses(_ -> {
      throw new IllegalStateException("bug");
    });
    answers500AndCloses(_ -> {
      throw new IOException("upstream");
    });
    answers500AndCloses(_ -> {
      throw new StackOverflowError();
    });
    answers500AndCloses(exchange -> {
      try (exchange) {
        throw new IllegalStateException("bug");
      }
    });
  }

  @Test
  void aHandlerThatDoesNotAnswerIsA500() throws Exception {
    answers500AndCloses(_ -> {});
    answers500AndCloses(exchange -> exchange.close());
  }

  private static RawClient.Answer brokenOff(HttpHandler handler) throws Exception {
    try (TestServer server = new TestServer(handler)) {
      List<RawClient.Answer> answers = ask(server);
      assertEquals(1, answers.size(), "nothing follows");
      assertTrue(answers.getFirst().cut());
      assertEquals(200, answers.getFirst().status());
      return answers.getFirst();
    }
  }

  @Test
  void anAnswerThatBreaksOffNeverEndsProperly() throws Exception {
    for (long length : new long[] {-1, 100}) {
      assertEquals("half", brokenOff(exchange -> {
        try (exchange) {
          ((WireExchange) exchange).respond(200, Fields.NONE, length);
          exchange.getResponseBody().write("half".getBytes());
          throw new IOException("upstream broke off");
        }
      }).body());
      assertEquals("half", brokenOff(exchange -> {
        ((WireExchange) exchange).respond(200, Fields.NONE, length);
        exchange.getResponseBody().write("half".getBytes());
        ((WireExchange) exchange).abort();
      }).body());
      assertEquals("half", brokenOff(exchange -> {
        ((WireExchange) exchange).respond(200, Fields.NONE, length);
        exchange.getResponseBody().write("half".getBytes());
      }).body());
    }
    brokenOff(exchange -> {
      exchange.sendResponseHeaders(200, 100);
      exchange.getResponseBody().write("half".getBytes());
      exchange.close();
    });
  }

  @Test
  void anAnswerWithoutFramingBreaksOffWithAReset() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      try (OutputStream out = exchange.getResponseBody()) {
        exchange.sendResponseHeaders(200, 0);
        out.write("half".getBytes());
        out.flush();
        ((WireExchange) exchange).abort();
      }
    }); RawClient client = RawClient.of(server)) {
      client.say("GET / HTTP/1.0\r\n\r\n");
      assertThrows(IOException.class, () -> client.rest().readAllBytes());
    }
  }

  @Test
  void moreThanAnnouncedIsNotSent() throws Exception {
    assertEquals("hello", brokenOff(exchange -> {
      exchange.sendResponseHeaders(200, 6);
      exchange.getResponseBody().write("hello".getBytes());
      exchange.getResponseBody().write("world".getBytes());
    }).body());
  }

  @Test
  void brokenBodyIsReportedAsClientError() throws Exception {
    for (boolean handled : new boolean[] {true, false}) {
      try (TestServer server = new TestServer(exchange -> {
        try {
          TestServer.echo(exchange);
        } catch (MalformedMessageException e) {
          if (!handled) {
            throw e;
          }
          TestServer.answer(exchange, e.status(), "handled");
        }
      }); RawClient client = RawClient.of(server)) {
        client.say("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n" + GET);
        List<RawClient.Answer> answers = client.answers();
        assertEquals(1, answers.size());
        assertEquals(400, answers.getFirst().status());
        assertEquals(handled ? "handled" : "", answers.getFirst().body());
      }
    }
  }

  @Test
  void halfABodyNeverLooksWhole() throws Exception {
    for (String half : List.of("Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n10\r\nhalf",
        "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n")) {
      LinkedBlockingQueue<String> bodies = new LinkedBlockingQueue<>();
      try (TestServer server = new TestServer(exchange -> {
        bodies.add(new String(exchange.getRequestBody().readAllBytes()));
        TestServer.answer(exchange, 200, "");
      }); RawClient client = RawClient.of(server)) {
        client.say("POST / HTTP/1.1\r\nHost: h\r\n" + half).end();
        assertEquals(List.of(400), client.answers().stream().map(RawClient.Answer::status).toList());
        assertTrue(bodies.isEmpty());
      }
    }
  }

  @Test
  void disconnectFailsTheHandlersWritesOnly() throws Exception {
    LinkedBlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      byte[] much = new byte[100_000];
      try {
        while (true) {
          exchange.getResponseBody().write(much);
        }
      } catch (IOException e) {
        ends.add(e);
        throw e;
      }
    })) {
      RawClient client = RawClient.of(server).say(GET);
      client.rest().readNBytes(1000);
      client.close();
      assertFalse(Optional.ofNullable(ends.poll(20, TimeUnit.SECONDS)).isEmpty());
      try (RawClient next = RawClient.of(server)) {
        assertEquals(200, Integer.parseInt(next.say(GET).read(12).substring(9)));
      }
    }
  }

  @Test
  void anotherThreadMayAbortWhatHangs() throws Exception {
    LinkedBlockingQueue<WireExchange> hanging = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      hanging.add((WireExchange) exchange);
      try {
        exchange.getRequestBody().readAllBytes();
      } catch (IOException e) {
        ends.add("failed");
        throw e;
      }
    }); RawClient client = RawClient.of(server)) {
      client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
      hanging.take().abort();
      assertEquals("", client.read(1000));
      assertEquals("failed", ends.poll(20, TimeUnit.SECONDS));
    }
  }
}

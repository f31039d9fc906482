package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;

class Http2Test {
  @Test
  void servesTheSameHandlerAsHttp1() throws Exception {
    LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      WireExchange wire = (WireExchange) exchange;
      seen.add(exchange.getProtocol() + " " + exchange.getRequestMethod() + " " + wire.target() + " " + wire.fields());
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      client.get(1, "/a%2f?b=%zz", "cookie", "a=b", "x-a", "1", "cookie", "c=d");
      assertEquals("200", client.answer(1));
      assertEquals("HTTP/2.0 GET /a%2f?b=%zz " + Fields.of("host", "h", "x-a", "1", "cookie", "a=b; c=d"), seen.take());
      client.post(3, "/p");
      client.data(3, "hel", false);
      client.data(3, "lo", true);
      assertEquals("200 hello", client.answer(3));
    }
  }

  @Test
  void reportsLengthOfBodyWhereKnown() throws Exception {
    LinkedBlockingQueue<String> lengths = new LinkedBlockingQueue<>();
    try (TestServer server = new TestServer(exchange -> {
      lengths.add(String.valueOf(((WireExchange) exchange).length()));
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server); RawClient old = RawClient.of(server)) {
      client.get(1, "/");
      client.answer(1);
      client.post(3, "/", "content-length", "5");
      client.data(3, "hello", true);
      client.answer(3);
      client.post(5, "/");
      client.data(5, "hello", true);
      assertEquals("200 hello", client.answer(5));
      String post = "POST / HTTP/1.1\r\nHost: h\r\n";
      old.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n").answer();
      old.say(post + "Content-Length: 5\r\n\r\nhello").answer();
      old.say(post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").answer();
      List<String> twice = List.of("OptionalLong[0]", "OptionalLong[5]", "OptionalLong.empty");
      assertEquals(List.of(twice, twice),
          List.of(List.copyOf(lengths).subList(0, 3), List.copyOf(lengths).subList(3, 6)));
    }
  }

  @Test
  void servesClientOfTheJdkOverTls() throws Exception {
    TestCertificate ca = CertificateDraft.authority("ca");
    TestCertificate gate = CertificateDraft.of("gate").hosts("localhost").issuedBy(ca).make();
    try (
        TestServer server = new TestServer(ServerLimits.DEFAULT, new HttpsConfigurator(Tls.context(gate)), exchange -> {
          assertInstanceOf(HttpsExchange.class, exchange);
          TestServer.echo(exchange);
        });
        HttpClient client = HttpClient.newBuilder().sslContext(Tls.context(gate, ca)).build()) {
      URI uri = URI.create("https://localhost:" + server.address().getPort() + "/p");
      String big = "0123456789".repeat(100_000);
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        HttpRequest request = HttpRequest.newBuilder(uri)
            .POST(HttpRequest.BodyPublishers.ofString(i == 7 ? big : "hello " + i)).build();
        answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
      }
      for (int i = 0; i < 20; i++) {
        HttpResponse<String> answer = answers.get(i).get(20, TimeUnit.SECONDS);
        assertEquals(HttpClient.Version.HTTP_2, answer.version());
        assertTrue(answer.body().equals(i == 7 ? big : "hello " + i));
      }
    }
  }

  @Test
  void answersGrpcCallMessageByMessage() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      WireExchange wire = (WireExchange) exchange;
      assertEquals("trailers", wire.fields().first("te").orElseThrow());
      wire.respond(200, Fields.of("Content-Type", "application/grpc"), -1);
      try (InputStream in = exchange.getRequestBody(); OutputStream out = exchange.getResponseBody()) {
        byte[] some = new byte[100];
        for (int n = in.read(some); n >= 0; n = in.read(some)) {
          out.write(some, 0, n);
          out.flush();
        }
        wire.trail(Fields.of("Grpc-Status", "0", "seen", wire.trailers().first("x-sum").orElse("none")));
      }
    }); Http2Client client = Http2Client.of(server)) {
      client.post(1, "/pkg.Service/Method", "content-type", "application/grpc", "te", "trailers");
      for (int i = 0; i < 10; i++) {
        client.data(1, "message" + i, false);
        if (i == 0) {
          assertInstanceOf(Http2Client.Event.Head.class, client.next());
        }
        assertEquals(new Http2Client.Event.Data(1, "message" + i, false), client.next());
      }
      client.trailers(1, "x-sum", "10");
      assertEquals(new Http2Client.Event.Head(1, Fields.of("grpc-status", "0", "seen", "10"), true), client.next());
    }
  }

  @Test
  void handlesStreamsIndependently() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      if (exchange.getRequestURI().getPath().equals("/slow")) {
        try {
          assertTrue(go.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      client.get(1, "/slow");
      for (int id = 3; id < 401; id += 2) {
        client.get(id, "/fast");
        assertEquals("200", client.answer(id));
      }
      go.countDown();
      assertEquals("200", client.answer(1));
    }
  }

  @Test
  void sendsInterimResponses() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      ((WireExchange) exchange).inform(103, Fields.of("Link", "</a>"));
      assertThrows(IOException.class, () -> ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "websocket")));
      TestServer.echo(exchange);
    }); Http2Client client = Http2Client.of(server)) {
      client.post(1, "/", "expect", "100-continue", "content-length", "5");
      assertEquals(new Http2Client.Event.Head(1, Fields.of(":status", "103", "link", "</a>"), false), client.next());
      assertEquals(new Http2Client.Event.Head(1, Fields.of(":status", "100"), false), client.next());
      client.data(1, "hello", true);
      assertEquals("200 hello", client.answer(1));
    }
  }

  private record Row(String what, Fields pseudo, Fields fields, String answer) {}

  private static Row row(String what, String path, String answer, String... fields) {
    return new Row(what, Http2Client.head("GET", path), Fields.of(fields), answer);
  }

  private static final List<Row> ROWS = List.of(
      row("plain", "/p", "200"), row("asterisk of GET", "*", "400"), row("s9 a path without a slash", "p", "400"),
      row("s9 an empty path", "", "PROTOCOL_ERROR"),
      row("fragment", "/p#f", "PROTOCOL_ERROR"), row("blank in a path", "/p q", "PROTOCOL_ERROR"),
      row("8-bit path", "/\u00e4", "PROTOCOL_ERROR"),
      row("agreeing host", "/p", "200", "host", "h"), row("another host", "/p", "PROTOCOL_ERROR", "host", "i"),
      row("connection field", "/p", "PROTOCOL_ERROR", "connection", "close"),
      row("s44 transfer coding", "/p", "PROTOCOL_ERROR", "transfer-encoding", "chunked"),
      row("te", "/p", "200", "te", "trailers"), row("another te", "/p", "PROTOCOL_ERROR", "te", "gzip"),
      row("length of a body that does not come", "/p", "PROTOCOL_ERROR", "content-length", "5"),
      row("no number as length", "/p", "400", "content-length", "x"),
      row("two lengths", "/p", "400", "content-length", "0", "content-length", "0"),
      row("unknown expectation", "/p", "417", "expect", "x"),
      row("many fields", "/p", "431", "a,".repeat(400).split(",")),
      row("one long field", "/p", "431", "a", "b".repeat(20_000)),
      new Row("s45 CONNECT", Fields.of(":method", "CONNECT", ":authority", "h:80"), Fields.NONE, "405"),
      new Row("s23 broken authority", Fields.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a,b"),
          Fields.NONE, "400"),
      new Row("no authority", Fields.of(":method", "GET", ":scheme", "http", ":path", "/"), Fields.NONE, "400"),
      new Row("host alone", Fields.of(":method", "GET", ":scheme", "http", ":path", "/"), Fields.of("host", "h"),
          "200"),
      new Row("broken method", Fields.of(":method", "G T", ":scheme", "http", ":path", "/", ":authority", "h"),
          Fields.NONE, "PROTOCOL_ERROR"));

  @TestFactory
  List<DynamicTest> answersEachHeadAsItDeserves() {
    return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.what, () -> {
      try (TestServer server = new TestServer(); Http2Client client = Http2Client.of(server)) {
        client.say(() -> client.frames().headers(1, row.pseudo, row.fields, true));
        assertEquals(row.answer, client.answer(1));
        assertEquals(row.answer.equals("200") ? 1 : 0, server.seen().size());
        client.get(3, "/next");
        assertEquals("200", client.answer(3), "the connection goes on");
      }
    })).toList();
  }

  @Test
  void refusesFieldsThatWouldBreakFraming() throws Exception {
    for (String value : List.of("a\r\nb: c", "a\0", "a\n", " a", "a\t")) {
      try (TestServer server = new TestServer(); Http2Client client = Http2Client.of(server)) {
        client.get(1, "/p", "a", value);
        assertEquals("PROTOCOL_ERROR", client.answer(1));
      }
    }
    try (TestServer server = new TestServer(exchange -> {
      assertThrows(IllegalArgumentException.class,
          () -> ((WireExchange) exchange).respond(200, Fields.of("A", "b\r\nc"), 0));
      TestServer.answer(exchange, 204, "");
    }); Http2Client client = Http2Client.of(server)) {
      client.get(1, "/p");
      assertEquals("204", client.answer(1));
    }
  }
}

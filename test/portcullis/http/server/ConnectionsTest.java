package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Fields;
import portcullis.http.message.Target;
import portcullis.http.message.WireExchange;

class ConnectionsTest {
  private static final String CLOSE = "Connection: close\r\n";

  private static String get(String target, String... fields) {
    return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + String.join("", fields) + "\r\n";
  }

  private static List<String> texts(List<RawClient.Answer> answers) {
    return answers.stream().map(a -> a.status() + " " + a.header("X-Target") + " " + a.body()).toList();
  }

  @Test
  void answersPipelinedRequestsInOrder() throws Exception {
    try (TestServer server = new TestServer(); RawClient client = RawClient.of(server)) {
      String post = "POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\ntwo";
      String chunks = "POST /3 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
          + "chunked\r\n\r\n2\r\nth\r\n3\r\nree\r\n0\r\n\r\n";
      client.say(get("/1") + post + chunks + get("/4", CLOSE) + get("/5"));
      assertEquals(List.of("200 /1 ", "200 /2 two", "200 /3 three", "200 /4 "), texts(client.answers()));
    }
  }

  @Test
  void servesManyRequestsOneAfterTheOther() throws Exception {
    try (TestServer server = new TestServer(); RawClient client = RawClient.of(server)) {
      for (int i = 0; i < 100; i++) {
        client.say(get("/" + i));
        assertEquals("/" + i, client.answer().header("X-Target"));
      }
    }
  }

  @Test
  void requestsWithTheSameFieldsKeepTheirTargets() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      byte[] target = ((WireExchange) exchange).parsedTarget().toString().getBytes(ISO_8859_1);
      exchange.sendResponseHeaders(200, target.length);
      exchange.getResponseBody().write(target);
      exchange.close();
    }); RawClient client = RawClient.of(server)) {
      for (String target : new String[] {"/open?x=1", "/admin", "/admin?x=2", "/open", "http://h/absolute"}) {
        client.say(get(target));
        String path = target.replace("http://h", "");
        int mark = path.indexOf('?');
        assertEquals(new Target.Resource(mark < 0 ? path : path.substring(0, mark),
            mark < 0 ? "" : path.substring(mark + 1)).toString(), client.answer().body());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1.1, , true", "1.1, close, false", "1.1, 'X-A, Close', false", "1.1, 'keep-alive, close', false",
    "1.1, keep-alive, true",
    "1.0, , false", "1.0, keep-alive, true", "1.0, 'Keep-Alive, close', false"})
  void keepsTheConnectionAsHttpSays(String version, String option, boolean kept) throws Exception {
    try (TestServer server = new TestServer(); RawClient client = RawClient.of(server)) {
      String line = option == null ? "" : "Connection: " + option + "\r\n";
      client.say("GET /1 HTTP/" + version + "\r\nHost: h\r\n" + line + "\r\n" + get("/2", CLOSE));
      List<RawClient.Answer> answers = client.answers();
      assertEquals(kept ? 2 : 1, answers.size());
      String shown = answers.getFirst().header("Connection");
      assertEquals(kept ? (version.equals("1.0") ? "keep-alive" : "") : "close", shown);
    }
  }

  @Test
  void answersWithoutContentHaveNone() throws Exception {
    try (TestServer server = new TestServer(ConnectionsTest::byTarget); RawClient client = RawClient.of(server)) {
      List<String> seen = new ArrayList<>();
      String[][] rows = {{"HEAD", "/length"}, {"HEAD", "/chunks"}, {"HEAD", "/told"}, {"GET", "/204"}, {"GET", "/304"},
        {"GET", "/none"}, {"GET", "/length"}};
      for (String[] row : rows) {
        client.say(row[0] + " " + row[1] + " HTTP/1.1\r\nHost: h\r\n\r\n");
        RawClient.Answer answer = client.answer(row[0]).orElseThrow();
        seen.add(answer.status() + "|" + answer.header("Content-Length") + "|" + answer.header("Transfer-Encoding")
            + "|" + answer.body());
      }
      assertEquals(List.of("200|5||", "200|||", "200|7||", "204|||", "304|9||", "200|0||", "200|5||hello"), seen);
    }
  }

  private static void byTarget(HttpExchange exchange) throws IOException {
    WireExchange wire = (WireExchange) exchange;
    switch (wire.target()) {
      case "/length" -> wire.respond(200, Fields.NONE, 5);
      case "/chunks" -> wire.respond(200, Fields.NONE, -1);
      case "/told" -> wire.respond(200, Fields.of("Content-Length", "7"), 0);
      case "/204" -> wire.respond(204, Fields.NONE, 5);
      case "/304" -> wire.respond(304, Fields.of("Content-Length", "9"), 0);
      default -> wire.respond(200, Fields.NONE, 0);
    }
    try (OutputStream out = exchange.getResponseBody()) {
      if (!wire.target().equals("/none") && !wire.target().equals("/told") && !exchange.getRequestMethod().equals("GET")
          || wire.target().equals("/204") || wire.target().equals("/length")) {
        out.write("hello".getBytes());
      }
    }
  }

  @Test
  void sendsBodiesOfUnknownLengthInChunksOrUntilClose() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      try (exchange; OutputStream out = exchange.getResponseBody()) {
        exchange.sendResponseHeaders(200, 0);
        out.write("a".repeat(30_000).getBytes());
        out.write("end".getBytes());
      }
    }); RawClient now = RawClient.of(server); RawClient then = RawClient.of(server)) {
      RawClient.Answer chunks = now.say(get("/")).answer();
      assertEquals("chunked", chunks.header("Transfer-Encoding"));
      assertEquals("a".repeat(30_000) + "end", chunks.body());
      RawClient.Answer whole = then.say("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answer();
      assertEquals("close", whole.header("Connection"));
      assertEquals("a".repeat(30_000) + "end", whole.body());
      assertFalse(whole.fields().has("Transfer-Encoding"));
    }
  }

  @Test
  void says100OnlyWhenTheBodyIsWanted() throws Exception {
    String expecting = "HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    try (TestServer server = new TestServer(exchange -> {
      if (exchange.getRequestURI().getPath().equals("/denied")) {
        TestServer.answer(exchange, 401, "");
      } else {
        TestServer.echo(exchange);
      }
    })) {
      try (RawClient client = RawClient.of(server)) {
        client.say("POST /wanted " + expecting);
        assertEquals(100, client.answer().status());
        assertEquals("hello", client.say("hello").answer().body());
        client.say("POST /sent " + expecting + "hello");
        RawClient.Answer first = client.answer();
        assertEquals("hello", first.status() == 100 ? client.answer().body() : first.body());
      }
      try (RawClient client = RawClient.of(server)) {
        // whether the body follows nobody knows, so nothing may follow it
        client.say("POST /denied " + expecting + get("/next"));
        List<RawClient.Answer> answers = client.answers();
        assertEquals(List.of("401  "), texts(answers));
        assertEquals("close", answers.getFirst().header("Connection"));
      }
      assertFalse(server.seen().contains("GET /next"));
    }
  }

  @Test
  void skipsUnreadBodiesOrClosesTheConnection() throws Exception {
    try (TestServer server = new TestServer(exchange -> TestServer.answer(exchange, 401, "no"))) {
      for (int size : new int[] {3, 60_000, 1_000_000}) {
        try (RawClient client = RawClient.of(server)) {
          client.say("POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: " + size + "\r\n\r\n" + "x".repeat(size)
              + get("/2", CLOSE));
          assertEquals(size < 100_000 ? 2 : 1, client.answers().size(), size + " bytes");
        }
      }
    }
  }

  @Test
  void trailersAreTrailersAndNoFields() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      WireExchange wire = (WireExchange) exchange;
      assertEquals(Fields.NONE, wire.trailers());
      byte[] body = exchange.getRequestBody().readAllBytes();
      assertFalse(exchange.getRequestHeaders().containsKey("X-User"));
      wire.respond(200, Fields.of("Trailer", "X-Sum"), -1);
      wire.trail(Fields.of("X-Sum", wire.trailers().joined("X-User").orElse("?")));
      exchange.getResponseBody().write(body);
      exchange.close();
    }); RawClient client = RawClient.of(server)) {
      client.say("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: "
          + "chunked\r\n\r\n1\r\na\r\n0\r\nX-User: root\r\n\r\n");
      String text = client.read(10_000);
      assertTrue(text.endsWith("\r\n\r\n1\r\na\r\n0\r\nX-Sum: root\r\n\r\n"), text);
    }
  }

  @Test
  void interimAnswersComeFirstAndNotToOldClients() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      ((WireExchange) exchange).inform(103, Fields.of("Link", "</a>"));
      TestServer.answer(exchange, 200, "x");
    }); RawClient now = RawClient.of(server); RawClient then = RawClient.of(server)) {
      RawClient.Answer hint = now.say(get("/")).answer();
      assertEquals("103 </a>", hint.status() + " " + hint.header("Link"));
      assertEquals(200, now.answer().status());
      assertEquals(200, then.say("GET / HTTP/1.0\r\n\r\n").answer().status());
    }
  }

  @Test
  void closesSilentlyIfNoRequestWasSent() throws Exception {
    try (TestServer server = new TestServer(); RawClient client = RawClient.of(server)) {
      assertEquals(Optional.empty(), client.end().answer("GET"));
      assertTrue(server.reports().isEmpty());
    }
  }
}

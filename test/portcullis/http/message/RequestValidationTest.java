package portcullis.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What gets past the JDK's own server must not get past us. */
class RequestValidationTest {
  private static StockServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new StockServer(RequestValidationTest::handle);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void handle(HttpExchange exchange) throws IOException {
    Answer answer = switch (Arrival.of(exchange)) {
      case Refused refused -> Answer.of(refused.status()).with("Connection", "close");
      case Incoming in -> Answer.of(200, "text/plain", in.method() + " " + in.target() + " " + in.host() + " "
          + in.scheme() + " " + in.client() + " " + body(in));
    };
    Reply.to(exchange).send(answer);
  }

  private static String body(Incoming in) throws IOException {
    boolean read = !in.target().equals(new Target.Resource("/unread", ""));
    return read ? new String(in.content().stream().readAllBytes(), ISO_8859_1) : "";
  }

  private static String status(String message) throws IOException {
    String heard = server.say(message, 2_000);
    return heard.startsWith("HTTP/1.1 ") ? heard.substring(9, 12) : heard;
  }

  private static String get(String... lines) {
    return "GET /p HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
  }

  @Test
  void honestRequestsComeIn() throws IOException {
    String heard = server.say("POST //a/%2e?b=%2f HTTP/1.1\r\nHost: Shop.example:81\r\nContent-Length: "
        + "2\r\nConnection: close\r\n\r\nhi", 2_000);
    assertTrue(heard.endsWith("POST Resource[path=//a/%2e, query=b=%2f] Shop.example:81 http 127.0.0.1 hi<closed>"),
        heard);
    assertTrue(server.say(get("Host: a", "X-A: J\u00f6rg", "X-Empty:"),
        2_000).contains("GET Resource[path=/p, query=] a "));
    assertEquals("200", status("M-SEARCH /p HTTP/1.0\r\nHost: a\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Host: a\r\nHost: b", "Host: a\r\nHost: a", "Host:", "Host: a, b", "Host: a/x",
    "Host: u@a",
    "Host: a?x", "Host: a b",
    "Host: http://a", "Host: a;proto=https", "Host: a\"", "Host: a:http", "Host: a:0", "Host: a:65536", "Host: a:",
    "Host: [::1", "Host: ::1",
    "Host: [fe80::1%25eth0]", "Host: a%2eb", "Host: \u00e4.b", "Host: .a", "Host: -a"})
  void aHostIsOneValidAuthority(String lines) throws IOException {
    assertEquals("400", status(lines.isEmpty() ? "GET /p HTTP/1.1\r\n\r\n" : get(lines)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "a\u0001b", "a\u007fb", "a\u000bb", "\u001b"})
  void controlCharactersInValuesAreRefused(String value) throws IOException {
    assertEquals("400", status(get("Host: a", "X-A: x" + value + "y")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /a#b HTTP/1.1", "GET http://b/p HTTP/1.1", "G(T /p HTTP/1.1", "GET /a\u00e4 HTTP/1.1",
    "GET /p HTTP/9.9", "GET /p http/1.1",
    "GET /p HTTP/2.0", "GET /p FOO"})
  void s5s8BrokenRequestLinesAreRefused(String line) throws IOException {
    String status = status(line + "\r\nHost: a\r\nConnection: close\r\n\r\n");
    assertTrue(List.of("400", "505").contains(status), status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: +5",
    "Content-Length: 5\r\nContent-Length: 5", "Content-Length: -1",
    "Content-Length: 0x5", "Content-Length: 5, 5", "Transfer-Encoding: zip", "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: identity", "Content-Length:",
    "Transfer-Encoding:"})
  void requestsWithoutAClearEndAreRefusedAndClosed(String lines) throws IOException {
    String heard = server.say("POST /p HTTP/1.1\r\nHost: a\r\n" + lines
        + "\r\n\r\n5\r\nhello\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n", 2_000);
    assertFalse(heard.contains("smuggled"), heard);
    assertTrue(heard.startsWith("HTTP/1.1 400") || heard.startsWith("HTTP/1.1 501"), heard);
    assertTrue(heard.endsWith("<closed>"), heard);
  }

  @Test
  void codingsBeforeHttp11AreRefused() throws IOException {
    assertEquals("400", status("POST /p HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
  }

  /** D1, D2: what the stock server leaves of a chunked body must not become a request. */
  @ParameterizedTest
  @ValueSource(strings = {"0\r\nXGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n",
    "0\r\nXA: /smuggled HTTP/1.1\r\nHost: h\r\n\r\n",
    "\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n", ";ext\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"})
  void whatFollowsABodyInChunksIsNoRequest(String body) throws IOException {
    for (String path : List.of("/p", "/unread")) {
      String heard = server.say("POST " + path + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
          2_000);
      assertFalse(heard.contains("smuggled"), heard);
      assertTrue(heard.endsWith("<closed>"), heard);
      assertTrue(heard.indexOf("HTTP/1.1", 1) < 0, heard);
    }
  }

  /** The stock server hides the control character (D4): the connection's end makes it harmless. */
  @Test
  void whatTheStockServerHidesIsNoRequestEither() throws IOException {
    String heard = server.say("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
        + "\u000bchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n", 2_000);
    assertFalse(heard.contains("smuggled"), heard);
    assertTrue(heard.endsWith("<closed>"), heard);
  }

  @Test
  void bodiesWithALengthKeepTheConnection() throws IOException {
    String heard = server.say("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhiGET /next HTTP/1.1\r\nHost: "
        + "a\r\nConnection: close\r\n\r\n", 2_000);
    assertTrue(heard.contains(" hiHTTP/1.1 200") && heard.contains("path=/next"), heard);
  }
}

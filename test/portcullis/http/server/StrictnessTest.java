package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every row is a message and what it is answered; behind it comes a probe, which only a kept connection answers. */
class StrictnessTest {
  private static final String PROBE = "GET /probe HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
  private static TestServer server;

  private record Row(String name, String raw, int status) {}

  @BeforeAll
  static void start() throws Exception {
    Duration s = Duration.ofSeconds(10);
    ServerLimits.Waits waits = new ServerLimits.Waits(s, s, s, s, Duration.ofSeconds(1), 0, Duration.ZERO, s);
    server = new TestServer(ServerLimits.DEFAULT.withMaxBodyBytes(1000).withWaits(waits), TestServer::echo);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Row get(String name, String line, String fields, int status) {
    return new Row(name, line + "\r\n" + fields.replace("~", "\r\n") + "\r\n\r\n", status);
  }

  private static Row post(String name, String fields, String body, int status) {
    return new Row(name,
        "POST /p HTTP/1.1\r\nHost: h\r\n" + fields.replace("~", "\r\n") + "\r\n\r\n" + body.replace("~", "\r\n"),
        status);
  }

  private static final List<Row> ROWS = List.of(
      get("plain", "GET /p HTTP/1.1", "Host: h", 200),
      get("HTTP/1.0 kept alive, without a host", "GET /p HTTP/1.0", "Connection: keep-alive", 200),
      get("absolute form", "GET http://h/p HTTP/1.1", "Host: h", 200),
      get("absolute form without a path", "GET http://H:80 HTTP/1.1", "Host: h", 200),
      get("asterisk form", "OPTIONS * HTTP/1.1", "Host: h", 200),
      get("IPv6 host", "GET /p HTTP/1.1", "Host: [::1]:80", 200),
      get("expectation without a body", "GET /p HTTP/1.1", "Host: h~Expect: 100-continue", 200),
      get("absolute form of another host", "GET http://other/p HTTP/1.1", "Host: h", 400),
      get("absolute form of another scheme", "GET ftp://h/p HTTP/1.1", "Host: h", 400),
      get("absolute form without slashes", "GET http:p HTTP/1.1", "Host: h", 400),
      get("absolute form with a user", "GET http://u@h/p HTTP/1.1", "Host: h", 400),
      get("asterisk of GET", "GET * HTTP/1.1", "Host: h", 400),
      get("no slash", "GET p HTTP/1.1", "Host: h", 400),
      get("fragment", "GET /p#f HTTP/1.1", "Host: h", 400),
      get("CONNECT", "CONNECT h:80 HTTP/1.1", "Host: h:80", 405),
      get("CONNECT with a path", "CONNECT /p HTTP/1.1", "Host: h", 405),
      get("no host", "GET /p HTTP/1.1", "A: b", 400),
      get("two hosts", "GET /p HTTP/1.1", "Host: h~Host: i", 400),
      get("the same host twice", "GET /p HTTP/1.1", "Host: h~Host: h", 400),
      get("two hosts of HTTP/1.0", "GET /p HTTP/1.0", "Host: h~Host: h~Connection: keep-alive", 400),
      get("empty host", "GET /p HTTP/1.1", "Host:", 400),
      get("list of hosts", "GET /p HTTP/1.1", "Host: a, b", 400),
      get("host with a path", "GET /p HTTP/1.1", "Host: a/b", 400),
      get("host with a parameter", "GET /p HTTP/1.1", "Host: a;proto=https", 400),
      get("port beyond all", "GET /p HTTP/1.1", "Host: a:65536", 400),
      get("folded host", "GET /p HTTP/1.1", "Host: a~ b", 400),
      get("unknown expectation", "POST /p HTTP/1.1", "Host: h~Content-Length: 0~Expect: 200-ok", 417),
      get("another version", "GET /p HTTP/2.0", "Host: h", 505),
      get("one long header", "GET /p HTTP/1.1", "Host: h~A: " + "a".repeat(20_000), 431),
      get("many headers", "GET /p HTTP/1.1", "Host: h" + "~A: b".repeat(200), 431),
      get("a long target", "GET /" + "a".repeat(20_000) + " HTTP/1.1", "Host: h", 414),
      get("8-bit name", "GET /p HTTP/1.1", "Host: h~X\u00e4: b", 400),
      post("length", "Content-Length: 5", "hello", 200),
      post("chunks", "Transfer-Encoding: chunked", "5~hello~0~~", 200),
      post("chunks with trailers", "Transfer-Encoding: chunked", "5~hello~0~X: /smuggled HTTP/1.1~Host: x~~", 200),
      post("as long as allowed", "Content-Length: 1000", "a".repeat(1000), 200),
      post("too long", "Content-Length: 1001", "a".repeat(1001), 413),
      post("too long in chunks", "Transfer-Encoding: chunked", "3e9~" + "a".repeat(1001) + "~0~~", 413),
      post("s44 both", "Content-Length: 4~Transfer-Encoding: chunked", "0~~", 400),
      post("s44 both, the other way", "Transfer-Encoding: chunked~Content-Length: 40", "0~~", 400),
      post("s44 both, no length", "Transfer-Encoding: chunked~Content-Length: 0", "0~~", 400),
      post("s44 two lengths", "Content-Length: 5~Content-Length: 6", "hello", 400),
      post("s44 a length twice", "Content-Length: 5~Content-Length: 5", "hello", 400),
      post("s44 list of lengths", "Content-Length: 5, 5", "hello", 400),
      post("s44 signed length", "Content-Length: +5", "hello", 400),
      post("s44 hexadecimal length", "Content-Length: 0x5", "hello", 400),
      post("s44 length beyond 64 bits", "Content-Length: 99999999999999999999", "hello", 400),
      post("s44 length with blank before the colon", "Content-Length : 5", "hello", 400),
      post("s44 unknown coding", "Transfer-Encoding: gzip", "hello", 501),
      post("s44 chunked not last", "Transfer-Encoding: chunked, identity", "0~~", 400),
      post("s44 chunked twice", "Transfer-Encoding: chunked~Transfer-Encoding: chunked", "0~~", 400),
      post("s44 coding behind a control character", "Transfer-Encoding: \u000bchunked", "0~~", 400),
      post("s44 coding hidden behind a carriage return", "X: a\rTransfer-Encoding: chunked", "0~~", 400),
      post("s44 coding hidden behind a line feed", "X: a\nTransfer-Encoding: chunked", "0~~", 400),
      post("s44 folded coding", "Transfer-Encoding:~ chunked", "0~~", 400),
      get("s44 coding of HTTP/1.0", "POST /p HTTP/1.0", "Host: h~Connection: keep-alive~Transfer-Encoding: chunked",
          400),
      post("s44 empty chunk size", "Transfer-Encoding: chunked", "~hello~0~~", 400),
      post("s44 extension alone", "Transfer-Encoding: chunked", ";a~hello~0~~", 400),
      post("s44 chunk size beyond 32 bits", "Transfer-Encoding: chunked", "100000003~abc~0~~", 408),
      post("s44 chunk size beyond 64 bits", "Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF~abc~0~~", 400),
      post("s44 chunk longer than its size", "Transfer-Encoding: chunked", "3~hello~0~~", 400),
      post("s44 no line end behind a chunk", "Transfer-Encoding: chunked", "5~hello0~~", 400),
      post("s44 line feed ends the size", "Transfer-Encoding: chunked", "5\nhello~0~~", 400),
      post("s44 line feed in an extension", "Transfer-Encoding: chunked", "5;a\n~hello~0~~", 400),
      post("s44 broken trailer", "Transfer-Encoding: chunked", "0~X : a~~", 400));

  @TestFactory
  List<DynamicTest> answersEachMessageAsItDeservesAndClosesAfterABadOne() {
    return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.name, () -> check(row))).toList();
  }

  private static void check(Row row) throws Exception {
    server.seen().clear();
    server.reports().clear();
    try (RawClient client = RawClient.of(server)) {
      List<Integer> statuses = client.say(row.raw + PROBE).answers().stream().map(RawClient.Answer::status).toList();
      assertEquals(row.status == 200 ? List.of(200, 200) : List.of(row.status), statuses);
    }
    assertEquals(row.status == 200, server.seen().contains("GET /probe"));
    assertTrue(server.seen().stream().noneMatch(s -> s.contains("smuggled")));
    assertEquals(row.status == 200, server.reports().isEmpty());
  }
}

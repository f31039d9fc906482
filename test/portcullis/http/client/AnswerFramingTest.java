package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;

/** What is taken for an answer, and where its body ends. In the tables {@code ~} is CRLF and {@code ^} is NUL. */
final class AnswerFramingTest {
  private static String answer(String method, String text) throws IOException, InterruptedException {
    String raw = text.replace("~", "\r\n").replace('^', '\0');
    try (RawUpstream upstream = RawUpstream.of(RawUpstream.once(raw)); WireClient client = Ask.client()) {
      String outcome = Ask.get(upstream, "/").method(method).outcome(client);
      assertEquals(1, upstream.connections());
      return outcome;
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, quoteCharacter = '`', value = {
    "GET  | HTTP/1.1 200 OK~Content-Length: 5~~hello | 200 hello",
    "GET  | HTTP/1.1 200 OK~Content-Length: 5~~hello, and more | 200 hello",
    "GET  | HTTP/1.1 200 OK~Content-Length: 0~~ | `200 `",
    "GET  | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5;x=y~hello~7;q=\"a;b\"~, world~0~~ | 200 hello, world",
    "GET  | HTTP/1.1 200 OK~Transfer-Encoding: CHUNKED~~A~0123456789~00~~ | 200 0123456789",
    "GET  | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~0~~ | `200 `",
    "GET  | HTTP/1.1 200 OK~~until the end | 200 until the end",
    "GET  | HTTP/1.0 200 OK~~old | 200 old",
    "GET  | HTTP/1.0 200 OK~Content-Length: 2~~old | 200 ol",
    "GET  | HTTP/1.9 200 OK~Content-Length: 2~~ab | 200 ab",
    "GET  | HTTP/1.1 200~Content-Length: 2~~ab | 200 ab",
    "GET  | HTTP/1.1 204 No Content~X: y~~ | `204 `",
    "GET  | HTTP/1.1 204 No Content~Content-Length: 5~~hello | `204 `",
    "GET  | HTTP/1.1 304 Not Modified~Content-Length: 500~~ | `304 `",
    "HEAD | HTTP/1.1 200 OK~Content-Length: 500~~ | `200 `",
    "HEAD | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~ | `200 `",
    "GET  | HTTP/1.1 599 Odd~Content-Length: 1~~a | 599 a",
    "GET  | HTTP/1.1 999 Odd~Content-Length: 1~~a | 999 a",
    "GET  | HTTP/1.1 100 Continue~~HTTP/1.1 103 Early~Link: </a>~~HTTP/1.1 200 OK~Content-Length: 1~~a | 200 a",
    "GET  | HTTP/1.1 100 Continue~Content-Length: 0~~HTTP/1.1 200 OK~Content-Length: 1~~a | 200 a",
  })
  void takesResponsesWithClearEnd(String method, String raw, String outcome) throws IOException, InterruptedException {
    assertEquals(outcome, answer(method, raw));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "hello there~~",
    "~~",
    "~HTTP/1.1 200 OK~Content-Length: 0~~",
    "HTTP/1.1~~",
    "HTTP/1.1 abc OK~~",
    "HTTP/1.1 20 OK~Content-Length: 0~~",
    "HTTP/1.1 2000 OK~Content-Length: 0~~",
    "HTTP/1.1 099 OK~Content-Length: 0~~",
    "HTTP/1.1 200OK~Content-Length: 0~~",
    "HTTP/1.1  200 OK~Content-Length: 0~~",
    "HTTP/3.7 200 OK~Content-Length: 0~~",
    "HTTP/2.0 200 OK~Content-Length: 0~~",
    "http/1.1 200 OK~Content-Length: 0~~",
    "ICY 200 OK~Content-Length: 0~~",
    "HTTP/1.1 200 OK~broken header~Content-Length: 0~~",
    "HTTP/1.1 200 OK~X Y: 1~Content-Length: 0~~",
    "HTTP/1.1 200 OK~X : 1~Content-Length: 0~~",
    "HTTP/1.1 200 OK~: 1~Content-Length: 0~~",
    "HTTP/1.1 200 OK~ X: 1~Content-Length: 0~~",
    "HTTP/1.1 200 OK~X: 1~ folded~Content-Length: 0~~",
    "HTTP/1.1 200 OK~X: a^b~Content-Length: 0~~",
    "HTTP/1.1 200 OK~Content-Length: 2~Content-Length: 4~~abcd",
    "HTTP/1.1 200 OK~Content-Length: 4~Content-Length: 4~~abcd",
    "HTTP/1.1 200 OK~Content-Length: 4, 4~~abcd",
    "HTTP/1.1 200 OK~Content-Length: -1~~abcd",
    "HTTP/1.1 200 OK~Content-Length: +4~~abcd",
    "HTTP/1.1 200 OK~Content-Length: 0x4~~abcd",
    "HTTP/1.1 200 OK~Content-Length: four~~abcd",
    "HTTP/1.1 200 OK~Content-Length:~~abcd",
    "HTTP/1.1 200 OK~Content-Length: 99999999999999999999~~abcd",
    "HTTP/1.1 200 OK~Content-Length: 3~Transfer-Encoding: chunked~~3~abc~0~~",
    "HTTP/1.0 200 OK~Transfer-Encoding: chunked~~3~abc~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: zip~~abcd",
    "HTTP/1.1 200 OK~Transfer-Encoding: gzip, chunked~~3~abc~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked, chunked~~3~abc~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~Transfer-Encoding: chunked~~3~abc~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: xchunked~~3~abc~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding:~~abc",
    "HTTP/1.1 200 OK~Content-Type: te",
    "HTTP/1.1 101 Switching Protocols~Upgrade: websocket~Connection: Upgrade~~GET",
    "HTTP/1.1 103 Early~X^: 1~~HTTP/1.1 200 OK~Content-Length: 1~~a",
    "HTTP/1.1 100 Continue~~HTTP/1.1 2",
    "HTTP/1.1 100 Continue~~",
  })
  void refusesResponsesWithoutClearEnd(String raw) throws IOException, InterruptedException {
    assertEquals("InvalidResponseException", answer("GET", raw));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "HTTP/1.1 200 OK~Content-Length: 10~~hello",
    "HTTP/1.1 200 OK~Content-Length: 10~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hel",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~0",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~0~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~zz~more~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello!~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~6~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~;x~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~-5~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~0x5~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~10000000000000005~hello~0~~",
    "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~0~X y: 1~~",
  })
  void neverTakesBrokenBodyForWhole(String raw) throws IOException, InterruptedException {
    assertEquals("ResponseBodyException", answer("GET", raw));
  }
}

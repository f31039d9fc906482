package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Fields;

/** Requests as they arrive, byte for byte. */
final class RequestBytesTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  /** All that the upstream gets up to that length, with the host in place of its name and port. */
  private static String sent(int bodyLength, UnaryOperator<Ask> how) throws IOException, InterruptedException {
    List<String> got = new ArrayList<>();
    RawUpstream.Script script = peer -> {
      got.add(peer.head() + peer.read(bodyLength));
      peer.say(OK);
    };
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      how.apply(Ask.get(upstream, "/")).answer(client);
      return got.getFirst().replace(upstream.host(), "HOST").replace("\r\n", "~");
    }
  }

  @Test
  void sendsFieldsInOrderAndSpelling() throws IOException, InterruptedException {
    assertEquals("GET / HTTP/1.1~Host: HOST~x-LOW: 1~X-Two: a~x-two: b~Empty: ~Quoted: \"a\\\"\"; b\tc~~",
        sent(0, ask -> ask.field("x-LOW", "1").field("X-Two", "a").field("x-two", "b").field("Empty", "")
            .field("Quoted", "\"a\\\"\"; b\tc")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a?", "/a%2Fb/../c//d;p=1?x=%41&y=|{}^[]\\\"`<>", "//evil/x", "/?a?b", "*"})
  void sendsTargetByteForByte(String target) throws IOException, InterruptedException {
    assertEquals("GET " + target + " HTTP/1.1~Host: HOST~~",
        sent(0, ask -> new Ask("GET", ask.origin(), target, ask.fields(), ask.body(), 0, ask.trailers(), ask.interim(),
            ask.head(), ask.idle())));
  }

  @Test
  void sendsLatin1AsOctets() throws IOException, InterruptedException {
    assertEquals("GET / HTTP/1.1~Host: HOST~X: caf\u00e9 \u00c3\u00a9~~",
        sent(0, ask -> ask.field("X", "caf\u00e9 \u00c3\u00a9")));
  }

  @Test
  void setsFramingAndConnectionItself() throws IOException, InterruptedException {
    assertEquals("POST / HTTP/1.1~Host: HOST~Content-Length: 5~~hello",
        sent(5, ask -> ask.field("Content-Length", "77").field("Transfer-Encoding", "chunked").field("Connection", "X")
            .field("Keep-Alive", "9").field("Proxy-Connection", "close").body("hello".getBytes(ISO_8859_1))));
    assertEquals("POST / HTTP/1.1~Host: HOST~Transfer-Encoding: chunked~~5~hello~0~~",
        sent(15, ask -> ask.body(new ByteArrayInputStream("hello".getBytes(ISO_8859_1)), -1)));
    assertEquals("POST / HTTP/1.1~Host: HOST~Content-Length: 0~~", sent(0, ask -> ask.method("POST")));
    assertEquals("DELETE / HTTP/1.1~Host: HOST~~", sent(0, ask -> ask.method("DELETE")));
    assertEquals("GET / HTTP/1.1~Host: HOST~TE: trailers~Connection: TE~~",
        sent(0, ask -> ask.field("TE", "trailers")));
    assertEquals("GET / HTTP/1.1~Host: HOST~Upgrade: chat~Connection: Upgrade~~",
        sent(0, ask -> ask.field("Upgrade", "chat")));
  }

  @Test
  void addsHostOnlyWhereMissing() throws IOException, InterruptedException {
    assertEquals("GET / HTTP/1.1~Host: other~~",
        sent(0, ask -> new Ask("GET", ask.origin(), "/", Fields.of("Host", "other"), ask.body(), 0, ask.trailers(),
            ask.interim(), ask.head(), ask.idle())));
    assertEquals("GET / HTTP/1.1~Host: HOST~~",
        sent(0, ask -> new Ask("GET", ask.origin(), "/", Fields.NONE, ask.body(), 0, ask.trailers(), ask.interim(),
            ask.head(), ask.idle())));
  }

  @Test
  void sendsTrailersWithoutFramingFields() throws IOException, InterruptedException {
    assertEquals("POST / HTTP/1.1~Host: HOST~Transfer-Encoding: chunked~~2~ab~0~X-Sum: 1~~",
        sent(22, ask -> ask.body(new ByteArrayInputStream("ab".getBytes(ISO_8859_1)), -1)
            .trailers(() -> Fields.of("X-Sum", "1", "Content-Length", "5", "Host", "evil", "Transfer-Encoding", "x"))));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "GET  | /     | X   | `a\r\nEvil: 1`",
    "GET  | /     | X   | `a\nEvil: 1`",
    "GET  | /     | X   | `a\rEvil`",
    "GET  | /     | X   | `a\u0000b`",
    "GET  | /     | X   | `a\u007fb`",
    "GET  | /     | X   | `\u20ac`",
    "GET  | /     | X Y | a",
    "GET  | /     | X:  | a",
    "GET  | /     | ``  | a",
    "GET  | `/ x` | X   | a",
    "GET  | `/\r\n` | X | a",
    "GET  | /#f   | X   | a",
    "GET  | /\u00e9 | X | a",
    "GET  | ``    | X   | a",
    "G T  | /     | X   | a",
    "``   | /     | X   | a",
    "CONNECT | a:1 | X  | a",
  })
  void refusesAmbiguousRequests(String method, String target, String name, String value) {
    try (RawUpstream upstream = RawUpstream.answering(OK); WireClient client = Ask.client()) {
      Ask ask = Ask.get(upstream, target).method(method).field(name, value);
      assertThrows(IllegalArgumentException.class, () -> ask.send(client));
      assertEquals(List.of(), upstream.heads());
      assertEquals(0, client.connections());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://my_host:8080, false my_host 8080, my_host:8080",
    "http://my_host, false my_host 80, my_host",
    "http://user@Example.COM, false example.com 80, example.com",
    "https://a.example:443, true a.example 443, a.example",
    "https://a.example:80, true a.example 80, a.example:80",
    "'http://[::1]:81', false ::1 81, '[::1]:81'",
    "'https://[::1]', true ::1 443, '[::1]'",
  })
  void resolvesOriginOfUri(String uri, String origin, String host) {
    Origin found = Origin.of(URI.create(uri));
    assertEquals(origin, found.secure() + " " + found.host() + " " + found.port());
    assertEquals(host, found.hostField());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a", "mailto:a", "http:/a", "http://a_b:99999", "http://a_b:x", "http://a_b%41"})
  void refusesOtherSchemes(String uri) {
    assertThrows(IllegalArgumentException.class, () -> Origin.of(URI.create(uri)));
  }
}

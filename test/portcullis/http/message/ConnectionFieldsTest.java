package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionFieldsTest {
  private static final Fields NONE = Fields.NONE;

  @ParameterizedTest
  @ValueSource(strings = {"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Proxy-Authenticate",
    "TE", "Trailer",
    "Transfer-Encoding", "Upgrade", "HTTP2-Settings", "Content-Length", "connection", "KEEP-ALIVE", "te"})
  void fieldsOfTheConnectionEndHere(String name) {
    assertEquals(Fields.of("X-A", "1"), ConnectionFields.endToEndOfRequest(Fields.of(name, "x", "X-A", "1")));
    assertEquals(Fields.of("X-A", "1"), ConnectionFields.endToEndOfResponse(Fields.of("X-A", "1", name, "x")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content_Length", "content.length", "Transfer_Encoding", "TRANSFER~ENCODING", "Proxy",
    "PROXY",
    "Proxy_Authorization", "Proxy_Connection", "Keep_Alive", "HTTP2_Settings", "Content_Type", "Content_Encoding"})
  void lookAlikesOfFramingFieldsAreRemoved(String name) {
    assertEquals(Fields.of("X-A", "1"), ConnectionFields.endToEndOfRequest(Fields.of(name, "x", "X-A", "1")));
    assertEquals(Fields.of(name, "x"), ConnectionFields.endToEndOfResponse(Fields.of(name, "x")));
    Fields own = Fields.of("Content-Type", "a/b", "CONTENT-ENCODING", "gzip", "Proxy-Status", "x", "Content-Language",
        "en");
    assertEquals(own, ConnectionFields.endToEndOfRequest(own));
  }

  @ParameterizedTest
  @CsvSource({"Connection, true, true", "keep-alive, true, true", "Proxy-Connection, true, true",
    "TRANSFER-ENCODING, true, true", "Upgrade, true, false", "Content-Length, false, true", "Trailer, false, false",
    "TE, false, false", "Host, false, false", "Connections, false, false"})
  void fieldsOfTheConnectionAreKnown(String name, boolean specific, boolean written) {
    assertEquals(specific, ConnectionFields.isConnectionSpecific(name));
    assertEquals(written, ConnectionFields.isWrittenByConnection(name));
  }

  @Test
  void allOthersStayAsTheyAre() {
    Fields fields = Fields.of("Host", "a", "Via", "1.1 x", "x-n", "2", "X-N", "1", "Accept", "*/*", "Cookie", "a=b",
        "Warning", "199 - x",
        "Authorization", "Basic eDp5", "Content-Type", "text/plain", "Tea", "x", "Upgrade-Insecure-Requests", "1",
        "Trailers", "x");
    assertEquals(fields, ConnectionFields.endToEndOfRequest(fields));
    assertEquals(fields, ConnectionFields.endToEndOfResponse(fields));
  }

  @Test
  void whatConnectionNamesEndsHereTooButHost() {
    Fields fields = Fields.of("Connection", "X-One, x-two,, close", "connection", "Host", "X-One", "1", "x-TWO", "2",
        "X-Three", "3", "Host", "a");
    assertEquals(Fields.of("X-Three", "3", "Host", "a"), ConnectionFields.endToEndOfRequest(fields));
    assertEquals(NONE, ConnectionFields.endToEndOfRequest(Fields.of("Connection", "Cookie", "Cookie", "a=b")));
    assertEquals(Fields.of("X-Kept", "1"), ConnectionFields.endToEndOfRequest(Fields.of("Connection", ", ,close,,",
        "X-Kept", "1")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"trailers | true", "Trailers | true", "gzip, trailers | true", "gzip | false",
    "trailers;q=0.5 | false", "'' | false"})
  void ofTeOnlyTrailersGoOn(String te, boolean kept) {
    assertEquals(kept ? Fields.of("TE", "trailers") : NONE, ConnectionFields.endToEndOfRequest(Fields.of("TE", te)));
    assertEquals(NONE, ConnectionFields.endToEndOfResponse(Fields.of("TE", te)));
  }

  @ParameterizedTest
  @CsvSource({"websocket, Upgrade, true", "WebSocket, 'keep-alive, upgrade', true", "websocket, keep-alive, false",
    "h2c, Upgrade, false",
    "HTTP/2.0, Upgrade, false", "TLS/1.2, Upgrade, false", "'websocket, h2c', Upgrade, false", "'', Upgrade, false",
    "foo/1, upgrade, true"})
  void findsUpgradesInConnection(String protocol, String connection, boolean receivedCalls) {
    assertEquals(receivedCalls ? Optional.of(protocol) : Optional.empty(),
        ConnectionFields.upgrade(Fields.of("Upgrade", protocol, "Connection", connection)));
  }

  @Test
  void requestsWithABodyDoNotUpgrade() {
    Fields asking = Fields.of("Upgrade", "websocket", "Connection", "Upgrade");
    assertEquals(Optional.of("websocket"), ConnectionFields.upgrade(asking.with("Content-Length", "0")));
    assertEquals(Optional.empty(), ConnectionFields.upgrade(asking.with("Content-Length", "1")));
    assertEquals(Optional.empty(), ConnectionFields.upgrade(asking.with("Transfer-Encoding", "chunked")));
  }

  @Test
  void lengthsAreDigits() {
    assertEquals(OptionalLong.of(42), ConnectionFields.contentLength(Fields.of("content-length", "42")));
    assertEquals(OptionalLong.empty(), ConnectionFields.contentLength(Fields.of("Content-Length", "1", "Content-Length",
        "1")));
    for (String wrong : List.of("", "+5", "-1", "0x5", "5.0", "1 0", "5, 6", "five", "9999999999999999999")) {
      assertEquals(OptionalLong.empty(), ConnectionFields.contentLength(Fields.of("Content-Length", wrong)), wrong);
    }
  }
}

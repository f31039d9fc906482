package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Fields;

class RequestHeadTest {
  private static final String REST = "Host: h\r\n\r\n";

  private record Row(String name, String raw, int status) {}

  private static final List<Row> ROWS = List.of(
      new Row("plain", "GET /p HTTP/1.1\r\n" + REST, 0),
      new Row("a later minor version", "GET /p HTTP/1.7\r\n" + REST, 0),
      new Row("any token as method", "!#$%&'*+-.^_`|~aZ09 / HTTP/1.0\r\n" + REST, 0),
      new Row("marks in the query", "GET /?a=[b]{c}|d^e`f\"<> HTTP/1.1\r\n" + REST, 0),
      new Row("one empty line before", "\r\nGET / HTTP/1.1\r\n" + REST, 0),
      new Row("8-bit value", "GET / HTTP/1.1\r\nX: \u00e4\u00ff\r\n\r\n", 0),
      new Row("tab in a value", "GET / HTTP/1.1\r\nX: a\tb\r\n\r\n", 0),
      new Row("two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\n" + REST, 400),
      new Row("a line feed before", "\nGET / HTTP/1.1\r\n" + REST, 400),
      new Row("HTTP/0.9", "GET /p\r\n\r\n", 400),
      new Row("no target", "GET HTTP/1.1\r\n" + REST, 400),
      new Row("empty target", "GET  HTTP/1.1\r\n" + REST, 400),
      new Row("two blanks", "GET  /p HTTP/1.1\r\n" + REST, 400),
      new Row("blank in the target", "GET /a b HTTP/1.1\r\n" + REST, 400),
      new Row("tabs", "GET\t/p\tHTTP/1.1\r\n" + REST, 400),
      new Row("trailing blank", "GET /p HTTP/1.1 \r\n" + REST, 400),
      new Row("leading blank", " GET /p HTTP/1.1\r\n" + REST, 400),
      new Row("brackets in the method", "G[T /p HTTP/1.1\r\n" + REST, 400),
      new Row("fragment", "GET /p#f HTTP/1.1\r\n" + REST, 400),
      new Row("8-bit target", "GET /\u00e4 HTTP/1.1\r\n" + REST, 400),
      new Row("NUL in the target", "GET /\0 HTTP/1.1\r\n" + REST, 400),
      new Row("DEL in the target", "GET /\u007f HTTP/1.1\r\n" + REST, 400),
      new Row("HTTP/2", "GET /p HTTP/2.0\r\n" + REST, 505),
      new Row("HTTP/9", "GET /p HTTP/9.9\r\n" + REST, 505),
      new Row("no minor version", "GET /p HTTP/1\r\n" + REST, 400),
      new Row("no minor digit", "GET /p HTTP/1.\r\n" + REST, 400),
      new Row("two minor digits", "GET /p HTTP/1.10\r\n" + REST, 400),
      new Row("zeros in the version", "GET /p HTTP/01.1\r\n" + REST, 400),
      new Row("lower case http", "GET /p http/1.1\r\n" + REST, 400),
      new Row("HTTPS", "GET /p HTTPS/1.1\r\n" + REST, 400),
      new Row("no version at the end", "GET /p \r\n\r\n", 400),
      new Row("bare CR after the request line", "GET /p HTTP/1.1\rHost: h\r\n\r\n", 400),
      new Row("bare LF after the request line", "GET /p HTTP/1.1\nHost: h\r\n\r\n", 400),
      new Row("nothing but line feeds", "GET /p HTTP/1.1\nHost: h\n\n", 400),
      new Row("bare LF after a field", "GET /p HTTP/1.1\r\nA: b\nHost: h\r\n\r\n", 400),
      new Row("bare CR in a value", "GET /p HTTP/1.1\r\nA: b\rC: d\r\n\r\n", 400),
      new Row("CR CR LF", "GET /p HTTP/1.1\r\nA: b\r\r\n\r\n", 400),
      new Row("NUL in a value", "GET /p HTTP/1.1\r\nA: b\0c\r\n\r\n", 400),
      new Row("control character in a value", "GET /p HTTP/1.1\r\nA: \u0001\r\n\r\n", 400),
      new Row("vertical tab before a value", "GET /p HTTP/1.1\r\nTransfer-Encoding: \u000bchunked\r\n\r\n", 400),
      new Row("DEL in a value", "GET /p HTTP/1.1\r\nA: \u007f\r\n\r\n", 400),
      new Row("blank before the colon", "GET /p HTTP/1.1\r\nA : b\r\n\r\n", 400),
      new Row("folded value", "GET /p HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
      new Row("folded first line", "GET /p HTTP/1.1\r\n A: b\r\n\r\n", 400),
      new Row("no colon", "GET /p HTTP/1.1\r\nA\r\n\r\n", 400),
      new Row("empty name", "GET /p HTTP/1.1\r\n: b\r\n\r\n", 400),
      new Row("parenthesis in a name", "GET /p HTTP/1.1\r\nA(B): c\r\n\r\n", 400),
      new Row("8-bit name", "GET /p HTTP/1.1\r\nA\u00e4: c\r\n\r\n", 400),
      new Row("NUL in a name", "GET /p HTTP/1.1\r\nA\0: c\r\n\r\n", 400),
      new Row("TLS", "\u0016\u0003\u0001\0\u0005\u0001\0\0\u0001\u0003\r\n\r\n", 400),
      new Row("end inside", "GET /p HTTP/1.1\r\nA: b\r\n", 400),
      new Row("end after one byte", "G", 400));

  @TestFactory
  List<DynamicTest> takesWhatFitsTheGrammarAndNothingElse() {
    return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.name, () -> {
      assertEquals(row.status, status(Wire.input(row.raw)), "at once");
      assertEquals(row.status, status(Wire.trickled(row.raw, 1)), "byte by byte");
    })).toList();
  }

  private static int status(WireInput in) throws IOException {
    try {
      RequestHead.read(in, Wire.LIMITS).orElseThrow();
      return 0;
    } catch (MalformedMessageException e) {
      return e.status();
    }
  }

  @Test
  void keepsEveryByteOfTargetNamesAndValues() throws IOException {
    String raw = "pUt //a/../%2f;x?y=%zz& HTTP/1.0\r\nhOST:\t h \t\r\nX-Empty:\r\nx: a  b \u00e4\r\ncookie: "
        + "c\r\n\r\nrest";
    for (int piece = 1; piece < raw.length(); piece++) {
      WireInput in = Wire.trickled(raw, piece);
      RequestHead head = RequestHead.read(in, Wire.LIMITS).orElseThrow();
      assertEquals(new RequestHead("pUt", "//a/../%2f;x?y=%zz&", 0,
          Fields.of("hOST", "h", "X-Empty", "", "x", "a  b \u00e4", "cookie", "c")), head);
      assertEquals("rest", Wire.text(in.rest().readAllBytes()));
    }
  }

  @Test
  void isAbsentWhereTheConnectionEndsBeforeIt() throws IOException {
    assertTrue(RequestHead.read(Wire.input(""), Wire.LIMITS).isEmpty());
    assertTrue(RequestHead.read(Wire.input("\r\n"), Wire.LIMITS).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 200, 4095, 4096, 4097, 20000, 100_000})
  void hasNoMoreBytesThanAllowed(int limit) throws IOException {
    HeadLimits limits = new HeadLimits(limit, 50);
    String bare = "GET / HTTP/1.1\r\n\r\n";
    String fits = limit < 30 ? "" : "GET / HTTP/1.1\r\nA: " + "a".repeat(limit - bare.length() - 5) + "\r\n\r\n";
    if (!fits.isEmpty()) {
      assertEquals(limit, fits.length());
      assertTrue(RequestHead.read(Wire.input(fits), limits).isPresent());
      assertEquals(431, refusal(fits.replace("A: ", "A: a"), limits));
    }
    assertEquals(414, refusal("GET /" + "a".repeat(limit) + " HTTP/1.1\r\n\r\n", limits));
    assertEquals(414, refusal("GET /" + "a".repeat(1_000_000), limits));
  }

  @Test
  void hasNoMoreFieldsThanAllowed() throws IOException {
    HeadLimits limits = new HeadLimits(4096, 3);
    assertTrue(RequestHead.read(Wire.input("GET / HTTP/1.1\r\nA: 1\r\nA: 1\r\nA: 1\r\n\r\n"), limits).isPresent());
    assertEquals(431, refusal("GET / HTTP/1.1\r\nA: 1\r\nA: 1\r\nA: 1\r\nA: 1\r\n\r\n", limits));
  }

  private static int refusal(String raw, HeadLimits limits) {
    return assertThrows(MalformedMessageException.class, () -> RequestHead.read(Wire.input(raw), limits)).status();
  }
}

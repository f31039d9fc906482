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

class ResponseHeadTest {
  private record Row(String line, ResponseHead head) {}

  private static ResponseHead head(int status, String reason, int minor) {
    return new ResponseHead(status, reason, minor, Fields.of("A", "b"));
  }

  private static final List<Row> ROWS = List.of(
      new Row("HTTP/1.1 200 OK", head(200, "OK", 1)),
      new Row("HTTP/1.0 404 Not \u00e4 Found", head(404, "Not \u00e4 Found", 0)),
      new Row("HTTP/1.1 200 ", head(200, "", 1)),
      new Row("HTTP/1.1 200", head(200, "", 1)),
      new Row("HTTP/1.1 999 x", head(999, "x", 1)),
      new Row("HTTP/1.1 100 Continue", head(100, "Continue", 1)));

  @TestFactory
  List<DynamicTest> takesWhatFitsTheGrammar() {
    return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.line, () -> {
      String raw = row.line + "\r\nA: b\r\n\r\n";
      assertEquals(row.head, ResponseHead.read(Wire.input(raw), Wire.LIMITS).orElseThrow());
      assertEquals(row.head, ResponseHead.read(Wire.trickled(raw, 1), Wire.LIMITS).orElseThrow());
    })).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "H", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2", "HTTP/1.1 20", "HTTP/1.1 2000",
    "HTTP/1.1 099",
    "HTTP/1.1  200", "HTTP/1.1\t200", "HTTP/1.1 200OK", "HTTP/1.1 2x0", "HTTP/1.1 200 a\0", "HTTP/1.1 200 a\rb",
    "HTTP/2 200", "HTTP/3.7 200",
    "ICY 200 OK", "http/1.1 200 OK", " HTTP/1.1 200 OK", "HTTP/1.1 +20 OK", "HTTP/1. 200 OK"})
  void refusesEverythingElse(String line) {
    assertThrows(MalformedMessageException.class,
        () -> ResponseHead.read(Wire.input(line + "\r\nA: b\r\n\r\n"), Wire.LIMITS));
  }

  @Test
  void isAbsentWhereTheConnectionEndsBeforeIt() throws IOException {
    assertTrue(ResponseHead.read(Wire.input(""), Wire.LIMITS).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: "
      + "b\r\n c\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\r\n"})
  void refusesFieldsThatFitNoGrammar(String raw) {
    assertThrows(MalformedMessageException.class, () -> ResponseHead.read(Wire.input(raw), Wire.LIMITS));
  }
}

package portcullis.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireOutputTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final WireOutput out = new WireOutput(sent);

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nb", "a\rb", "a\nb", "a\0b", "\u0001", "\u007f", "\u0100", "\u560d", "a\r\n b"})
  void s27SendsNoControlCharacterInAValue(String value) {
    assertThrows(IllegalArgumentException.class, () -> out.field("A", value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A B", "A:", "A\r\nB", "A\0", "\u00e4", "A\t", "\u0141"})
  void s27SendsNoNameThatIsNoToken(String name) {
    assertThrows(IllegalArgumentException.class, () -> out.field(name, "b"));
  }

  @ParameterizedTest
  @CsvSource({"GET /, /", "'', /", "GET, /a b", "GET, '/a\r\nb'", "GET, ''", "GET, /\u00e4", "GET, /#"})
  void refusesRequestLinesThatWouldBeReadAsOthers(String method, String target) {
    assertThrows(IllegalArgumentException.class, () -> out.requestLine(method, target));
  }

  @Test
  void sendsOtherValuesAsTheyAre() throws IOException {
    out.requestLine("GET", "/a%2f?b");
    out.field("x-A", "\u00e4\t \u00ff");
    out.flush();
    assertEquals("GET /a%2f?b HTTP/1.1\r\nx-A: \u00e4\t \u00ff\r\n", Wire.text(sent.toByteArray()));
  }

  @Test
  void takesBackAHeadThatTurnsOutToBeNone() throws IOException {
    out.write("kept");
    int mark = out.mark();
    out.field("A", "x".repeat(100_000));
    out.reset(mark);
    out.flush();
    assertEquals("kept", Wire.text(sent.toByteArray()));
  }
}

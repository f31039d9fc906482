package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
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
  void sendsNoControlCharacterInAValue(String value) {
    assertThrows(IllegalArgumentException.class, () -> out.field("A", value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A B", "A:", "A\r\nB", "A\0", "\u00e4", "A\t", "\u0141"})
  void sendsNoNameThatIsNoToken(String name) {
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

  @ParameterizedTest
  @ValueSource(ints = {1, 5_000, 100_000})
  void keepsNoRoomOnceReleased(int length) throws IOException {
    out.write("x".repeat(length));
    out.release();
    assertEquals(length, out.size(), "what waits is kept");
    out.flush();
    out.release();
    assertEquals(0, out.buffer().length);
    out.write("y".repeat(length));
    out.flush();
    assertEquals("x".repeat(length) + "y".repeat(length), Wire.text(sent.toByteArray()));
  }

  @Test
  void roomForLargeBodiesGoesFromOneConnectionToTheNext() throws IOException {
    ByteArrayPool spares = new ByteArrayPool();
    byte[] first = spares.take();
    spares.give(first);
    WireOutput one = new WireOutput(sent, spares);
    one.write("head ");
    one.write(new byte[5_000], 0, 5_000);
    assertSame(first, one.buffer());
    assertNotSame(first, spares.take());
    one.shrink();
    assertSame(first, one.buffer(), "given away with something in it");
    one.flush();
    one.shrink();
    one.shrink();
    one.write("tail");
    one.flush();
    assertSame(first, spares.take());
    assertNotSame(first, spares.take(), "given away twice");
    assertEquals("head " + "\0".repeat(5_000) + "tail", Wire.text(sent.toByteArray()));
    assertThrows(IllegalArgumentException.class, () -> spares.give(new byte[10]));
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 4_000, 5_000, 32_767, 32_768, 32_769, 70_000, 200_000})
  void nothingIsLostHoweverItGrows(int length) throws IOException {
    String text = "0123456789".repeat(length / 10 + 1).substring(0, length);
    for (int i = 0; i < length; i += 777) {
      out.write(text.substring(i, Math.min(i + 777, length)));
    }
    out.flush();
    out.shrink();
    out.write(text);
    out.flush();
    assertEquals(text + text, Wire.text(sent.toByteArray()));
  }
}

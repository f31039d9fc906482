package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of lines. */
class LineBufferTest {
  private static String text(LineBuffer buffer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    buffer.writeTo(new LogOutput(out));
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 9, 10, 99, 100, 101, 65_535, 999_999_999, 1_000_000_000, 1_999_999_999, Integer.MAX_VALUE,
    Integer.MAX_VALUE + 1L, 10_000_000_000L, Long.MAX_VALUE, -1, Integer.MIN_VALUE, Long.MIN_VALUE})
  void numbersAreDecimal(long number) throws IOException {
    assertEquals(Long.toString(number), text(new LineBuffer(0).number(number)));
  }

  @Test
  void partsOfNumbersHaveAllTheirDigits() throws IOException {
    assertEquals("0.000,0.012,12.345,1000000.007", text(new LineBuffer(0).thousandths(0).ascii(',').thousandths(12)
        .ascii(',').thousandths(12_345).ascii(',').thousandths(1_000_000_007)));
    assertEquals(".006,.000007,.123456789", text(new LineBuffer(0).fraction(6_000_000).ascii(',')
        .fraction(7_000).ascii(',').fraction(123_456_789)));
  }

  @Test
  void itGrowsAndCopies() throws IOException {
    LineBuffer first = new LineBuffer(1).ascii("abc").ascii('d').text("é€😀").number(42);
    assertEquals("abcdé€😀42", text(first));
    LineBuffer second = new LineBuffer(0).ascii('<');
    second.all(first).repeat(2, 4);
    assertEquals("<abcdé€😀42" + "bc", text(second));
    byte[] part = new byte[4];
    second.copy(second.length() - 2, ByteBuffer.wrap(part), 1);
    assertArrayEquals(new byte[] {0, 'b', 'c', 0}, part);
    assertEquals("x", text(second.clear().ascii("x")));
  }

  @Test
  void copyWithoutAPartHoldsNoMoreThanItsBytes() throws IOException {
    LineBuffer trimmed = new LineBuffer(100).ascii("aXXbc").without(1, 3);
    assertEquals("abc", text(new LineBuffer(100).ascii("abc").without(3, 3)));
    assertEquals(3, trimmed.capacity());
    assertEquals(4, trimmed.ascii('d').length());
    byte[] bytes = new byte[4];
    trimmed.copy(0, ByteBuffer.wrap(bytes), 0);
    assertEquals("abcd", new String(bytes, StandardCharsets.US_ASCII));
  }
}

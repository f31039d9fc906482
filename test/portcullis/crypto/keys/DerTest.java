package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerTest {
  private static byte[] octets(String head, int length) {
    byte[] start = HexFormat.of().parseHex("04" + head);
    return Arrays.copyOf(start, start.length + length);
  }

  @ParameterizedTest
  @CsvSource({"00, 0", "7f, 127", "8180, 128", "81ff, 255", "820100, 256", "82ffff, 65535", "83010000, 65536"})
  void readsShortestLengths(String head, int length) throws KeyMaterialException {
    assertEquals(length, new Der(octets(head, length)).octets().length);
  }

  /** ITU-T X.690, 10.1: in as few octets as it takes, never of indefinite form. */
  @ParameterizedTest
  @CsvSource({"817f, 127", "8100, 0", "820080, 128", "8200ff, 255", "8300ffff, 65535", "80, 0", "8401000000, 16777216"})
  void refusesOtherLengths(String head, int length) {
    assertThrows(KeyMaterialException.class, new Der(octets(head, length))::octets);
  }

  @Test
  void refusesLengthBeyondTheEnd() {
    assertThrows(KeyMaterialException.class, new Der(octets("05", 4))::octets);
    assertThrows(KeyMaterialException.class, new Der(octets("81", 0))::octets);
    assertThrows(KeyMaterialException.class, new Der(octets("", 0))::octets);
  }
}

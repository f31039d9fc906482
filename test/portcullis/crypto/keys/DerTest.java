package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
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

  @Test
  void refusesOtherTypes() throws KeyMaterialException {
    byte[] number = {2, 1, 5};
    assertEquals(BigInteger.valueOf(5), new Der(number).integer());
    for (Executable read : List.<Executable>of(() -> new Der(number).octets(), () -> new Der(number).sequence(),
        () -> new Der(number).oid(), () -> new Der(octets("00", 0)).integer(),
        () -> new Der(new byte[] {2, 0}).integer(),
        () -> Der.onlySequence(new byte[] {0x30, 0, 0}), () -> Der.onlySequence(number))) {
      assertThrows(KeyMaterialException.class, read);
    }
  }

  /** ITU-T X.680, 8: UTF8String, PrintableString, IA5String, T61String, BMPString; an integer is none. */
  @ParameterizedTest
  @CsvSource({"0c02c3a4, \u00e4", "130161, a", "160161, a", "1401e4, \u00e4", "1e0200e4, \u00e4", "020161, ", "'', "})
  void readsStringsOfAnyType(String der, String expected) throws KeyMaterialException {
    Der value = new Der(HexFormat.of().parseHex(der));
    if (expected == null) {
      assertThrows(KeyMaterialException.class, value::string);
    } else {
      assertEquals(expected, value.string());
    }
  }

  @ParameterizedTest
  @CsvSource({"06032a0304, 1.2.3.4", "060155, 2.5", "060127, 0.39", "060128, 1.0", "06014f, 1.39", "060150, 2.0",
    "06038837 00, 2.999.0", "0600, ''", "06058fffffff7f, 2.4294967215"})
  void readsObjectIdentifiers(String der, String oid) throws KeyMaterialException {
    assertEquals(oid, new Der(HexFormat.of().parseHex(der.replace(" ", ""))).oid());
  }

  @Test
  void refusesIdentifiersBeyondBounds() {
    assertThrows(KeyMaterialException.class, () -> new Der(HexFormat.of().parseHex("0606ffffffffff7f")).oid());
  }
}

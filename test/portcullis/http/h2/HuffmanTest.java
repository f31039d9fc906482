package portcullis.http.h2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 7541, appendix C, and others. */
class HuffmanTest {
  private static String decode(String hex) throws Exception {
    byte[] bytes = HexFormat.of().parseHex(hex);
    byte[] out = new byte[bytes.length * 8 / 5 + 1];
    int length = Huffman.decode(bytes, 0, bytes.length, out);
    return new String(out, ISO_8859_1).substring(0, length);
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {"f1e3c2e5f23a6ba0ab90f4ff|www.example.com", "a8eb10649cbf|no-cache",
    "25a849e95ba97d7f|custom-key",
    "25a849e95bb8e8b4bf|custom-value", "6402|302", "aec3771a4b|private",
    "d07abe941054d444a8200595040b8166e082a62d1bff|Mon, 21 Oct 2013 20:13:21 GMT",
    "9d29ad171863c78f0b97c8e9ae82ae43d3|https://www.example.com", "9bd9ab|gzip", "640eff|307",
    "94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007|foo=ASDJKHQKBZXO"
        + "QWEOPIUAXQWEOIU; max-age=3600; version=1"}, delimiter = '|')
  void decodesExamplesOfTheRfc(String hex, String text) throws Exception {
    assertEquals(text, decode(hex));
  }

  @Test
  void decodesLongestCodes() throws Exception {
    // NUL 13, LF 30, 0xff 26 bits, then ones
    String bits = "1111111111000" + "111111111111111111111111111100" + "11111111111111111111101110" + "111";
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < bits.length(); i += 8) {
      hex.append(HexFormat.of().toHexDigits((byte) Integer.parseInt(bits.substring(i, i + 8), 2)));
    }
    assertEquals("\0\n\u00ff", decode(hex.toString()));
    assertEquals("", decode(""));
  }

  /** Padding of zeros, of a whole octet, the end of string alone and behind a symbol. */
  @ParameterizedTest
  @ValueSource(strings = {"f1e3c2e5f23a6ba0ab90f400", "f1e3c2e5f23a6ba0ab90f4ffff", "ff", "ffffffff", "1fffffffff",
    "00", "fe"})
  void refusesInvalidPadding(String hex) {
    assertThrows(Http2Exception.class, () -> decode(hex));
  }
}

package portcullis.http.grpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of protocol buffers, byte for byte as the encoding's document has them. */
class MessageTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** The fields that have a length, as {@code 2=testing}. */
  private static List<String> fields(byte[] message) throws GrpcException {
    List<String> out = new ArrayList<>();
    for (MessageReader reader = new MessageReader(message); reader.next();) {
      out.add(reader.field() + "=" + reader.string());
    }
    return out;
  }

  @Test
  void writesAsTheDocumentOfTheEncodingHasIt() {
    assertArrayEquals(hex("08 9601"), new MessageWriter().number(1, 150).bytes());
    assertArrayEquals(hex("12 07 74657374696e67"), new MessageWriter().string(2, "testing").bytes());
    assertArrayEquals(hex("1a 03 08 9601"), new MessageWriter().message(3, new MessageWriter().number(1, 150)).bytes());
    assertArrayEquals(hex("0a 00"), new MessageWriter().message(1, new MessageWriter()).bytes());
    assertArrayEquals(hex("08 ffffffffffffffffff01"), new MessageWriter().number(1, -1).bytes());
    assertArrayEquals(hex("8201 02 c3a9"), new MessageWriter().string(16, "é").bytes());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      12 07 74657374696e67                              | [2=testing]
      ''                                                | []
      08 9601 12 01 61 08 01 12 01 62                   | [2=a, 2=b]
      09 0102030405060708 0d 01020304 0a 00             | [1=]
      0b 12 01 61 13 1b 1c 14 0c 0a 01 78                | [1=x]
      f8ffffff0f 01 0a 01 78                            | [1=x]
      """)
  void readsWhatHasALengthAndPassesOverTheRest(String message, String fields) throws GrpcException {
    assertEquals(fields, fields(hex(message)).toString());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      12 07 7465                 | it ends inside a field
      12 ffffffff0f 61           | it ends inside a field
      12 ffffffffffffffffff01    | it ends inside a field
      12                         | it ends inside a number
      80                         | it ends inside a number
      08 ffffffffffffffffffff01  | a number of more than ten bytes
      02 00                      | a field without a number
      8080808010 00              | a field without a number
      0e                         | a field of an unknown form
      0f                         | a field of an unknown form
      0c                         | a field of an unknown form
      0b                         | it ends inside a number
      0b 14                      | a group that ends as another
      09 01                      | it ends inside a field
      12 02 c328                 | a string is not UTF-8
      """)
  void refusesWhatIsNoMessage(String message, String how) {
    GrpcException error = assertThrows(GrpcException.class, () -> fields(hex(message)));
    assertEquals("the message is broken: " + how, error.getMessage());
    assertEquals(Code.INTERNAL, error.code());
  }

  @Test
  void groupsWithoutEndDoNotExhaustTheStack() {
    assertThrows(GrpcException.class, () -> fields(hex("0b".repeat(100_000))));
  }

  @Test
  void anyBytesAreReadOrRefused() {
    Random random = new Random(7);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      try {
        fields(bytes);
        read++;
      } catch (GrpcException error) {
        assertEquals(Code.INTERNAL, error.code());
      }
    }
    assertEquals(true, read > 500, read + " were read");
  }
}

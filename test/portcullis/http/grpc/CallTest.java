package portcullis.http.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Fields;

class CallTest {
  private static byte[] message(String hex, String encoding) throws GrpcException, IOException {
    Fields head = encoding == null ? Fields.NONE : Fields.of("grpc-encoding", encoding);
    return Call.message(head, new ByteArrayInputStream(HexFormat.of().parseHex(hex.replace(" ", ""))), 8);
  }

  @Test
  void theMessageIsWhatItsLengthSays() throws Exception {
    assertArrayEquals(new byte[0], message("00 00000000", null));
    assertEquals("ab", new String(message("00 00000002 6162", "gzip"), ISO_8859_1));
    assertEquals("12345678", new String(message("00 00000008 3132333435363738", null), ISO_8859_1));
    assertArrayEquals(HexFormat.of().parseHex("00000000026162"), Call.framed("ab".getBytes(ISO_8859_1)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ''                        |          | INTERNAL           | there is none
      00 0000                   |          | INTERNAL           | it ends inside its length
      00 00000002 61            |          | INTERNAL           | it ends before its length
      00 00000001 61 00 00000000 |         | INTERNAL           | there is another one behind it
      00 00000001 61 00         |          | INTERNAL           | there is another one behind it
      00 00000009 61            |          | RESOURCE_EXHAUSTED | a message of 9 bytes, 8 are the limit
      00 ffffffff 61            |          | RESOURCE_EXHAUSTED | a message of 4294967295 bytes, 8 are the limit
      01 00000001 61            | gzip     | UNIMPLEMENTED      | messages are taken uncompressed only
      01 00000001 61            |          | INTERNAL           | its compressed flag is wrong
      01 00000001 61            | identity | INTERNAL           | its compressed flag is wrong
      02 00000001 61            | gzip     | INTERNAL           | its compressed flag is wrong
      """)
  void whatIsNoSingleMessageIsRefused(String hex, String encoding, Code code, String why) {
    GrpcException error = assertThrows(GrpcException.class, () -> message(hex, encoding));
    assertEquals(code, error.code());
    assertEquals(why, error.getMessage().replace("the message is broken: ", ""));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      1H        | PT1H
      2M        | PT2M
      30S       | PT30S
      200m      | PT0.2S
      15u       | PT0.000015S
      99999999n | PT0.099999999S
      0m        | PT0S
      99999999H | PT8760H
      """)
  void readsTimeouts(String text, Duration time) throws GrpcException {
    assertEquals(Optional.of(time), Call.timeout(Fields.of("grpc-timeout", text)));
  }

  @Test
  void withoutATimeoutThereIsNone() throws GrpcException {
    assertEquals(Optional.empty(), Call.timeout(Fields.NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "1", "1x", "-1m", "+1m", "1.5S", "123456789m", " 1m", "1 m", "１m"})
  void refusesTimeoutsThatAreNone(String text) {
    assertEquals(Code.INTERNAL,
        assertThrows(GrpcException.class, () -> Call.timeout(Fields.of("grpc-timeout", text))).code());
  }

  @Test
  void aStatusSaysWhyInPlainAscii() {
    assertEquals(Fields.of("grpc-status", "5", "grpc-message", "100%25 of it%0A is %C3%A9"),
        new GrpcException(Code.NOT_FOUND, "100% of it\n is é").fields());
  }
}

package portcullis.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireOutput;

class HpackTest {
  private static final HeadLimits LIMITS = new HeadLimits(8192, 50);

  private static Fields read(HpackDecoder decoder, String hex) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    HpackDecoder.Block block = decoder.read(bytes, 0, bytes.length);
    assertTrue(block.whole());
    return block.fields();
  }

  private static final Fields FIRST = Fields.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority",
      "www.example.com");
  private static final Fields THIRD = Fields.of(":method", "GET", ":scheme", "https", ":path", "/index.html",
      ":authority", "www.example.com", "custom-key", "custom-value");

  /** RFC 7541, C.3 and C.4: three requests on one connection, without and with Huffman coding. */
  @Test
  void readsRequestsOfTheRfc() throws IOException {
    for (List<String> blocks : List.of(
        List.of("828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
            "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"),
        List.of("828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
            "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"))) {
      HpackDecoder decoder = new HpackDecoder(4096, LIMITS);
      assertEquals(FIRST, read(decoder, blocks.get(0)));
      assertEquals(FIRST.with("cache-control", "no-cache"), read(decoder, blocks.get(1)));
      assertEquals(THIRD, read(decoder, blocks.get(2)));
    }
  }

  /** RFC 7541, C.5 and C.6: three answers, with a table of 256 bytes from which entries are evicted. */
  @Test
  void readsResponsesOfTheRfc() throws IOException {
    Fields rest = Fields.of("cache-control", "private", "date", "Mon, 21 Oct 2013 20:13:21 GMT", "location",
        "https://www.example.com");
    for (List<String> blocks : List.of(
        List.of(
            "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747"
                + "470733a2f2f7777772e6578616d706c652e636f6d",
            "4803333037c1c0bf",
            "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444"
                + "a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31"),
        List.of(
            "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9a"
                + "e82ae43d3",
            "4883640effc1c0bf",
            "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b396"
                + "0d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"))) {
      HpackDecoder decoder = new HpackDecoder(256, LIMITS);
      assertEquals(":status: 302", line(read(decoder, blocks.get(0)).lines().getFirst()));
      Fields second = read(decoder, blocks.get(1));
      assertEquals(":status: 307", line(second.lines().getFirst()));
      assertEquals(rest, second.without(":status"));
      Fields third = read(decoder, blocks.get(2));
      assertEquals("foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1", third.first("set-cookie").orElseThrow());
      assertEquals("gzip", third.first("content-encoding").orElseThrow());
    }
  }

  private static String line(Field field) {
    return field.name() + ": " + field.value();
  }

  /** A place that there is none, integers and strings that do not end, a size that is too large or too late. */
  @ParameterizedTest
  @ValueSource(strings = {"80", "be", "ff80808080808001", "ffffffffffffff", "7f", "41", "4105616263", "00", "0001",
    "000161", "3fe21f", "8220", "828621",
    "0a", "40", "418cf1e3c2e5f23a6ba0ab90f400"})
  void refusesBrokenBlocks(String hex) {
    assertEquals(Http2Error.COMPRESSION_ERROR,
        assertThrows(Http2Exception.class, () -> read(new HpackDecoder(4096, LIMITS), hex)).error());
  }

  @Test
  void tableSizeFollowsPeer() throws IOException {
    HpackDecoder decoder = new HpackDecoder(4096, LIMITS);
    read(decoder, "4001610162");
    assertEquals(Fields.of("a", "b"), read(decoder, "be"));
    assertEquals(Fields.NONE, read(decoder, "203fe11f"));
    assertThrows(Http2Exception.class, () -> read(decoder, "be"));
  }

  @Test
  void readsTooLongListToItsEnd() throws IOException {
    HpackDecoder decoder = new HpackDecoder(4096, new HeadLimits(200, 50));
    // a small block that refers to one long entry many times
    read(decoder, "4001616" + "f" + HexFormat.of().formatHex("b".repeat(111).getBytes()));
    byte[] bomb = HexFormat.of().parseHex("be".repeat(1000) + "400163" + "0164");
    HpackDecoder.Block block = decoder.read(bomb, 0, bomb.length);
    assertFalse(block.whole());
    assertTrue(block.fields().size() <= 2);
    assertEquals(Fields.of("c", "d"), read(decoder, "be"), "the table has followed");
    assertFalse(decoder.read(HexFormat.of().parseHex("82".repeat(51)), 0, 51).whole());
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    Fields fields = Fields.of(":status", "200", ":method", "GET", "content-type", "text/plain", "set-cookie", "a=b",
        "x-own", "\u00e4".repeat(300), "x-empty", "", "x", "c".repeat(127), "y", "d".repeat(128));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    WireOutput out = new WireOutput(sent);
    HpackEncoder.noTable(out);
    fields.forEach(line -> HpackEncoder.field(out, line.name(), line.value()));
    out.flush();
    HpackDecoder.Block block = new HpackDecoder(0, LIMITS).read(sent.toByteArray(), 0, sent.size());
    assertEquals(fields, block.fields());
  }
}

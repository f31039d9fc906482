package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Fields;

class BodyInputTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"0~~|", "5~hello~0~~|hello",
    "5~hello~7~, world~0~~|hello, world", "000A~0123456789~0~~|0123456789",
    "a~0123456789~00~~|0123456789", "5;a~hello~0~~|hello", "5;a=b;c=\"d;\\\"e\"~hello~0;last~~|hello",
    "5 ; a = b ~hello~0~~|hello",
    "5~hello~0~A: b~~|hello"})
  void readsChunksWhateverTheirExtensions(String raw, String body) throws IOException {
    String text = raw.replace("~", "\r\n");
    for (int piece = 1; piece <= text.length(); piece++) {
      WireInput in = Wire.trickled(text + "GET", piece);
      BodyInput chunks = BodyInput.of(Framing.CHUNKED, in, Wire.LIMITS);
      assertEquals(body == null ? "" : body, Wire.text(chunks.readAllBytes()));
      assertTrue(chunks.isComplete());
      assertEquals("GET", Wire.text(in.rest().readAllBytes()), "what follows is left");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xyz~", "-5~hello~0~~", "+5~hello~0~~", "0x5~hello~0~~", "1_0~0123456789abcdef~0~~",
    " 5~hello~0~~", "\t5~hello~0~~",
    "FFFFFFFFFFFFFFFFF~a", "FFFFFFFFFFFFFFFF~a", "8000000000000000~a", "800000000000000~a", "~hello~0~~",
    ";a~hello~0~~", "3~hello~0~~", "5~hello0~~", "5\rhello~0~~",
    "5\nhello~0~~", "5~hello\n0~~", "5~hello~0~\n", "5~hello~0\n~", "5 ~hello~0~~", "5;~hello~0~~", "5;a=~hello~0~~",
    "5;a b~hello~0~~", "5;a=\"b~hello~0~~",
    "5;a=\"\0\"~hello~0~~", "5;\n~hello~0~~", "5~hello~0~A~~", "5~hello~0~A : b~~", "5~hello~0~ A: b~~",
    "5~hello~0~A: b\nC: d~~", "5~hello~0~A: \0~~",
    "5~hello~", "5~hello", "5~hel", "5~", "5", "", "5~hello~0~", "5~hello~0~A: b~", "5\r\rhello", "5g~hello~0~~",
    "5,5~hello~0~~"})
  void refusesChunksThatAreFramedInAnyOtherWay(String raw) {
    String text = raw.replace("~", "\r\n");
    for (int piece : new int[] {1, 2, 7, 1000}) {
      BodyInput chunks = BodyInput.of(Framing.CHUNKED, Wire.trickled(text, piece), Wire.LIMITS);
      assertEquals(400, assertThrows(MalformedMessageException.class, chunks::readAllBytes).status());
      assertThrows(MalformedMessageException.class, chunks::read, "and it stays so");
      assertFalse(chunks.isComplete());
    }
  }

  /** As each read may become a write of its own: a client would pay six bytes for that. */
  @Test
  void readsChunksThatHaveComeAtOnce() throws IOException {
    byte[] into = new byte[100];
    BodyInput body = BodyInput.of(Framing.CHUNKED, Wire.input("1\r\na\r\n2;x\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n"),
        Wire.LIMITS);
    assertEquals(6, body.read(into, 1, 99));
    assertEquals("\0abcdef", Wire.text(Arrays.copyOf(into, 7)));
    assertEquals(-1, body.read(into, 0, 100));
    BodyInput room = BodyInput.of(Framing.CHUNKED, Wire.input("1\r\na\r\n9\r\nbcdefghij\r\n0\r\n\r\n"), Wire.LIMITS);
    ByteBuffer buffer = ByteBuffer.allocate(8).limit(6);
    assertEquals(6, room.read(buffer));
    assertEquals("abcdef", Wire.text(Arrays.copyOf(buffer.array(), buffer.position())));
    assertEquals(4, room.read(into, 0, 100));
    assertEquals("ghij", Wire.text(Arrays.copyOf(into, 4)));
  }

  /** What has come is not held back until the next chunk is there. */
  @ParameterizedTest
  @ValueSource(strings = {"1~a~", "1~a~5", "1~a~5;a=b", "1~a~5~", "1~a~0", "1~a~05~hello", "1~a"})
  void waitsForNoFurtherChunk(String raw) throws IOException {
    String text = raw.replace("~", "\r\n");
    BodyInput body = BodyInput.of(Framing.CHUNKED, Wire.input(text), Wire.LIMITS);
    assertEquals(1, body.read(new byte[100], 0, 100));
  }

  @Test
  void whatCameBeforeAMalformedChunkCounts() throws IOException {
    BodyInput body = BodyInput.of(Framing.CHUNKED, Wire.input("1\r\na\r\n2\r\nbc\r\nx\r\nd\r\n"), Wire.LIMITS);
    assertEquals(3, body.read(new byte[100], 0, 100));
    assertTrue(body.isBroken());
    assertThrows(MalformedMessageException.class, body::read);
  }

  @Test
  void hasTrailersOnceTheBodyHasEnded() throws IOException {
    BodyInput body = BodyInput.of(Framing.CHUNKED, Wire.input("1\r\na\r\n0\r\nX-A: 1\r\nx-a: 2\r\n\r\n"), Wire.LIMITS);
    assertEquals(Fields.NONE, body.trailers());
    body.readAllBytes();
    assertEquals(Fields.of("X-A", "1", "x-a", "2"), body.trailers());
  }

  @Test
  void boundsTrailersLikeHeads() {
    BodyInput body = BodyInput.of(Framing.CHUNKED, Wire.input("0\r\nA: " + "a".repeat(5000) + "\r\n\r\n"), Wire.LIMITS);
    assertEquals(431, assertThrows(MalformedMessageException.class, body::readAllBytes).status());
  }

  @Test
  void boundsExtensionsThatOutweighTheData() throws IOException {
    String chunk = "1;" + "a".repeat(60) + "\r\nx\r\n";
    BodyInput many = BodyInput.of(Framing.CHUNKED, Wire.input(chunk.repeat(100) + "0\r\n\r\n"), Wire.LIMITS);
    assertThrows(MalformedMessageException.class, many::readAllBytes);
    String signed = "100;" + "a".repeat(60) + "\r\n" + "x".repeat(256) + "\r\n";
    BodyInput fair = BodyInput.of(Framing.CHUNKED, Wire.input(signed.repeat(100) + "0\r\n\r\n"), Wire.LIMITS);
    assertEquals(25600, fair.readAllBytes().length);
    BodyInput zeros = BodyInput.of(Framing.CHUNKED, Wire.input("0".repeat(5000) + "\r\n\r\n"), Wire.LIMITS);
    assertThrows(MalformedMessageException.class, zeros::readAllBytes);
  }

  @Test
  void readsAsManyBytesAsWereAnnounced() throws IOException {
    byte[] all = new byte[100_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) (i * 31);
    }
    for (int piece : new int[] {1, 3000, 5000, 200_000}) {
      WireInput in = Wire.trickled(Wire.text(all) + "GET", piece);
      BodyInput body = BodyInput.of(new Framing.Length(all.length), in, Wire.LIMITS);
      assertArrayEquals(all, body.readAllBytes());
      assertTrue(body.isComplete());
      assertEquals("GET", Wire.text(in.rest().readAllBytes()));
    }
  }

  @Test
  void saysWhereABodyBreaksOff() throws IOException {
    BodyInput body = BodyInput.of(new Framing.Length(5), Wire.input("abc"), Wire.LIMITS);
    assertEquals("abc", Wire.text(body.readNBytes(3)));
    assertThrows(MalformedMessageException.class, body::read);
    assertFalse(body.isComplete());
    BodyInput open = BodyInput.of(Framing.UNTIL_CLOSE, Wire.input("abc"), Wire.LIMITS);
    assertEquals("abc", Wire.text(open.readAllBytes()));
    assertTrue(open.isComplete());
  }
}

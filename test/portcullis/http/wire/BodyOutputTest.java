package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;

class BodyOutputTest {
  private static final class Sent extends OutputStream {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private final List<Integer> writes = new ArrayList<>();

    @Override
    public void write(int octet) {
      throw new AssertionError("a byte alone");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      all.write(bytes, offset, length);
      writes.add(length);
    }
  }

  @RepeatedTest(100)
  void chunksComeBackAsTheyWereWritten(RepetitionInfo which) throws IOException {
    Random random = new Random(which.getCurrentRepetition());
    Sent sent = new Sent();
    WireOutput out = new WireOutput(sent);
    out.write("head");
    BodyOutput body = BodyOutput.of(Framing.CHUNKED, out);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = random.nextInt(20); i > 0; i--) {
      byte[] piece = new byte[random.nextInt(random.nextBoolean() ? 300 : 40_000)];
      random.nextBytes(piece);
      expected.writeBytes(piece);
      body.write(piece);
      if (random.nextInt(4) == 0) {
        body.flush();
      }
    }
    body.trail(Fields.of("A", "b"));
    assertFalse(body.isComplete());
    body.close();
    assertTrue(body.isComplete());
    WireInput in = new WireInput(new ByteArrayInputStream(sent.all.toByteArray()));
    assertEquals("head", Wire.text(in.rest().readNBytes(4)));
    BodyInput back = BodyInput.of(Framing.CHUNKED, in, Wire.LIMITS);
    assertArrayEquals(expected.toByteArray(), back.readAllBytes());
    assertEquals(Fields.of("A", "b"), back.trailers());
    assertFalse(in.hasBuffered());
  }

  @Test
  void aSmallMessageIsWrittenAtOnce() throws IOException {
    for (Framing framing : List.of(Framing.CHUNKED, new Framing.Length(10), Framing.UNTIL_CLOSE)) {
      Sent sent = new Sent();
      WireOutput out = new WireOutput(sent);
      out.field("A", "b");
      BodyOutput body = BodyOutput.of(framing, out);
      body.write("hello".getBytes());
      body.write("world".getBytes());
      body.close();
      assertEquals(1, sent.writes.size());
    }
  }

  @Test
  void aFlushSendsWhatIsThere() throws IOException {
    Sent sent = new Sent();
    BodyOutput body = BodyOutput.of(Framing.CHUNKED, new WireOutput(sent));
    body.write("hello".getBytes());
    body.flush();
    assertEquals("5\r\nhello\r\n", sent.all.toString());
    body.flush();
    assertEquals("5\r\nhello\r\n", sent.all.toString());
  }

  @Test
  void refusesAnotherLengthThanAnnounced() throws IOException {
    BodyOutput longer = BodyOutput.of(new Framing.Length(3), new WireOutput(new Sent()));
    assertThrows(IOException.class, () -> longer.write(new byte[4]));
    BodyOutput shorter = BodyOutput.of(new Framing.Length(3), new WireOutput(new Sent()));
    shorter.write(new byte[2]);
    assertThrows(IOException.class, shorter::close);
    assertFalse(shorter.isComplete());
  }

  @Test
  void nothingFollowsTheEnd() throws IOException {
    for (Framing framing : List.of(Framing.CHUNKED, new Framing.Length(0), Framing.UNTIL_CLOSE)) {
      BodyOutput body = BodyOutput.of(framing, new WireOutput(new Sent()));
      body.close();
      body.close();
      assertThrows(IOException.class, () -> body.write(1));
    }
  }
}

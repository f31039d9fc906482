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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import portcullis.http.message.DirectOutput;
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

  private static final Runnable NONE = () -> {};

  /** Notes the bytes of buffers, and how many were written at once. */
  private static final class Channel extends OutputStream implements DirectOutput {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    @Override
    public void write(int octet) {
      all.write(octet);
    }

    @Override
    public void write(ByteBuffer[] buffers, Runnable progress) {
      for (ByteBuffer buffer : buffers) {
        byte[] some = new byte[buffer.remaining()];
        buffer.get(some);
        all.writeBytes(some);
      }
      all.write('|');
    }
  }

  @Test
  void bytesOfABufferGoOutAtOnceBehindWhatWaits() throws IOException {
    for (Framing framing : List.of(Framing.CHUNKED, new Framing.Length(15), Framing.UNTIL_CLOSE)) {
      Channel sent = new Channel();
      BodyOutput body = BodyOutput.of(framing, new WireOutput(sent));
      assertTrue(body.isDirect());
      body.write("hello".getBytes());
      body.write(ByteBuffer.wrap("world".getBytes()), NONE);
      body.write(ByteBuffer.wrap("again".getBytes()), NONE);
      body.close();
      assertTrue(body.isComplete());
      assertEquals(framing.equals(Framing.CHUNKED)
          ? "5\r\nhello\r\n5\r\nworld\r\n|5\r\nagain\r\n|0\r\n\r\n"
          : "helloworld|again|", sent.all.toString());
      assertThrows(IOException.class, () -> body.write(ByteBuffer.wrap(new byte[1]), NONE));
    }
    assertFalse(BodyOutput.of(Framing.CHUNKED, new WireOutput(new Sent())).isDirect());
  }

  @Test
  void anEmptyBufferIsNoLastChunk() throws IOException {
    Channel sent = new Channel();
    BodyOutput body = BodyOutput.of(Framing.CHUNKED, new WireOutput(sent));
    body.write(ByteBuffer.allocate(0), NONE);
    body.close();
    assertEquals("0\r\n\r\n", sent.all.toString());
  }
}

package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketFramesTest {
  /** A binary frame of that length. */
  private static byte[] frame(int length, boolean masked, int opcode) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x80 | opcode);
    int mask = masked ? 0x80 : 0;
    if (length < 126) {
      out.write(mask | length);
    } else if (length < 65536) {
      out.write(mask | 126);
      out.write(length >> 8);
      out.write(length);
    } else {
      out.write(mask | 127);
      for (int i = 7; i >= 0; i--) {
        out.write((int) ((long) length >> 8 * i));
      }
    }
    out.writeBytes(new byte[length + (masked ? 4 : 0)]);
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 65535, 65536, 70000})
  void findsTheEndOfEachFrame(int length) {
    for (boolean masked : new boolean[] {false, true}) {
      byte[] frame = frame(length, masked, 2);
      WebSocketFrames whole = new WebSocketFrames();
      whole.pass(ByteBuffer.wrap(frame));
      assertEquals(true, whole.isOpen());
      WebSocketFrames single = new WebSocketFrames();
      for (int i = 0; i < frame.length; i++) {
        single.pass(ByteBuffer.wrap(frame, i, 1));
        assertEquals(i == frame.length - 1, single.isOpen(), length + " at " + i);
      }
    }
  }

  @Test
  void completesTheFrameInProgressAlone() {
    byte[] frame = frame(300, true, 2);
    WebSocketFrames frames = new WebSocketFrames();
    frames.pass(ByteBuffer.wrap(frame, 0, 100));
    ByteBuffer rest = ByteBuffer.wrap(Arrays.copyOfRange(frame, 100, frame.length + 50));
    frames.finish(rest);
    assertEquals(frame.length - 100, rest.position());
    frames.finish(rest);
    assertEquals(frame.length - 100, rest.position(), "between two frames nothing is in progress");
    assertEquals(true, frames.isOpen());
  }

  @Test
  void nothingFollowsACloseFrame() {
    WebSocketFrames frames = new WebSocketFrames();
    byte[] close = frame(2, false, 8);
    frames.pass(ByteBuffer.wrap(close));
    assertEquals(false, frames.isOpen());
    assertEquals(true, frames.isBetween());
  }

  @Test
  void nothingFollowsALengthThatNoFrameHas() {
    WebSocketFrames frames = new WebSocketFrames();
    byte[] bytes = {(byte) 0x82, 127, -1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
    frames.pass(ByteBuffer.wrap(bytes));
    assertEquals(false, frames.isOpen());
    assertEquals(true, frames.isBetween());
    ByteBuffer more = ByteBuffer.wrap(bytes);
    frames.finish(more);
    assertEquals(0, more.position(), "nothing is in progress");
  }

  @Test
  void closesWithStatusAndReason() {
    byte[] expected = {(byte) 0x88, 5, 3, (byte) 0xf0, 'b', 'y', 'e'};
    assertArrayEquals(expected, WebSocketFrames.close("bye", false));
    byte[] masked = WebSocketFrames.close("bye", true);
    for (int i = 0; i < 5; i++) {
      masked[6 + i] ^= masked[2 + i % 4];
    }
    assertEquals((byte) 0x85, masked[1]);
    assertEquals("bye", new String(masked, 8, 3, StandardCharsets.UTF_8));
    assertEquals(127, WebSocketFrames.close("x".repeat(200), false).length, "control frames have at most 125 bytes");
  }
}

package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.observe.telemetry.AccessEvent;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

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
      WebSocketFrames whole = new WebSocketFrames(new TunnelEnd(), TunnelEnd.Side.CLIENT);
      whole.pass(ByteBuffer.wrap(frame));
      assertEquals(true, whole.isOpen());
      WebSocketFrames single = new WebSocketFrames(new TunnelEnd(), TunnelEnd.Side.CLIENT);
      for (int i = 0; i < frame.length; i++) {
        single.pass(ByteBuffer.wrap(frame, i, 1));
        assertEquals(i == frame.length - 1, single.isOpen(), length + " at " + i);
      }
    }
  }

  @Test
  void completesTheFrameInProgressAlone() {
    byte[] frame = frame(300, true, 2);
    WebSocketFrames frames = new WebSocketFrames(new TunnelEnd(), TunnelEnd.Side.CLIENT);
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
    WebSocketFrames frames = new WebSocketFrames(new TunnelEnd(), TunnelEnd.Side.CLIENT);
    byte[] close = frame(2, false, 8);
    frames.pass(ByteBuffer.wrap(close));
    assertEquals(false, frames.isOpen());
    assertEquals(true, frames.isBetween());
  }

  @Test
  void nothingFollowsALengthThatNoFrameHas() {
    WebSocketFrames frames = new WebSocketFrames(new TunnelEnd(), TunnelEnd.Side.CLIENT);
    byte[] bytes = {(byte) 0x82, 127, -1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
    frames.pass(ByteBuffer.wrap(bytes));
    assertEquals(false, frames.isOpen());
    assertEquals(true, frames.isBetween());
    ByteBuffer more = ByteBuffer.wrap(bytes);
    frames.finish(more);
    assertEquals(0, more.position(), "nothing is in progress");
  }

  /** Returns what is recorded of these bytes of a side that come one by one. */
  private static String recorded(TunnelEnd.Side from, byte... bytes) {
    TunnelEnd end = new TunnelEnd();
    WebSocketFrames frames = new WebSocketFrames(end, from);
    for (byte one : bytes) {
      frames.pass(ByteBuffer.wrap(new byte[] {one}));
    }
    frames.end(false);
    return recorded(end);
  }

  static String recorded(TunnelEnd end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      AccessEvent event = new Log(Level.ERROR, LogFormat.TEXT, writer, InstantSource.system(), "h").access("x", 0);
      end.describe(event);
      event.logOnly();
    }
    String line = out.toString(StandardCharsets.UTF_8).strip();
    return (line.substring(line.indexOf("_ended_by")) + " " + end.error(false)).strip();
  }

  @Test
  void aCloseFrameAfterTheEndChangesNothing() {
    TunnelEnd end = new TunnelEnd();
    end.endedBy(TunnelEnd.Side.UPSTREAM);
    end.closedBy(TunnelEnd.Side.CLIENT, 1000);
    assertEquals("_ended_by=upstream _close_status=1006", recorded(end));
  }

  @Test
  void recordsTheStatusOfTheFirstCloseFrame() {
    assertEquals("_ended_by=upstream _close_status=1008",
        recorded(TunnelEnd.Side.UPSTREAM, WebSocketFrames.close(1008, "bye", false)));
    assertEquals("_ended_by=client _close_status=1008",
        recorded(TunnelEnd.Side.CLIENT, WebSocketFrames.close(1008, "bye", true)));
    assertEquals("_ended_by=upstream _close_status=4999", recorded(TunnelEnd.Side.UPSTREAM, (byte) 0x82, (byte) 1,
        (byte) 7, (byte) 0x88, (byte) 2, (byte) 0x13, (byte) 0x87, (byte) 0x88, (byte) 2, (byte) 3, (byte) 0xe8));
    assertEquals("_ended_by=upstream _close_status=1005", recorded(TunnelEnd.Side.UPSTREAM, frame(0, false, 8)));
    assertEquals("_ended_by=client _close_status=1006", recorded(TunnelEnd.Side.CLIENT, frame(200, true, 1)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"it is not masked|81 00", "its opcode 3 is reserved|83 80 00 00 00 00",
    "its opcode 11 is reserved|8b 80 00 00 00 00", "a control frame is fragmented|09 80 00 00 00 00",
    "a control frame is longer than 125 bytes|89 fe 00 7e 00 00 00 00",
    "its length has 64 bits, right are 63 at most|82 ff ff 00 00 00 00 00 00 00 00 00 00 00",
    "its close status has one byte, right are two|88 81 00 00 00 00 03"})
  void namesWhatIsWrongWithAFrame(String wrong, String bytes) {
    byte[] all = HexFormat.ofDelimiter(" ").parseHex(bytes);
    String found = recorded(TunnelEnd.Side.CLIENT, all);
    assertTrue(found.endsWith(" invalid WebSocket frame from the client: " + wrong), found);
    String masked = recorded(TunnelEnd.Side.UPSTREAM, frame(1, true, 2));
    assertTrue(masked.endsWith("from the upstream: it is masked, which only those of clients are"), masked);
  }

  @Test
  void closesWithStatusAndReason() {
    byte[] expected = {(byte) 0x88, 5, 3, (byte) 0xf0, 'b', 'y', 'e'};
    assertArrayEquals(expected, WebSocketFrames.close(1008, "bye", false));
    byte[] masked = WebSocketFrames.close(1008, "bye", true);
    for (int i = 0; i < 5; i++) {
      masked[6 + i] ^= masked[2 + i % 4];
    }
    assertEquals((byte) 0x85, masked[1]);
    assertEquals("bye", new String(masked, 8, 3, StandardCharsets.UTF_8));
    assertEquals(127, WebSocketFrames.close(1008, "x".repeat(200), false).length,
        "control frames have at most 125 bytes");
  }

  @Test
  void aFrameWhoseHeadHasBegunIsFinishedAndNoMore() {
    WebSocketFrames frames = new WebSocketFrames(new TunnelEnd(), TunnelEnd.Side.CLIENT);
    frames.pass(ByteBuffer.wrap(new byte[] {1}));
    assertFalse(frames.isBetween());
    ByteBuffer rest = ByteBuffer.wrap(new byte[] {2, 'h', 'i', 1, 1, 'x'});
    frames.finish(rest);
    assertTrue(frames.isBetween());
    assertEquals(3, rest.position());
    frames.finish(rest);
    assertEquals(3, rest.position(), "nothing has begun");
  }
}

package portcullis.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.Await;
import portcullis.fixture.FramePeer;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/** How the frames of a peer are read, however they come. */
@Timeout(60)
class EndpointTest {
  private static final int BURST = 100;
  private static final byte[] SETTINGS = FramePeer.bytes(FramePeer.SETTINGS, 0, 0);

  /** Gives the bytes of each packet at once. */
  private static final class Packets extends InputStream {
    private final Iterator<byte[]> packets;

    Packets(List<byte[]> packets) {
      this.packets = packets.iterator();
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (!packets.hasNext()) {
        return -1;
      }
      byte[] packet = packets.next();
      assertTrue(packet.length <= length);
      System.arraycopy(packet, 0, into, offset, packet.length);
      return packet.length;
    }
  }

  private static final class Stream extends Inbound {
    Stream(Side side) {
      super(1, side);
    }

    @Override
    protected void headers(HpackDecoder.Block block, boolean end) {}
  }

  private static final class Side extends Endpoint<Stream> {
    private final List<String> blocks = new ArrayList<>();

    Side(byte[]... packets) {
      super(new WireInput(new Packets(List.of(packets))), new WireOutput(OutputStream.nullOutputStream()),
          new HeadLimits(8192, 100), new Allowance(1 << 20, false, BURST, 0, new StreamMemory(1 << 20)));
    }

    void readAll() throws IOException {
      assertTrue(begins());
      read();
    }

    @Override
    protected void blockBegins() {
      blocks.add("begins");
    }

    @Override
    protected void blockEnds() {
      blocks.add("ends");
    }

    @Override
    protected boolean isOpened(int id) {
      return streams().containsKey(id);
    }

    @Override
    protected void opening(int id, HpackDecoder.Block head, boolean end) {
      streams().put(id, new Stream(this));
    }

    @Override
    protected boolean ignoresLate(int id) {
      return true;
    }

    @Override
    protected void resetByPeer(int id, Http2Error error) {}

    @Override
    protected void failed(Http2Exception error) {}

    @Override
    protected void settings(Http2Settings now) throws Http2Exception {
      apply(now);
    }

    @Override
    protected void reply(FrameOutput.Part part) {}
  }

  private static byte[] headers(int flags, int bytes) {
    return FramePeer.bytes(FramePeer.HEADERS, flags, 1, FramePeer.block(":method", "x".repeat(bytes)));
  }

  private static byte[] from(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  @Test
  void aHeadThatComesInPiecesHasItsTime() throws IOException {
    byte[] head = headers(FramePeer.END_HEADERS, 2000);
    Side whole = new Side(SETTINGS, head);
    whole.readAll();
    assertEquals(List.of(), whole.blocks);
    for (int cut : new int[] {9, 100, 1000}) {
      Side pieces = new Side(SETTINGS, from(head, 0, cut), from(head, cut, 1500), from(head, 1500, head.length));
      pieces.readAll();
      assertEquals(List.of("begins", "ends"), pieces.blocks, "cut at " + cut);
      assertEquals(1, pieces.streams().size());
    }
  }

  @Test
  void theFramesOfABlockHaveOneTimeTogether() throws IOException {
    byte[] more = FramePeer.bytes(FramePeer.CONTINUATION, FramePeer.END_HEADERS, 1, FramePeer.block("a", "b"));
    Side side = new Side(SETTINGS, headers(0, 2000), from(more, 0, 10), from(more, 10, more.length));
    side.readAll();
    assertEquals(List.of("begins", "ends"), side.blocks);
  }

  @Test
  void contentOfAnOpenStreamMayComeSlowly() throws IOException {
    byte[] data = FramePeer.bytes(FramePeer.DATA, 0, 1, new byte[3000]);
    Side side = new Side(SETTINGS, headers(FramePeer.END_HEADERS, 10), from(data, 0, 9), from(data, 9, 700),
        from(data, 700, data.length));
    side.readAll();
    assertEquals(List.of(), side.blocks);
    assertEquals(3000, side.stream(1).orElseThrow().available());
    Side quiet = new Side(SETTINGS, from(data, 0, 700), from(data, 700, data.length));
    assertThrows(Http2Exception.class, quiet::readAll, "no such stream");
    assertEquals(List.of("begins", "ends"), quiet.blocks);
  }

  @Test
  void aChangedWindowCountsForAllThatWait() throws Exception {
    ByteArrayOutputStream changes = new ByteArrayOutputStream();
    for (int i = 1; i <= BURST / 2; i++) {
      changes.writeBytes(FramePeer.bytes(FramePeer.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, (byte) (1 + i % 2)}));
    }
    new Side(SETTINGS, changes.toByteArray()).readAll();
    Side side = new Side(SETTINGS, changes.toByteArray());
    side.flow().take(side.flow().open(), 65535, 0);
    List<Thread> senders = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      FlowControl.Window window = side.flow().open();
      senders.add(Thread.startVirtualThread(() -> assertThrows(IOException.class,
          () -> side.flow().take(window, 1, TimeUnit.SECONDS.toNanos(20)))));
      int waiting = i;
      Await.until(() -> side.flow().waiting() == waiting);
    }
    assertEquals(Http2Error.ENHANCE_YOUR_CALM, assertThrows(Http2Exception.class, side::readAll).error());
    for (Thread sender : senders) {
      sender.interrupt();
      sender.join();
    }
  }
}

package portcullis.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.Await;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/** Streams that share a memory for what has not been read. */
@Timeout(60)
class InboundTest {
  private static final int MEMORY = 100_000;

  private final StreamMemory memory = new StreamMemory(MEMORY);

  private static final class Stream extends Inbound {
    Stream(int id, Side side) {
      super(id, side);
    }

    @Override
    protected void headers(HpackDecoder.Block block, boolean end) {}

    void come(int bytes, boolean end) throws IOException {
      data(new byte[bytes], bytes, end);
    }

    int read(int bytes) throws IOException, InterruptedException {
      return take(new byte[bytes], 0, bytes, System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
    }

    void leave() {
      discard();
    }
  }

  private final class Side extends Endpoint<Stream> {
    Side(boolean returnsOnArrival) {
      super(new WireInput(InputStream.nullInputStream()), new WireOutput(OutputStream.nullOutputStream()),
          new HeadLimits(4096, 100), new Allowance(1 << 20, returnsOnArrival, 10, 10, memory));
    }

    @Override
    protected boolean isOpened(int id) {
      return true;
    }

    @Override
    protected void opening(int id, HpackDecoder.Block head, boolean end) {}

    @Override
    protected boolean ignoresLate(int id) {
      return true;
    }

    @Override
    protected void resetByPeer(int id, Http2Error error) {}

    @Override
    protected void failed(Http2Exception error) {}

    @Override
    protected void settings(Http2Settings now) {}

    @Override
    protected void reply(FrameOutput.Part part) {}
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    Await.until(() -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive());
    assertTrue(thread.isAlive(), "it waits for room");
  }

  private static Thread coming(Stream stream) {
    return Thread.ofPlatform().start(() -> {
      try {
        stream.come(16_000, true);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @Test
  void aRequestWaitsForMemoryUntilItIsRead() throws Exception {
    Side server = new Side(false);
    Stream full = new Stream(1, server);
    for (int i = 0; i < 6; i++) {
      full.come(16_000, false);
    }
    Thread coming = coming(full);
    awaitWaiting(coming);
    assertEquals(96_000, memory.used());
    for (int i = 0; i < 7; i++) {
      assertEquals(16_000, full.read(16_000));
    }
    coming.join();
    assertEquals(-1, full.read(1));
    assertEquals(0, memory.used());
  }

  @Test
  void aRequestThatHoldsNothingTakesAFrameAtAnyTime() throws Exception {
    Side server = new Side(false);
    memory.force(MEMORY);
    Stream other = new Stream(3, server);
    other.come(16_000, false);
    assertEquals(16_000, other.read(16_000));
    Thread coming = coming(other);
    coming.join();
    other.leave();
    assertEquals(MEMORY, memory.used());
  }

  @Test
  void firstFramesOfRequestsHaveAsMuchMemoryOnceMore() throws Exception {
    Side server = new Side(false);
    memory.force(2 * MEMORY - 16_000);
    Stream first = new Stream(1, server);
    first.come(16_000, true);
    Stream unread = new Stream(3, server);
    Thread coming = coming(unread);
    awaitWaiting(coming);
    assertEquals(2 * MEMORY, memory.used(), "it waits while it is not read");
    assertEquals(16_000, unread.read(16_000));
    coming.join();
    assertEquals(-1, unread.read(1));
    assertEquals(2 * MEMORY, memory.used());
  }

  @Test
  void aRequestThatIsAwaitedTakesAFrameHoweverMuchIsHeld() throws Exception {
    Side server = new Side(false);
    memory.force(3 * MEMORY);
    Stream stream = new Stream(1, server);
    Thread reading = Thread.ofPlatform().start(() -> {
      try {
        assertEquals(16_000, stream.read(16_000));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    Await.until(() -> reading.getState() == Thread.State.TIMED_WAITING);
    stream.come(16_000, false);
    reading.join();
    assertEquals(3 * MEMORY, memory.used());
  }

  @Test
  void theWaitForMemoryEndsWithTheStream() throws Exception {
    Side server = new Side(false);
    memory.force(MEMORY);
    Stream stream = new Stream(1, server);
    stream.come(10, false);
    Thread coming = coming(stream);
    awaitWaiting(coming);
    stream.leave();
    coming.join();
    assertEquals(MEMORY, memory.used());
  }

  @Test
  void responsesThatAreNotReadMakeRoomForOthers() throws Exception {
    Side client = new Side(true);
    Stream forgotten = new Stream(1, client);
    forgotten.come(60_000, true);
    Stream moving = new Stream(3, client);
    for (int i = 0; i < 20; i++) {
      moving.come(30_000, false);
      assertEquals(30_000, moving.read(30_000));
    }
    Stream next = new Stream(5, client);
    next.come(30_000, false);
    moving.come(30_000, true);
    assertEquals(30_000, moving.read(30_000), "what is read goes on");
    assertEquals(-1, moving.read(1));
    assertThrows(IOException.class, () -> forgotten.read(1));
    assertFalse(forgotten.isComplete(), "what was dropped is not taken for the end");
    assertEquals(30_000, memory.used());
    next.leave();
    assertEquals(0, memory.used());
  }
}

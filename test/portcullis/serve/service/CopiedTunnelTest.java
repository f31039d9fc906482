package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.wire.ChannelRelay;
import portcullis.serve.stream.EndReason;

class CopiedTunnelTest {
  private static final Duration IDLE = Duration.ofSeconds(7);

  private static CountDownLatch begun(CopiedTunnel tunnel) throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    tunnel.begin(IDLE, over::countDown);
    return over;
  }

  private static void join(CopiedTunnel tunnel) throws IOException {
    ScriptedTunnel.await(begun(tunnel));
  }

  private static CountDownLatch open() {
    return new CountDownLatch(0);
  }

  @Test
  void carriesBothDirectionsToTheirEnds() throws IOException {
    String large = "x".repeat(40_000);
    ScriptedTunnel one = new ScriptedTunnel(large, open(), false);
    ScriptedTunnel other = new ScriptedTunnel("back", open(), false);
    join(new CopiedTunnel(one, other, new Tunnels.Kind(false, new TunnelEnd()), new ChannelRelay(1)));
    assertEquals("back", one.written());
    assertEquals(large, other.written());
    assertTrue(one.isEnded() && other.isEnded());
    assertFalse(one.isClosed() || other.isClosed());
    assertEquals(IDLE, one.limit);
    assertEquals(IDLE, other.limit);
  }

  /** The second connection says something only after its own output has ended. */
  @Test
  void oneDirectionGoesOnWhenTheOtherHasEnded() throws IOException {
    CountDownLatch ended = new CountDownLatch(1);
    ScriptedTunnel one = new ScriptedTunnel("", open(), false);
    ScriptedTunnel other = new ScriptedTunnel("late", ended, false) {
      @Override
      public void endOutput() {
        super.endOutput();
        ended.countDown();
      }
    };
    join(new CopiedTunnel(one, other, new Tunnels.Kind(false, new TunnelEnd()), new ChannelRelay(1)));
    assertEquals("late", one.written());
    assertTrue(one.isEnded() && other.isEnded());
  }

  @Test
  void anErrorClosesBothConnections() throws IOException {
    ScriptedTunnel one = new ScriptedTunnel("some", open(), true);
    ScriptedTunnel other = new ScriptedTunnel("", one.closed, false);
    TunnelEnd end = new TunnelEnd();
    join(new CopiedTunnel(one, other, new Tunnels.Kind(false, end), new ChannelRelay(1)));
    assertEquals("some", other.written());
    assertTrue(one.isClosed() && other.isClosed());
    assertEquals("_ended_by=client _close_status=1006", WebSocketFramesTest.recorded(end).strip());
    assertFalse(other.isEnded());
  }

  @Test
  void aReceiverThatHasGoneEndsBothConnections() throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    ScriptedTunnel gone = new ScriptedTunnel("", over, false) {
      @Override
      public OutputStream output() {
        return refusing();
      }

      @Override
      public void endOutput() {
        over.countDown();
      }

      @Override
      public void close() {
        super.close();
        over.countDown();
      }
    };
    ScriptedTunnel sender = new ScriptedTunnel("some", open(), false);
    TunnelEnd end = new TunnelEnd();
    join(new CopiedTunnel(gone, sender, new Tunnels.Kind(false, end), new ChannelRelay(1)));
    assertTrue(gone.isClosed() && sender.isClosed());
    assertEquals("_ended_by=client _close_status=1006", WebSocketFramesTest.recorded(end).strip());
  }

  private static OutputStream refusing() {
    return new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        throw new IOException("gone");
      }
    };
  }

  /** Its threads are done once they wait for another task. */
  @Test
  void aWebSocketThatEndsByItselfIsNotAborted() throws Exception {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    AtomicBoolean aborted = new AtomicBoolean();
    CountDownLatch over = begun(new CopiedTunnel(noticing(threads, aborted), noticing(threads, aborted),
        new Tunnels.Kind(true, new TunnelEnd()), new ChannelRelay(1)));
    ScriptedTunnel.await(over);
    Await.until(() -> threads.stream().map(Thread::getState)
        .allMatch(state -> state == Thread.State.WAITING || state == Thread.State.TERMINATED));
    assertEquals(2, threads.size());
    assertFalse(aborted.get());
  }

  /** Notices the thread that reads it, and whether it is aborted. */
  private static ScriptedTunnel noticing(List<Thread> threads, AtomicBoolean aborted) {
    return new ScriptedTunnel("", open(), false) {
      @Override
      public InputStream input() {
        threads.add(Thread.currentThread());
        return super.input();
      }

      @Override
      public void abort() {
        aborted.set(true);
      }
    };
  }

  /** Passes its bytes, and then waits until its output has ended. */
  private static ScriptedTunnel waiting(byte[] bytes, CountDownLatch passed) {
    return new ScriptedTunnel(new String(bytes, StandardCharsets.US_ASCII), open(), false) {
      private final CountDownLatch end = new CountDownLatch(1);
      private boolean first = true;

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new ScriptedTunnel.InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (first) {
              first = false;
              return in.read(into, from, most);
            }
            passed.countDown();
            ScriptedTunnel.await(end);
            return -1;
          }
        };
      }

      @Override
      public void endOutput() {
        super.endOutput();
        end.countDown();
      }
    };
  }

  private static void ended(ScriptedTunnel one, ScriptedTunnel other, boolean webSocket, CountDownLatch passed)
      throws Exception {
    CopiedTunnel tunnel = new CopiedTunnel(one, other, new Tunnels.Kind(webSocket, new TunnelEnd()),
        new ChannelRelay(1));
    CountDownLatch over = begun(tunnel);
    ScriptedTunnel.await(passed);
    tunnel.end(EndReason.LOCKED);
    ScriptedTunnel.await(over);
  }

  /** Each side leaves as soon as it has its close frame, which comes to one of them before it comes to the other. */
  @RepeatedTest(200)
  void anEndedWebSocketIsClosedTowardsBothSides() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    byte[] frame = {1, 2, 'h', 'i'};
    ScriptedTunnel client = waiting(frame, passed);
    ScriptedTunnel upstream = waiting(frame, passed);
    ended(client, upstream, true, passed);
    byte[] close = WebSocketFrames.close(1008, "access is locked", false);
    assertArrayEquals(close, Arrays.copyOfRange(client.out.toByteArray(), 4, 4 + close.length));
    assertEquals(4 + close.length + 4, upstream.out.size(), "masked");
    assertTrue(client.isEnded() && upstream.isEnded());
  }

  @Test
  void noCloseFrameIsPutIntoAnotherFrame() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    byte[] part = {1, 5, 'h', 'i'};
    ScriptedTunnel client = waiting(part, passed);
    ScriptedTunnel upstream = waiting(part, passed);
    CopiedTunnel tunnel = new CopiedTunnel(client, upstream, new Tunnels.Kind(true, new TunnelEnd()),
        new ChannelRelay(1));
    CountDownLatch over = begun(tunnel);
    ScriptedTunnel.await(passed);
    tunnel.end(EndReason.LOCKED);
    tunnel.kill();
    client.endOutput();
    upstream.endOutput();
    ScriptedTunnel.await(over);
    assertEquals(4, client.out.size());
    assertTrue(client.isClosed() && upstream.isClosed());
  }

  /** The rest of a frame that comes after the end of the tunnel is passed, and nothing behind it. */
  @Test
  void aFrameInProgressIsCompletedBeforeTheCloseFrame() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    CountDownLatch more = new CountDownLatch(1);
    ScriptedTunnel client = waiting(new byte[] {1, 2, 'h', 'i'}, passed);
    ScriptedTunnel upstream = new ScriptedTunnel("", open(), false) {
      private int reads;

      @Override
      public InputStream input() {
        return new ScriptedTunnel.InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            byte[][] pieces = {{1, 5, 'h', 'e'}, {'l', 'l', 'o', 1, 1, 'x'}, {1, 1, 'y'}};
            if (reads == 1) {
              passed.countDown();
              ScriptedTunnel.await(more);
            }
            if (reads == pieces.length) {
              return -1;
            }
            byte[] piece = pieces[reads++];
            System.arraycopy(piece, 0, into, from, piece.length);
            return piece.length;
          }
        };
      }
    };
    CopiedTunnel tunnel = new CopiedTunnel(client, upstream, new Tunnels.Kind(true, new TunnelEnd()),
        new ChannelRelay(1));
    CountDownLatch over = begun(tunnel);
    ScriptedTunnel.await(passed);
    tunnel.end(EndReason.LOCKED);
    more.countDown();
    ScriptedTunnel.await(over);
    byte[] frame = {1, 5, 'h', 'e', 'l', 'l', 'o'};
    byte[] close = WebSocketFrames.close(1008, "access is locked", false);
    byte[] sent = client.out.toByteArray();
    assertArrayEquals(frame, Arrays.copyOf(sent, frame.length));
    assertArrayEquals(close, Arrays.copyOfRange(sent, frame.length, sent.length));
    assertTrue(client.isEnded());
  }

  @Test
  void aCloseFrameThatCannotBeWrittenEndsBothConnections() throws Exception {
    CountDownLatch reading = new CountDownLatch(2);
    CountDownLatch over = new CountDownLatch(1);
    ScriptedTunnel client = new ScriptedTunnel("", over, false) {
      @Override
      public InputStream input() {
        reading.countDown();
        return super.input();
      }

      @Override
      public OutputStream output() {
        return refusing();
      }

      @Override
      public void close() {
        super.close();
        over.countDown();
      }
    };
    ScriptedTunnel upstream = new ScriptedTunnel("", over, false) {
      @Override
      public InputStream input() {
        reading.countDown();
        return super.input();
      }
    };
    ended(client, upstream, true, reading);
    ScriptedTunnel.await(client.closed);
    ScriptedTunnel.await(upstream.closed);
  }

  @Test
  void anEndedTunnelOfAnotherProtocolEndsWithoutFrames() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    ScriptedTunnel client = waiting("abc".getBytes(StandardCharsets.US_ASCII), passed);
    ScriptedTunnel upstream = waiting("abc".getBytes(StandardCharsets.US_ASCII), passed);
    ended(client, upstream, false, passed);
    assertEquals("abc", client.written());
    assertEquals("abc", upstream.written());
  }
}

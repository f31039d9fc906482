package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;
import portcullis.serve.stream.EndReason;

class CopiedTunnelTest {
  private static final Duration IDLE = Duration.ofSeconds(7);

  /** Is read in blocks only. */
  private abstract static class InBlocks extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("not read byte by byte");
    }
  }

  /** Yields its bytes once the latch is open, then ends or fails. */
  private static class Scripted implements Tunnel {
    private final byte[] bytes;
    private final CountDownLatch begin;
    private final boolean fails;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Duration limit = Duration.ZERO;
    private int at;

    Scripted(String text, CountDownLatch begin, boolean fails) {
      this.bytes = text.getBytes(StandardCharsets.US_ASCII);
      this.begin = begin;
      this.fails = fails;
    }

    @Override
    public boolean isDirect() {
      return false;
    }

    @Override
    public Direct direct() {
      throw new UnsupportedOperationException();
    }

    @Override
    public InputStream input() {
      return new InBlocks() {
        @Override
        public int read(byte[] into, int from, int most) throws IOException {
          await(begin);
          if (at == bytes.length && fails) {
            throw new IOException("gone");
          }
          int count = Math.min(most, bytes.length - at);
          System.arraycopy(bytes, at, into, from, count);
          at += count;
          return count == 0 ? -1 : count;
        }
      };
    }

    @Override
    public OutputStream output() {
      return out;
    }

    @Override
    public void idleLimit(Duration time) {
      limit = time;
    }

    @Override
    public Owner outlast() {
      return this::close;
    }

    @Override
    public void endOutput() {
      ended.countDown();
    }

    @Override
    public void close() {
      closed.countDown();
    }

    String written() {
      return out.toString(StandardCharsets.US_ASCII);
    }

    boolean isClosed() {
      return closed.getCount() == 0;
    }

    boolean isEnded() {
      return ended.getCount() == 0;
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IOException("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static CountDownLatch begun(CopiedTunnel tunnel) throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    tunnel.begin(IDLE, over::countDown);
    return over;
  }

  private static void join(CopiedTunnel tunnel) throws IOException {
    await(begun(tunnel));
  }

  private static CountDownLatch open() {
    return new CountDownLatch(0);
  }

  @Test
  void carriesBothDirectionsToTheirEnds() throws IOException {
    String large = "x".repeat(40_000);
    Scripted one = new Scripted(large, open(), false);
    Scripted other = new Scripted("back", open(), false);
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
    Scripted one = new Scripted("", open(), false);
    Scripted other = new Scripted("late", ended, false) {
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
  void onlyAWebSocketIsHalfOpenForLessThanItsIdleTime() {
    assertEquals(Tunnels.HALF_OPEN, new Tunnels.Kind(true, new TunnelEnd()).halfOpen(Duration.ofHours(1)));
    assertEquals(Duration.ofHours(1), new Tunnels.Kind(false, new TunnelEnd()).halfOpen(Duration.ofHours(1)));
  }

  @Test
  void anErrorClosesBothConnections() throws IOException {
    Scripted one = new Scripted("some", open(), true);
    Scripted other = new Scripted("", one.closed, false);
    TunnelEnd end = new TunnelEnd();
    join(new CopiedTunnel(one, other, new Tunnels.Kind(false, end), new ChannelRelay(1)));
    assertEquals("some", other.written());
    assertTrue(one.isClosed() && other.isClosed());
    assertEquals("_ended_by=client _close_status=1006", WebSocketFramesTest.recorded(end).strip());
    assertFalse(other.isEnded());
  }

  /** One direction rests as the other is about to, which then gets something: both go on. */
  @Test
  void aDirectionThatRestsGoesOnWhenTheOtherGetsSomething() throws Exception {
    CountDownLatch waited = new CountDownLatch(1);
    CountDownLatch passed = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    Scripted resting = new Scripted("late", open(), false) {
      private Duration wait = Duration.ZERO;

      @Override
      public void readLimit(Duration limit) {
        wait = limit;
      }

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (passed.getCount() > 0) {
              pause(wait);
              waited.countDown();
              throw new SocketTimeoutException();
            }
            goesOn.countDown();
            return in.read(into, from, most);
          }
        };
      }
    };
    Scripted other = new Scripted("some", waited, false) {
      private boolean first = true;

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (first) {
              first = false;
              await(waited);
              pause(Duration.ofMillis(50)); // in which the other one rests
              passed.countDown();
            } else {
              await(goesOn);
            }
            return in.read(into, from, most);
          }
        };
      }
    };
    CopiedTunnel tunnel = new CopiedTunnel(resting, other, new Tunnels.Kind(false, new TunnelEnd()),
        new ChannelRelay(1));
    CountDownLatch over = new CountDownLatch(1);
    tunnel.begin(Duration.ofMinutes(2), over::countDown);
    await(over);
    assertEquals("late", other.written());
    assertEquals("some", resting.written());
  }

  private static void pause(Duration time) throws IOException {
    try {
      Await.pause(time);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Passes its bytes, and then waits until its output has ended. */
  private static Scripted waiting(byte[] bytes, CountDownLatch passed) {
    return new Scripted(new String(bytes, StandardCharsets.US_ASCII), open(), false) {
      private final CountDownLatch end = new CountDownLatch(1);
      private boolean first = true;

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (first) {
              first = false;
              return in.read(into, from, most);
            }
            passed.countDown();
            await(end);
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

  private static void ended(Scripted one, Scripted other, boolean webSocket, CountDownLatch passed) throws Exception {
    CopiedTunnel tunnel = new CopiedTunnel(one, other, new Tunnels.Kind(webSocket, new TunnelEnd()),
        new ChannelRelay(1));
    CountDownLatch over = begun(tunnel);
    await(passed);
    tunnel.end(EndReason.LOCKED);
    await(over);
  }

  /** Each side leaves as soon as it has its close frame, which comes to one of them before it comes to the other. */
  @RepeatedTest(200)
  void anEndedWebSocketIsClosedTowardsBothSides() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    byte[] frame = {1, 2, 'h', 'i'};
    Scripted client = waiting(frame, passed);
    Scripted upstream = waiting(frame, passed);
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
    Scripted client = waiting(part, passed);
    Scripted upstream = waiting(part, passed);
    CopiedTunnel tunnel = new CopiedTunnel(client, upstream, new Tunnels.Kind(true, new TunnelEnd()),
        new ChannelRelay(1));
    CountDownLatch over = begun(tunnel);
    await(passed);
    tunnel.end(EndReason.LOCKED);
    tunnel.kill();
    client.endOutput();
    upstream.endOutput();
    await(over);
    assertEquals(4, client.out.size());
    assertTrue(client.isClosed() && upstream.isClosed());
  }

  /** The rest of a frame that comes after the end of the tunnel is passed, and nothing behind it. */
  @Test
  void aFrameInProgressIsCompletedBeforeTheCloseFrame() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    CountDownLatch more = new CountDownLatch(1);
    Scripted client = waiting(new byte[] {1, 2, 'h', 'i'}, passed);
    Scripted upstream = new Scripted("", open(), false) {
      private int reads;

      @Override
      public InputStream input() {
        return new InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            byte[][] pieces = {{1, 5, 'h', 'e'}, {'l', 'l', 'o', 1, 1, 'x'}, {1, 1, 'y'}};
            if (reads == 1) {
              passed.countDown();
              await(more);
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
    await(passed);
    tunnel.end(EndReason.LOCKED);
    more.countDown();
    await(over);
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
    Scripted client = new Scripted("", over, false) {
      @Override
      public InputStream input() {
        reading.countDown();
        return super.input();
      }

      @Override
      public OutputStream output() {
        return new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("gone");
          }
        };
      }

      @Override
      public void close() {
        super.close();
        over.countDown();
      }
    };
    Scripted upstream = new Scripted("", over, false) {
      @Override
      public InputStream input() {
        reading.countDown();
        return super.input();
      }
    };
    ended(client, upstream, true, reading);
    await(client.closed);
    await(upstream.closed);
  }

  @Test
  void anEndedTunnelOfAnotherProtocolEndsWithoutFrames() throws Exception {
    CountDownLatch passed = new CountDownLatch(2);
    Scripted client = waiting("abc".getBytes(StandardCharsets.US_ASCII), passed);
    Scripted upstream = waiting("abc".getBytes(StandardCharsets.US_ASCII), passed);
    ended(client, upstream, false, passed);
    assertEquals("abc", client.written());
    assertEquals("abc", upstream.written());
  }
}

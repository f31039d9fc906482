package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.wire.ChannelRelay;

/** Tunnels one of whose directions has ended, or rests. */
class HalfOpenTunnelTest {
  private static CountDownLatch open() {
    return new CountDownLatch(0);
  }

  @Test
  void aWriteThatWaitsForItsReceiverDoesNotEndWhatIsHalfOpen() throws Exception {
    Duration idle = Duration.ofMillis(200);
    AtomicBoolean early = new AtomicBoolean();
    ScriptedTunnel slow = new ScriptedTunnel("", open(), false) {
      @Override
      public OutputStream output() {
        return new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int from, int length) {
            try {
              Await.pause(idle.multipliedBy(4));
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
            early.set(isClosed());
          }
        };
      }
    };
    ScriptedTunnel other = new ScriptedTunnel("some", open(), false);
    CopiedTunnel tunnel = new CopiedTunnel(slow, other, new Tunnels.Kind(false, new TunnelEnd()), new ChannelRelay(1));
    CountDownLatch over = new CountDownLatch(1);
    tunnel.begin(idle, over::countDown);
    ScriptedTunnel.await(over);
    assertFalse(early.get());
  }

  @Test
  void onlyAWebSocketIsHalfOpenForLessThanItsIdleTime() {
    assertEquals(Tunnels.HALF_OPEN, new Tunnels.Kind(true, new TunnelEnd()).halfOpen(Duration.ofHours(1)));
    assertEquals(Duration.ofHours(1), new Tunnels.Kind(false, new TunnelEnd()).halfOpen(Duration.ofHours(1)));
  }

  /** One direction rests as the other is about to, which then gets something: both go on. */
  @Test
  void aDirectionThatRestsGoesOnWhenTheOtherGetsSomething() throws Exception {
    CountDownLatch waited = new CountDownLatch(1);
    CountDownLatch passed = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    ScriptedTunnel resting = new ScriptedTunnel("late", open(), false) {
      private Duration wait = Duration.ZERO;

      @Override
      public void readLimit(Duration limit) {
        wait = limit;
      }

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new ScriptedTunnel.InBlocks() {
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
    ScriptedTunnel other = new ScriptedTunnel("some", waited, false) {
      private boolean first = true;

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new ScriptedTunnel.InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (first) {
              first = false;
              ScriptedTunnel.await(waited);
              pause(Duration.ofMillis(50)); // in which the other one rests
              passed.countDown();
            } else {
              ScriptedTunnel.await(goesOn);
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
    ScriptedTunnel.await(over);
    assertEquals("late", other.written());
    assertEquals("some", resting.written());
  }

  /** What the receiver sends is what it waits for. */
  @Test
  void aSlowReceiverIsReadMeanwhile() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    ScriptedTunnel slow = new ScriptedTunnel("late", open(), false) {
      private boolean first = true;

      @Override
      public InputStream input() {
        InputStream in = super.input();
        return new ScriptedTunnel.InBlocks() {
          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (first) {
              first = false;
              ScriptedTunnel.await(writing);
              pause(Duration.ofMillis(1_100)); // for longer than it takes to rest
              throw new SocketTimeoutException();
            }
            return in.read(into, from, most);
          }
        };
      }

      @Override
      public OutputStream output() {
        OutputStream to = super.output();
        return new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("not written byte by byte");
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            writing.countDown();
            ScriptedTunnel.await(arrived);
            to.write(bytes, from, length);
          }
        };
      }
    };
    ScriptedTunnel other = new ScriptedTunnel("some", open(), false) {
      @Override
      public OutputStream output() {
        arrived.countDown();
        return super.output();
      }
    };
    CopiedTunnel tunnel = new CopiedTunnel(slow, other, new Tunnels.Kind(false, new TunnelEnd()), new ChannelRelay(1));
    CountDownLatch over = new CountDownLatch(1);
    tunnel.begin(Duration.ofMinutes(2), over::countDown);
    ScriptedTunnel.await(over);
    assertEquals("some", slow.written());
    assertEquals("late", other.written());
  }

  private static void pause(Duration time) throws IOException {
    try {
      Await.pause(time);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}

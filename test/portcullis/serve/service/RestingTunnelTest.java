package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.wire.ChannelRelay;

/** A tunnel on which nothing passes, and whose connections cannot be left to no thread: it is read on. */
class RestingTunnelTest {
  private static final Duration IDLE = Duration.ofMinutes(2);

  /** Has nothing to say for as long as its reader waits, until it is given something. */
  private static class Quiet extends ScriptedTunnel {
    final BlockingQueue<String> says = new LinkedBlockingQueue<>();
    final AtomicInteger timeouts = new AtomicInteger();
    final AtomicInteger rests = new AtomicInteger();
    final AtomicInteger resumed = new AtomicInteger();
    private final boolean mayRest;
    private volatile long patience = Long.MAX_VALUE;

    Quiet(boolean mayRest) {
      super("", new CountDownLatch(0), false);
      this.mayRest = mayRest;
    }

    @Override
    public void readLimit(Duration time) {
      patience = time.toNanos();
    }

    @Override
    public boolean mayRest() {
      return mayRest;
    }

    @Override
    public SocketChannel rest() throws IOException {
      rests.incrementAndGet();
      throw new IOException("a connection that has no channel");
    }

    @Override
    public void resume() {
      resumed.incrementAndGet();
    }

    @Override
    public InputStream input() {
      return new ScriptedTunnel.InBlocks() {
        @Override
        public int read(byte[] into, int from, int most) throws IOException {
          try {
            String next = says.poll(patience, TimeUnit.NANOSECONDS);
            if (next == null) {
              timeouts.incrementAndGet();
              throw new SocketTimeoutException("nothing");
            }
            System.arraycopy(next.getBytes(StandardCharsets.US_ASCII), 0, into, from, next.length());
            return next.isEmpty() ? -1 : next.length();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
      };
    }
  }

  private static CountDownLatch begun(Quiet client, Quiet upstream) throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    new CopiedTunnel(client, upstream, new Tunnels.Kind(false, new TunnelEnd()), new ChannelRelay(1)).begin(IDLE,
        over::countDown);
    return over;
  }

  private static void goesOn(Quiet client, Quiet upstream, CountDownLatch over) throws Exception {
    client.says.add("up");
    upstream.says.add("down");
    Await.until(() -> upstream.written().equals("up") && client.written().equals("down"));
    assertEquals(1, over.getCount());
    client.says.add("");
    upstream.says.add("");
    ScriptedTunnel.await(over);
    assertTrue(client.isEnded() && upstream.isEnded());
  }

  @Test
  void connectionsThatMayNotRestAreReadOn() throws Exception {
    Quiet client = new Quiet(true);
    Quiet upstream = new Quiet(false);
    CountDownLatch over = begun(client, upstream);
    Await.until(() -> client.timeouts.get() >= 3 && upstream.timeouts.get() >= 3);
    assertEquals(0, client.rests.get() + upstream.rests.get());
    goesOn(client, upstream, over);
  }

  @Test
  void connectionsThatFailToRestAreUsedAgainAndReadOn() throws Exception {
    Quiet client = new Quiet(true);
    Quiet upstream = new Quiet(true);
    CountDownLatch over = begun(client, upstream);
    Await.until(() -> client.resumed.get() >= 1 && upstream.resumed.get() >= 1);
    goesOn(client, upstream, over);
  }
}

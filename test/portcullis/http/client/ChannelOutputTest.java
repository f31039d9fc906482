package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChannelOutputTest {
  @Test
  void writesAllBuffersAndReportsProgress() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel channel = SocketChannel.open()) {
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 8192);
        channel.connect(server.getLocalAddress());
        try (SocketChannel peer = server.accept()) {
          CompletableFuture<Throwable> failure = new CompletableFuture<>();
          Thread.ofVirtual().start(() -> {
            try {
              write(channel, peer);
              failure.complete(null);
            } catch (Exception | AssertionError e) {
              failure.complete(e);
            }
          });
          assertNull(failure.get(40, TimeUnit.SECONDS));
        }
      }
    }
  }

  /** On a virtual thread, as bodies are sent: there a write takes what fits. */
  private static void write(SocketChannel channel, SocketChannel peer) throws Exception {
    byte[] much = new byte[1 << 20];
    new Random(4711).nextBytes(much);
    CompletableFuture<byte[]> received = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      try {
        received.complete(peer.socket().getInputStream().readAllBytes());
      } catch (IOException e) {
        received.completeExceptionally(e);
      }
    });
    AtomicInteger steps = new AtomicInteger();
    ChannelOutput out = new ChannelOutput(channel);
    out.write(much, 0, 10);
    out.write(new ByteBuffer[] {ByteBuffer.wrap(much, 10, 1000), direct(much, 1010, much.length - 1),
      ByteBuffer.wrap(much, much.length - 1, 1)}, steps::incrementAndGet);
    channel.shutdownOutput();
    assertArrayEquals(much, received.get(30, TimeUnit.SECONDS));
    assertTrue(steps.get() > 0 && steps.get() <= 64, steps::toString);
    out.write(new ByteBuffer[] {ByteBuffer.allocate(0)}, steps::incrementAndGet);
    assertEquals(much.length, received.get().length);
  }

  private static ByteBuffer direct(byte[] bytes, int from, int to) {
    return ByteBuffer.allocateDirect(to - from).put(bytes, from, to - from).flip();
  }
}

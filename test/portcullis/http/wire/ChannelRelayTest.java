package portcullis.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.http.message.Tunnel;

@Timeout(60)
class ChannelRelayTest {
  private static final Duration LONG = Duration.ofSeconds(40);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final ChannelRelay relay = new ChannelRelay(2);
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final AtomicLong used = new AtomicLong();

  /** A relayed pair, and the two sockets that talk through it. */
  private record Joined(Socket left, Socket right, SocketChannel one, SocketChannel other, RelayPair pair,
      CompletableFuture<RelayPair.Outcome> whole) {
    boolean isWhole() throws Exception {
      return whole.get(30, TimeUnit.SECONDS) == RelayPair.Outcome.WHOLE;
    }
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private Socket[] connected() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel near = SocketChannel.open(server.getLocalAddress());
      SocketChannel far = server.accept();
      opened.add(near);
      opened.add(far);
      near.socket().setSoTimeout(30_000);
      return new Socket[] {near.socket(), far.socket()};
    }
  }

  private ChannelRelay.Side side(SocketChannel channel, String ahead, Duration writeLimit) {
    Tunnel.Owner owner = new Tunnel.Owner() {
      @Override
      public void used(long now) {
        used.set(now);
      }

      @Override
      public void close() {
        throw new AssertionError("it is not the relay's to close");
      }
    };
    return new ChannelRelay.Side(new Tunnel.Direct(channel, ahead.getBytes(ISO_8859_1), writeLimit, owner),
        MessageBounds.NONE);
  }

  private Joined joined(String ahead, Duration writeLimit, Duration idle) throws IOException {
    Socket[] left = connected();
    Socket[] right = connected();
    SocketChannel one = left[1].getChannel();
    SocketChannel other = right[1].getChannel();
    CompletableFuture<RelayPair.Outcome> whole = new CompletableFuture<>();
    RelayPair pair = relay.begin(side(one, ahead, writeLimit), side(other, "", writeLimit),
        new ChannelRelay.Limits(idle, idle), whole::complete);
    return new Joined(left[0], right[0], one, other, pair, whole);
  }

  /** Sends on a thread of its own, and ends the output. */
  private static CompletableFuture<Boolean> sending(Socket to, byte[] much) {
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      try {
        to.getOutputStream().write(much);
        to.shutdownOutput();
        sent.complete(true);
      } catch (IOException e) {
        sent.completeExceptionally(e);
      }
    });
    return sent;
  }

  private static String read(Socket from, int length) throws IOException {
    return new String(from.getInputStream().readNBytes(length), ISO_8859_1);
  }

  private static void say(Socket to, String text) throws IOException {
    to.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  @Test
  void carriesBothDirectionsToTheirEnds() throws Exception {
    Joined pair = joined("early ", LONG, LONG);
    say(pair.left(), "question");
    assertEquals("early question", read(pair.right(), 14));
    say(pair.right(), "answer");
    assertEquals("answer", read(pair.left(), 6));
    assertTrue(used.get() != 0);
    pair.left().shutdownOutput();
    assertEquals("", read(pair.right(), 1));
    say(pair.right(), "late");
    assertEquals("late", read(pair.left(), 4));
    assertFalse(pair.whole().isDone());
    pair.right().shutdownOutput();
    assertEquals("", read(pair.left(), 1));
    assertTrue(pair.isWhole());
    assertTrue(pair.one().isOpen() && pair.one().isBlocking() && pair.other().isBlocking());
  }

  @Test
  void carriesManyBytesUnchangedThroughAnyNumberOfPairs() throws Exception {
    byte[] much = new byte[1 << 20];
    new Random(4711).nextBytes(much);
    List<Joined> pairs = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      pairs.add(joined("", LONG, LONG));
    }
    for (Joined pair : pairs.subList(100, 110)) {
      sending(pair.left(), much);
      assertArrayEquals(much, pair.right().getInputStream().readAllBytes());
    }
    for (Joined pair : pairs) {
      say(pair.right(), "x");
      assertEquals("x", read(pair.left(), 1));
    }
  }

  @Test
  void readsNoMoreThanTheOtherEndTakes() throws Exception {
    Joined pair = joined("", LONG, LONG);
    byte[] much = new byte[64 << 20];
    CompletableFuture<Boolean> sent = sending(pair.left(), much);
    say(pair.right(), "the other way goes on");
    assertEquals("the other way goes on", read(pair.left(), 21));
    assertFalse(sent.isDone());
    assertEquals(much.length, pair.right().getInputStream().readAllBytes().length);
    assertTrue(sent.get(30, TimeUnit.SECONDS));
  }

  @Test
  void endsWhereOneEndLeavesBytesUnread() throws Exception {
    Joined pair = joined("", SHORT, LONG);
    sending(pair.left(), new byte[64 << 20]);
    assertFalse(pair.isWhole());
  }

  @Test
  void endsWhereNothingPassesEitherWay() throws Exception {
    assertEquals(RelayPair.Outcome.IDLE, joined("", LONG, SHORT).whole().get(30, TimeUnit.SECONDS));
  }

  @Test
  void anErrorEndsBothDirections() throws Exception {
    Joined pair = joined("", LONG, LONG);
    say(pair.left(), "x");
    assertEquals("x", read(pair.right(), 1));
    pair.left().setSoLinger(true, 0);
    pair.left().close();
    assertFalse(pair.isWhole());
  }

  @Test
  void closingAConnectionFromAnotherThreadEndsIt() throws Exception {
    Joined pair = joined("", LONG, LONG);
    say(pair.left(), "x");
    assertEquals("x", read(pair.right(), 1));
    long start = System.nanoTime();
    ChannelRelay.wake(pair.other().socket());
    pair.other().close();
    assertFalse(pair.isWhole());
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
  }

  @Test
  void aConnectionThatIsClosedAlreadyEndsItAtOnce() throws Exception {
    Socket[] left = connected();
    Socket[] right = connected();
    left[1].close();
    CompletableFuture<RelayPair.Outcome> whole = new CompletableFuture<>();
    relay.begin(side(left[1].getChannel(), "", LONG), side(right[1].getChannel(), "", LONG),
        new ChannelRelay.Limits(LONG, LONG),
        whole::complete);
    assertEquals(RelayPair.Outcome.FAILED, whole.get(30, TimeUnit.SECONDS));
  }

  @Test
  void anotherThreadEndsItWithALastMessageForEachSide() throws Exception {
    Joined pair = joined("", LONG, LONG);
    pair.pair().end("bye left".getBytes(ISO_8859_1), "bye right".getBytes(ISO_8859_1));
    assertEquals("bye left", read(pair.left(), 100));
    assertEquals("bye right", read(pair.right(), 100));
    assertFalse(pair.whole().isDone(), "the sides may still say something");
    pair.left().close();
    pair.right().close();
    assertTrue(pair.isWhole());
  }

  @Test
  void whatComesBehindTheLastMessageIsDiscardedUntilBothSidesEnd() throws Exception {
    Joined joined = joined("", LONG, LONG);
    joined.pair().end("L".getBytes(ISO_8859_1), "R".getBytes(ISO_8859_1));
    assertEquals("R", read(joined.right(), 10), "its output has ended");
    say(joined.left(), "more");
    say(joined.right(), "more");
    joined.right().shutdownOutput();
    assertEquals("L", read(joined.left(), 10));
    joined.left().shutdownOutput();
    assertTrue(joined.isWhole());
  }

  @Test
  void anotherThreadEndsItAtOnce() throws Exception {
    Joined pair = joined("", LONG, LONG);
    pair.pair().abort();
    assertFalse(pair.isWhole());
    assertEquals("", read(pair.left(), 1));
    assertEquals("", read(pair.right(), 1));
  }

  @Test
  void wakingASocketThatIsNotRelayedChangesNothing() throws Exception {
    Socket[] both = connected();
    ChannelRelay.wake(both[1]);
    say(both[0], "x");
    assertEquals("x", read(both[1], 1));
    try (Socket unconnected = new Socket()) {
      ChannelRelay.wake(unconnected);
      assertFalse(unconnected.isInputShutdown());
    }
  }
}

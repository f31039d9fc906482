package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.MalformedMessageException;

class TimedInputTest {
  /** What each read of the connection returns: a piece, the end for an empty one, a failure for none. */
  private final LinkedBlockingQueue<Optional<String>> pieces = new LinkedBlockingQueue<>();
  private final DeadlineTimer watch = new DeadlineTimer("test-watch");
  private final DeadlineTimer.Deadline deadline = watch.deadline(() -> pieces.add(Optional.of("")));
  private final ReadDeadline pace = new ReadDeadline(ServerLimits.DEFAULT.waits());
  private final CountDownLatch left = new CountDownLatch(1);
  private final TimedInput input = new TimedInput(connection(), deadline, pace, new Socket(),
      Optional.empty());

  private InputStream connection() {
    return new InputStream() {
      @Override
      public int read() {
        throw new AssertionError("single bytes are not read");
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        byte[] piece = next().orElseThrow(() -> new IOException("reset")).getBytes(ISO_8859_1);
        assertTrue(piece.length <= length, "there is room for it");
        System.arraycopy(piece, 0, into, offset, piece.length);
        return piece.length == 0 ? -1 : piece.length;
      }
    };
  }

  private Optional<String> next() {
    try {
      return pieces.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() {
    pieces.add(Optional.of(""));
    watch.close();
  }

  private String read(int length) throws IOException {
    byte[] into = new byte[length];
    int n = input.read(into, 0, length);
    return n < 0 ? "end" : new String(into, 0, n, ISO_8859_1);
  }

  private void awaitRead() throws InterruptedException {
    Await.until(pieces::isEmpty);
  }

  @Test
  void whatIsReadAheadIsReadNext() throws Exception {
    input.readAhead(left::countDown);
    pieces.add(Optional.of("abc"));
    pieces.add(Optional.of("def"));
    awaitRead();
    pieces.add(Optional.of("ghi"));
    pieces.add(Optional.of("jkl"));
    StringBuilder all = new StringBuilder();
    while (all.length() < 12) {
      all.append(read(4));
    }
    assertEquals("abcdefghijkl", all.toString());
    assertEquals(1, left.getCount());
  }

  @Test
  void readAheadEndsWhenItsRoomIsFull() throws Exception {
    input.readAhead(left::countDown);
    pieces.add(Optional.of("x".repeat(1024)));
    pieces.add(Optional.of("y".repeat(7168)));
    awaitRead();
    pieces.add(Optional.of("behind"));
    StringBuilder all = new StringBuilder();
    while (all.length() < 8192) {
      all.append(read(8192));
    }
    assertEquals("x".repeat(1024) + "y".repeat(7168), all.toString());
    assertEquals("behind", read(2000));
  }

  @Test
  void anEndBehindWhatIsReadAheadIsNoticed() throws Exception {
    input.readAhead(left::countDown);
    pieces.add(Optional.of("abc"));
    pieces.add(Optional.of(""));
    assertTrue(left.await(20, TimeUnit.SECONDS));
    assertEquals("abc", read(10));
    assertEquals("end", read(10));
    assertEquals("end", read(10));
  }

  @Test
  void aBrokenConnectionIsNoticedAndFailsTheNextRead() throws Exception {
    input.readAhead(left::countDown);
    pieces.add(Optional.empty());
    assertTrue(left.await(20, TimeUnit.SECONDS));
    assertEquals("reset", assertThrows(IOException.class, () -> read(10)).getMessage());
  }

  @Test
  void nextWatcherIsNotifiedOfTheEnd() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    input.readAhead(first::countDown);
    input.readAhead(left::countDown);
    pieces.add(Optional.of(""));
    assertTrue(left.await(20, TimeUnit.SECONDS));
    input.readAhead(late::countDown);
    assertTrue(late.await(20, TimeUnit.SECONDS));
    assertEquals(1, first.getCount());
  }

  @Test
  void aReadBehindAReadAheadHasItsDeadline() {
    pace.change(new ServerLimits.Waits(Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(50),
        Duration.ofMillis(50), Duration.ofMillis(50), 0, Duration.ZERO, Duration.ofMillis(50)));
    pace.another();
    input.readAhead(left::countDown);
    assertEquals(408, assertThrows(MalformedMessageException.class, () -> read(10)).status());
  }

  @Test
  void aReadBehindAReadAheadHasTheLimitOfATunnel() throws Exception {
    pace.endless();
    input.readAhead(left::countDown);
    input.idleLimit(20);
    assertThrows(SocketTimeoutException.class, () -> read(10));
    input.idleLimit(20_000);
    pieces.add(Optional.of("on"));
    assertEquals("on", read(10));
  }
}

package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;

/** Where a client that leaves interrupts the thread of its exchange, which here is that of the test. */
class ClientPresenceTest {
  private final ClientPresence presence = new ClientPresence();

  @AfterEach
  void noInterruptIsLeft() {
    assertFalse(Thread.interrupted());
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  @Test
  void aClientThatLeavesEndsTheWait() {
    CountDownLatch waiting = new CountDownLatch(1);
    Thread client = Thread.ofVirtual().start(() -> {
      try {
        waiting.await();
        presence.leave();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    assertThrows(InterruptedException.class, () -> presence.during(() -> {
      waiting.countDown();
      client.join();
      Await.pause(1);
      return "";
    }));
    assertTrue(presence.hasLeft());
  }

  private static InputStream failing(IOException error) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw error;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        throw error;
      }
    };
  }

  /** Its connection is closed then, as its response is not whole: so it leaves afterwards. */
  @Test
  void anUpstreamThatFailsIsNamedThoughTheClientLeavesThen() {
    byte[] room = new byte[1];
    assertThrows(IOException.class, () -> presence.body(failing(new IOException("reset"))).read(room));
    presence.leave();
    assertEquals(Optional.of(ClientPresence.BROKE_OFF), presence.failure());
    ClientPresence other = new ClientPresence();
    IOException stalled = new IOException("stalled", new SocketTimeoutException("nothing"));
    assertThrows(IOException.class, () -> other.body(failing(stalled)).read(room));
    assertEquals(Optional.of(ClientPresence.SILENT), other.failure());
  }

  @Test
  void anUpstreamThatFailsAsTheClientHasLeftIsNotNamed() {
    presence.leave();
    assertThrows(IOException.class, () -> presence.body(failing(new IOException("interrupted"))).read(new byte[1]));
    assertEquals(Optional.empty(), presence.failure());
  }

  @Test
  void nothingButWaitsIsInterrupted() throws Exception {
    assertEquals("kept", presence.during(() -> isInterrupted() ? "lost" : "kept"));
    presence.leave();
    assertFalse(isInterrupted());
    assertEquals("interrupted", presence.during(() -> isInterrupted() ? "interrupted" : "waits"));
    assertFalse(isInterrupted());
  }

  @Test
  void whoLeavesTwiceInterruptsEachWait() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertEquals("interrupted", presence.during(() -> {
        presence.leave();
        return isInterrupted() ? "interrupted" : "waits";
      }));
      assertFalse(isInterrupted());
      presence.leave();
      assertFalse(isInterrupted());
    }
  }

  @Test
  void anActionAsideIsNotInterrupted() throws Exception {
    String seen = presence.during(() -> {
      StringBuilder out = new StringBuilder();
      presence.aside(() -> {
        presence.leave();
        out.append(isInterrupted());
      });
      return out.append(' ').append(isInterrupted()).toString();
    });
    assertEquals("false true", seen);
  }

  @Test
  void otherInterruptsStayWhereTheClientIsThere() throws Exception {
    presence.during(() -> {
      Thread.currentThread().interrupt();
      return "";
    });
    assertTrue(Thread.interrupted());
  }

  @Test
  void readingTheResponseIsAWait() throws Exception {
    boolean[] interrupted = new boolean[2];
    try (InputStream body = presence.body(new ByteArrayInputStream(new byte[8]) {
      @Override
      public int read(byte[] into, int offset, int length) {
        presence.leave();
        interrupted[0] = isInterrupted();
        return super.read(into, offset, length);
      }
    })) {
      assertEquals(8, body.read(new byte[16], 0, 16));
      interrupted[1] = isInterrupted();
    }
    assertEquals("true false", interrupted[0] + " " + interrupted[1]);
  }

  /** A body of which something comes when it is read; its client leaves meanwhile. */
  private class Leaving extends InputStream implements PausableBody {
    private boolean interrupted;

    @Override
    public int read() {
      presence.leave();
      interrupted = isInterrupted();
      return -1;
    }

    @Override
    public boolean begins(int millis) {
      return comes(millis);
    }

    @Override
    public boolean comes(int millis) {
      presence.leave();
      interrupted = isInterrupted();
      return false;
    }

    @Override
    public boolean isShared() {
      return false;
    }

    @Override
    public void pause(Runnable coming) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Source pause() {
      return new Source(null, Duration.ofSeconds(7));
    }

    @Override
    public void resume(boolean late) {
      interrupted = late;
    }

    @Override
    public Fields trailers() {
      return Fields.of("X-Sum", "1");
    }
  }

  @Test
  void waitingForAResponseThatMayPauseIsAWait() throws Exception {
    Leaving leaving = new Leaving();
    PausableBody body = (PausableBody) presence.body(leaving);
    assertFalse(body.comes(1));
    assertTrue(leaving.interrupted);
    assertFalse(isInterrupted());
    leaving.interrupted = false;
    assertFalse(body.begins(1));
    assertTrue(leaving.interrupted);
    assertFalse(isInterrupted());
    assertEquals(Fields.of("X-Sum", "1"), body.trailers());
  }

  @Test
  void aPausedResponseInterruptsTheThreadThatResumesItAndNoOther() throws Exception {
    Leaving leaving = new Leaving();
    InputStream in = presence.body(leaving);
    PausableBody body = (PausableBody) in;
    assertEquals(Duration.ofSeconds(7), body.pause().longest());
    assertEquals("goes on", presence.during(() -> {
      presence.leave();
      return isInterrupted() ? "interrupted" : "goes on";
    }));
    Thread other = Thread.ofVirtual().start(() -> {
      body.resume(true);
      assertTrue(leaving.interrupted, "it is passed on that nothing came");
      try {
        in.read(new byte[1], 0, 1);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    other.join();
    assertTrue(leaving.interrupted);
  }

  @Test
  void whoHasLeftBeforeNoThreadWaitsWakesItAtOnce() {
    AtomicInteger woken = new AtomicInteger();
    presence.suspend(woken::incrementAndGet);
    assertEquals(0, woken.get());
    ClientPresence gone = new ClientPresence();
    gone.leave();
    gone.suspend(woken::incrementAndGet);
    assertEquals(1, woken.get());
  }

  @Test
  void whoLeavesWhileNoThreadWaitsWakesOneAndInterruptsNone() throws Exception {
    AtomicInteger woken = new AtomicInteger();
    presence.suspend(woken::incrementAndGet);
    assertEquals("goes on", presence.during(() -> {
      presence.leave();
      return isInterrupted() ? "interrupted" : "goes on";
    }));
    assertEquals(1, woken.get());
  }

  @Test
  void theThreadThatGoesOnIsInterruptedAgainAndNotWoken() throws Exception {
    AtomicInteger woken = new AtomicInteger();
    presence.suspend(woken::incrementAndGet);
    presence.resume();
    assertEquals("interrupted", presence.during(() -> {
      presence.leave();
      return isInterrupted() ? "interrupted" : "goes on";
    }));
    assertEquals(0, woken.get());
  }

  @Test
  void theFirstFailureIsNamed() {
    byte[] room = new byte[1];
    IOException stalled = new IOException("stalled", new SocketTimeoutException("nothing"));
    assertThrows(IOException.class, () -> presence.body(failing(new IOException("reset"))).read(room));
    assertThrows(IOException.class, () -> presence.body(failing(stalled)).read(room));
    assertEquals(Optional.of(ClientPresence.BROKE_OFF), presence.failure());
  }

  @Test
  void nothingIsAwaitedOfABodyThatIsThere() throws Exception {
    InputStream body = presence.body(new Leaving() {
      @Override
      public int available() {
        return 1;
      }
    });
    assertSame(body, presence.begun(body, 1));
    assertFalse(presence.hasLeft(), "it has not been asked");
    InputStream none = presence.body(new Leaving());
    assertSame(none, presence.begun(none, 1));
    assertTrue(presence.hasLeft(), "it has");
  }

  @Test
  void aBodyThatBreaksOffBeforeItsBeginFailsUnlessItsClientHasLeft() throws Exception {
    InputStream broken = new FilterInputStream(failing(new IOException("reset"))) {
      @Override
      public int available() throws IOException {
        throw new IOException("reset");
      }
    };
    InputStream body = presence.body(broken);
    assertThrows(IOException.class, () -> presence.begun(body, 1));
    assertEquals(Optional.of(ClientPresence.BROKE_OFF), presence.failure());
    ClientPresence gone = new ClientPresence();
    gone.leave();
    InputStream other = gone.body(broken);
    assertSame(other, gone.begun(other, 1));
  }
}

package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
      Thread.sleep(1);
      return "";
    }));
    assertTrue(presence.hasLeft());
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
}

package portcullis.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

class FlowControlTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(20);
  private final FlowControl flow = new FlowControl();
  private final AtomicInteger taken = new AtomicInteger();

  @Test
  void takesNoMoreThanBothWindowsHave() throws IOException {
    FlowControl.Window one = flow.open();
    FlowControl.Window two = flow.open();
    assertEquals(1000, flow.take(one, 1000, LONG));
    assertEquals(64535, flow.take(one, 100_000, LONG));
    assertThrows(IOException.class, () -> flow.take(two, 1, 1_000_000), "the connection's window is used up");
    flow.grant(10);
    assertThrows(IOException.class, () -> flow.take(one, 1, 1_000_000), "the stream's window is used up");
    assertEquals(10, flow.take(two, 100, LONG));
  }

  private int expectedUpdates() {
    int out = 0;
    while (flow.expectsUpdate()) {
      out++;
    }
    return out;
  }

  @Test
  void streamsAndSentDataAccountForUpdates() throws Exception {
    assertEquals(0, expectedUpdates());
    FlowControl.Window window = flow.open();
    assertEquals(2, expectedUpdates());
    flow.take(window, 1023, LONG);
    flow.take(window, 2048, LONG);
    assertEquals(6, expectedUpdates());
    for (int i = 0; i < 10_000; i++) {
      flow.close(flow.open());
    }
    assertEquals(10_000, expectedUpdates(), "no more are saved up");
  }

  @Test
  void waitingSenderContinuesWhenWindowGrows() throws Exception {
    FlowControl.Window window = flow.open();
    flow.take(window, 65535, LONG);
    LinkedBlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
    Thread waiting = Thread.startVirtualThread(() -> {
      try {
        taken.add(flow.take(window, 100, LONG));
      } catch (IOException e) {
        taken.add(-1);
      }
    });
    flow.grant(1, window, 5);
    assertTrue(taken.isEmpty());
    flow.grant(7);
    assertEquals(5, taken.poll(20, TimeUnit.SECONDS));
    waiting.join();
  }

  /** Takes that many bytes one by one, on a thread whose waits are counted. */
  private Thread sender(FlowControl.Window window, int bytes) {
    return Thread.ofPlatform().start(() -> {
      try {
        for (int i = 0; i < bytes; i++) {
          flow.take(window, 1, LONG);
          taken.incrementAndGet();
        }
      } catch (IOException e) {
        // its stream has been closed
      }
    });
  }

  private static long waits(Thread thread) {
    return ManagementFactory.getThreadMXBean().getThreadInfo(thread.threadId()).getWaitedCount();
  }

  private void awaitWaiting(int senders) throws InterruptedException {
    Await.until(() -> flow.waiting() == senders);
  }

  @Test
  void anUpdateWakesNoOtherStream() throws Exception {
    int updates = 200;
    FlowControl.Window moving = flow.open();
    FlowControl.Window quiet = flow.open();
    flow.initial(0);
    Thread other = sender(quiet, 1);
    awaitWaiting(1);
    Await.until(() -> other.getState() == Thread.State.TIMED_WAITING);
    long before = waits(other);
    Thread sender = sender(moving, updates);
    for (int i = 1; i <= updates; i++) {
      int bytes = i;
      awaitWaiting(2);
      flow.grant(1, moving, 1);
      Await.until(() -> taken.get() == bytes);
    }
    sender.join();
    assertTrue(waits(other) - before < updates / 2, () -> waits(other) - before + " waits for another stream");
    flow.close(quiet);
    other.join();
  }

  @Test
  void streamsShareAConnectionThatGrantsLittle() throws Exception {
    FlowControl.Window used = flow.open();
    flow.take(used, 65535, LONG);
    Thread[] senders = new Thread[4];
    for (int i = 0; i < senders.length; i++) {
      senders[i] = sender(flow.open(), 1);
      awaitWaiting(i + 1);
    }
    for (int i = 0; i < 2; i++) {
      flow.grant(1);
      senders[i].join();
      assertEquals(senders.length - i - 1, flow.waiting(), "one for each byte, in their order");
    }
    flow.grant(10);
    for (Thread sender : senders) {
      sender.join();
    }
  }

  @Test
  void allWaitingSendersContinueByAnotherInitialWindow() throws Exception {
    flow.initial(0);
    Thread one = sender(flow.open(), 3);
    Thread two = sender(flow.open(), 3);
    awaitWaiting(2);
    flow.initial(3);
    one.join();
    two.join();
    assertEquals(0, flow.waiting());
  }

  @Test
  void waitingSenderFailsWhenStreamCloses() throws Exception {
    FlowControl.Window window = flow.open();
    flow.take(window, 65535, LONG);
    LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    Thread waiting = Thread.startVirtualThread(() -> {
      try {
        flow.take(window, 1, LONG);
      } catch (IOException e) {
        ends.add("closed");
      }
    });
    flow.close(window);
    assertEquals("closed", ends.poll(20, TimeUnit.SECONDS));
    waiting.join();
  }

  @Test
  void newInitialWindowChangesOpenStreams() throws IOException {
    FlowControl.Window window = flow.open();
    flow.take(window, 60000, LONG);
    flow.initial(1000);
    flow.grant(100_000);
    assertThrows(IOException.class, () -> flow.take(window, 1, 1_000_000), "it is below zero");
    flow.initial(65535);
    assertEquals(5535, flow.take(window, 100_000, LONG));
    assertEquals(1, flow.take(flow.open(), 1, LONG));
  }

  @Test
  void refusesWindowsBeyondTheirRange() throws IOException {
    FlowControl.Window window = flow.open();
    assertEquals(Http2Error.PROTOCOL_ERROR, assertThrows(Http2Exception.class, () -> flow.grant(3, window, 0)).error());
    assertEquals(3, assertThrows(Http2Exception.class, () -> flow.grant(3, window, Integer.MAX_VALUE)).stream());
    assertEquals(0, assertThrows(Http2Exception.class, () -> flow.grant(Integer.MAX_VALUE)).stream());
    flow.grant(3, window, 100_000);
    assertThrows(Http2Exception.class, () -> flow.initial(Integer.MAX_VALUE));
  }
}

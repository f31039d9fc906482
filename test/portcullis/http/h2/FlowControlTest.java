package portcullis.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FlowControlTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(20);
  private final FlowControl flow = new FlowControl();

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

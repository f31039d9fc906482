package portcullis.background;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TimeSliceTest {
  /**
   * Four threads for each processor never wait, and yet new ones run. With {@link Thread#yield} instead they do not
   * as long as those run.
   */
  @Test
  void threadsThatNeverWaitLeaveProcessorsForOthers() throws Exception {
    AtomicBoolean end = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    CountDownLatch others = new CountDownLatch(20);
    try {
      for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
        busy.add(Thread.ofVirtual().start(() -> {
          TimeSlice slice = new TimeSlice();
          while (!end.get()) {
            slice.read(System.nanoTime(), 1);
          }
        }));
      }
      for (long i = others.getCount(); i > 0; i--) {
        Thread.ofVirtual().start(others::countDown);
      }
      assertTrue(others.await(60, TimeUnit.SECONDS));
    } finally {
      end.set(true);
    }
    for (Thread thread : busy) {
      thread.join();
    }
    assertEquals(0, others.getCount());
  }
}

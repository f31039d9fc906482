package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeadlineTimerTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void faultOfOneDeadlineLeavesAllOthers(boolean error) throws Exception {
    try (DeadlineTimer watch = new DeadlineTimer("watch under test")) {
      for (int i = 0; i < 20; i++) {
        watch.deadline(() -> {
          if (error) {
            throw new NoClassDefFoundError("in a deadline");
          }
          throw new IllegalStateException("in a deadline");
        }).set(1);
      }
      CountDownLatch ended = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        watch.deadline(ended::countDown).set(1_000_000);
      }
      assertTrue(ended.await(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void roughDeadlinesPassToo() throws Exception {
    try (DeadlineTimer watch = new DeadlineTimer("watch under test")) {
      for (int i = 0; i < 3; i++) {
        CountDownLatch ended = new CountDownLatch(1);
        watch.roughDeadline(() -> {
          throw new IllegalStateException("one that is closed");
        }).close();
        watch.roughDeadline(ended::countDown).set(1_000_000);
        assertTrue(ended.await(60, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void endsWhatWaitsAfterARest() throws Exception {
    try (DeadlineTimer watch = new DeadlineTimer("watch under test")) {
      for (int i = 0; i < 3; i++) {
        CountDownLatch ended = new CountDownLatch(1);
        watch.deadline(ended::countDown).set(1_000_000);
        assertTrue(ended.await(60, TimeUnit.SECONDS));
      }
    }
  }
}

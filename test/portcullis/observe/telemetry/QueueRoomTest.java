package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

class QueueRoomTest {
  private static final long A_MINUTE = TimeUnit.MINUTES.toNanos(1);

  @Test
  void linesAreLimited() {
    QueueRoom room = new QueueRoom(3, Long.MAX_VALUE);
    assertTrue(room.take(2, Integer.MAX_VALUE));
    assertFalse(room.take(2, 0));
    assertTrue(room.take(1, Integer.MAX_VALUE));
    assertFalse(room.take(1, 0));
    room.release(1, Integer.MAX_VALUE);
    assertTrue(room.take(1, 0));
  }

  @Test
  void bytesAreLimited() {
    QueueRoom room = new QueueRoom(1000, 100);
    assertTrue(room.take(1, 99));
    assertFalse(room.take(1, 2));
    assertTrue(room.take(1, 1));
    room.release(1, 99);
    assertTrue(room.take(1, 99));
    assertFalse(room.take(1, 1));
  }

  @Test
  void whatIsTakenAnywayCounts() {
    QueueRoom room = new QueueRoom(1000, 100);
    room.takeAnyway(101);
    assertEquals(101, room.bytes());
    assertFalse(room.take(1, 0));
    room.release(0, 1);
    assertTrue(room.take(1, 0));
  }

  /** A long line leaves room for many short ones. */
  @Test
  void wakesAllForWhichBytesBecomeFree() throws Exception {
    QueueRoom room = new QueueRoom(1000, 25_600);
    assertTrue(room.take(1, 25_600));
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(pool.submit(() -> room.take(1, 256, 2 * A_MINUTE)));
      }
      Await.until(() -> room.waiting() == 100);
      room.release(1, 25_600);
      for (Future<Boolean> one : all) {
        assertTrue(one.get(1, TimeUnit.MINUTES));
      }
    }
  }

  @Test
  void whatFindsNoRoomTakesNone() {
    QueueRoom room = new QueueRoom(2, 10);
    for (int i = 0; i < 1000; i++) {
      assertFalse(room.take(1, 11));
      assertFalse(room.take(3, 1));
    }
    assertTrue(room.take(2, 10));
  }

  @Test
  void waitsUntilThereIsRoom() throws Exception {
    QueueRoom room = new QueueRoom(2, 10);
    assertTrue(room.take(2, 0));
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> both = pool.submit(() -> room.take(2, 0, A_MINUTE));
      room.release(1, 0);
      assertFalse(both.isDone());
      room.release(1, 0);
      assertTrue(both.get(1, TimeUnit.MINUTES));
    }
    assertFalse(room.take(1, 0, 1_000_000));
  }

  @Test
  void allWhoWaitFindRoomInTheEnd() throws Exception {
    QueueRoom room = new QueueRoom(2, 10);
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        all.add(pool.submit(() -> {
          boolean taken = room.take(2, 0, A_MINUTE);
          room.release(1, 0);
          room.release(1, 0);
          return taken;
        }));
      }
      for (Future<Boolean> one : all) {
        assertTrue(one.get(1, TimeUnit.MINUTES));
      }
    }
  }

  /** Threads that take, wait and release leave nothing taken, and never have more than there is. */
  @Test
  void countsEachOnce() throws Exception {
    QueueRoom room = new QueueRoom(8, 64);
    AtomicInteger lines = new AtomicInteger();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> most = new ArrayList<>();
      for (int thread = 0; thread < 16; thread++) {
        int count = 1 + thread % 3;
        most.add(pool.submit(() -> {
          int highest = 0;
          for (int i = 0; i < 2000; i++) {
            if (i % 2 == 0 ? room.take(count, 4, A_MINUTE) : room.take(count, 4)) {
              highest = Math.max(highest, lines.addAndGet(count));
              lines.addAndGet(-count);
              room.release(count, 4);
            }
          }
          return highest;
        }));
      }
      for (Future<Integer> one : most) {
        assertTrue(one.get(1, TimeUnit.MINUTES) <= 8);
      }
    }
    assertTrue(room.take(8, 64));
    assertEquals(0, lines.get());
  }
}

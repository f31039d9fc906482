package portcullis.background;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

class VirtualThreadPoolTest {
  private static final int MOST_WAITING = 128;

  private final VirtualThreadPool pool = new VirtualThreadPool("test");

  /** Runs a task to its end, and returns the thread that has run it. */
  private Thread run(Runnable task) throws Exception {
    FutureTask<Thread> done = new FutureTask<>(() -> {
      task.run();
      return Thread.currentThread();
    });
    pool.execute(done);
    return done.get(20, TimeUnit.SECONDS);
  }

  private void awaitWaiting(int count) throws InterruptedException {
    Await.until(() -> pool.waiting() == count, () -> pool.waiting() + " threads wait");
  }

  @Test
  void aThreadServesOneTaskAfterTheOther() throws Exception {
    Thread first = run(() -> {});
    awaitWaiting(1);
    assertEquals(first, run(() -> {}));
    assertTrue(first.isVirtual());
    assertEquals("test", first.getName());
  }

  @Test
  void moreTasksThanThreadsRunAtOnceAndEnoughThreadsStay() throws Exception {
    pool.fill();
    awaitWaiting(MOST_WAITING);
    CountDownLatch all = new CountDownLatch(2 * MOST_WAITING);
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 2 * MOST_WAITING; i++) {
      pool.execute(() -> {
        all.countDown();
        try {
          end.await();
        } catch (InterruptedException _) {
          // the test fails
        }
      });
    }
    assertTrue(all.await(20, TimeUnit.SECONDS));
    assertEquals(0, pool.waiting());
    end.countDown();
    awaitWaiting(MOST_WAITING);
    pool.fill();
    Set<Thread> used = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      used.add(run(() -> {}));
    }
    awaitWaiting(MOST_WAITING);
  }

  @Test
  void anErrorOrAnInterruptEndsItsTaskOnly() throws Exception {
    CountDownLatch reported = new CountDownLatch(1);
    pool.execute(() -> {
      Thread.currentThread().setUncaughtExceptionHandler((_, _) -> reported.countDown());
      throw new IllegalStateException("the test");
    });
    assertTrue(reported.await(20, TimeUnit.SECONDS));
    awaitWaiting(1);
    Thread thread = run(() -> Thread.currentThread().interrupt());
    awaitWaiting(1);
    thread.interrupt();
    boolean[] interrupted = {true};
    assertEquals(thread, run(() -> interrupted[0] = Thread.currentThread().isInterrupted()));
    assertFalse(interrupted[0]);
  }

  @Test
  void aTaskRunsAlthoughOthersKeepAllProcessorsBusy() throws Exception {
    pool.fill();
    awaitWaiting(MOST_WAITING);
    CountDownLatch ran = new CountDownLatch(1);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    AtomicReferenceArray<Thread> players = new AtomicReferenceArray<>(32 * Runtime.getRuntime().availableProcessors());
    pool.execute(() -> {
      for (int i = 0; i < players.length(); i++) {
        int self = i;
        pool.execute(() -> {
          players.set(self, Thread.currentThread());
          while (ran.getCount() > 0 && System.nanoTime() < end) {
            LockSupport.unpark(players.get(self ^ 1));
            LockSupport.park();
          }
          LockSupport.unpark(players.get(self ^ 1));
        });
      }
      pool.execute(ran::countDown);
    });
    assertTrue(ran.await(20, TimeUnit.SECONDS));
  }
}

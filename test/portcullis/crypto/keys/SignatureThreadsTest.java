package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignatureThreadsTest {
  @Test
  void aVirtualThreadHasItComputedByAThreadOfTheSystem() throws Exception {
    Thread computing = inVirtualThread(() -> SignatureThreads.compute(false, Thread::currentThread));
    assertFalse(computing.isVirtual());
    assertTrue(computing.isDaemon());
    assertEquals("signature", computing.getName());
  }

  @Test
  void halfOfTheCarriersComputeWhatIsBrief() throws Exception {
    int carriers = Runtime.getRuntime().availableProcessors();
    CyclicBarrier together = new CyclicBarrier(carriers);
    List<FutureTask<Thread>> tasks = new ArrayList<>();
    for (int i = 0; i < carriers; i++) {
      tasks.add(virtual(() -> SignatureThreads.compute(true, () -> {
        together.await();
        return Thread.currentThread();
      })));
    }
    int here = 0;
    for (FutureTask<Thread> task : tasks) {
      here += task.get(30, TimeUnit.SECONDS).isVirtual() ? 1 : 0;
    }
    assertEquals(carriers / 2, here);
  }

  @Test
  void anotherThreadComputesItItself() throws Exception {
    assertSame(Thread.currentThread(), SignatureThreads.compute(false, Thread::currentThread));
  }

  /** As many as wait for the processors with a signature: none of them has a carrier of virtual threads. */
  @Test
  void othersGoOnWhileAllAreBusy() throws Exception {
    int waiting = 4 * Runtime.getRuntime().availableProcessors();
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(waiting);
    for (int i = 0; i < waiting; i++) {
      Thread.ofVirtual().start(() -> {
        Jca.required(() -> SignatureThreads.compute(false, () -> {
          while (over.getCount() > 0) {
            Thread.onSpinWait();
          }
          return 1;
        }));
        done.countDown();
      });
    }
    try {
      assertEquals(2, inVirtualThread(() -> 2));
    } finally {
      over.countDown();
    }
    assertTrue(done.await(30, TimeUnit.SECONDS));
  }

  @Test
  void whatIsThrownIsThrownToTheCaller() throws Exception {
    for (Throwable thrown : new Throwable[] {new SignatureException("s"), new IllegalStateException("i"),
      new StackOverflowError("e")}) {
      Callable<Integer> failing = () -> {
        switch (thrown) {
          case Exception e -> throw e;
          case Error e -> throw e;
          default -> throw new AssertionError(thrown);
        }
      };
      assertSame(thrown, assertThrows(thrown.getClass(), () -> SignatureThreads.compute(false, failing)));
      ExecutionException aside = assertThrows(ExecutionException.class,
          () -> virtual(() -> SignatureThreads.compute(false, failing)).get());
      assertSame(thrown, aside.getCause());
    }
    Callable<Integer> other = () -> {
      throw new IOException("o");
    };
    GeneralSecurityException checked = assertThrows(GeneralSecurityException.class,
        () -> SignatureThreads.compute(false, other));
    assertEquals("o", checked.getCause().getMessage());
  }

  @Test
  void anInterruptionLosesNoResultAndIsKept() throws Exception {
    String result = inVirtualThread(() -> {
      Thread.currentThread().interrupt();
      return SignatureThreads.compute(false, () -> "signed") + Thread.interrupted();
    });
    assertEquals("signedtrue", result);
  }

  private static <T> T inVirtualThread(Callable<T> task) throws Exception {
    return virtual(task).get(30, TimeUnit.SECONDS);
  }

  private static <T> FutureTask<T> virtual(Callable<T> task) {
    FutureTask<T> out = new FutureTask<>(task);
    Thread.ofVirtual().start(out);
    return out;
  }
}

package portcullis.crypto.keys;

import java.security.GeneralSecurityException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Computes what takes much of a processor at once, as signatures with private and public keys do, on platform
 * threads, one for each processor. A virtual thread would keep its carrier until it is done, and a carrier that always
 * has such work does not look at the connections of others: with a flood of tokens that come once, some requests waited
 * for half a second. The system shares the processors between these threads and the carriers instead. Those who wait
 * are served in the order of their arrival; there are no more of them than requests. What takes less than 0.1 ms is
 * computed at once by half of the carriers, as handing it over would cost a fifth of it. Safe for all threads.
 */
final class SignatureThreads {
  /** An idle thread ends after this. */
  private static final int IDLE_SECONDS = 30;

  private static final Semaphore INLINE = new Semaphore(Runtime.getRuntime().availableProcessors() / 2);

  private static final ThreadPoolExecutor POOL = pool(Runtime.getRuntime().availableProcessors());

  private SignatureThreads() {}

  private static ThreadPoolExecutor pool(int threads) {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name("signature").factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * Returns the result, computed on another thread if this one is virtual, unless it is brief and few carriers compute.
   * An interruption does not end the computation; the thread stays interrupted.
   */
  static <T> T compute(boolean isBrief, Callable<T> computation) throws GeneralSecurityException {
    if (!Thread.currentThread().isVirtual()) {
      return inline(computation);
    }
    if (isBrief && INLINE.tryAcquire()) {
      try {
        return inline(computation);
      } finally {
        INLINE.release();
      }
    }
    return pooled(computation);
  }

  private static <T> T inline(Callable<T> computation) throws GeneralSecurityException {
    try {
      return computation.call();
    } catch (Exception e) {
      throw checked(e);
    }
  }

  private static <T> T pooled(Callable<T> computation) throws GeneralSecurityException {
    FutureTask<T> task = new FutureTask<>(computation);
    try {
      POOL.execute(task);
    } catch (OutOfMemoryError _) {
      task.run(); // no thread can be started, as a limit on processes is reached
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException _) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw checked(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the cause; what is unchecked is thrown. */
  private static GeneralSecurityException checked(Throwable cause) {
    return switch (cause) {
      case GeneralSecurityException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new GeneralSecurityException(cause);
    };
  }
}

package portcullis.mutation;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several pieces of work at a time, each in a thread of its own. */
final class InParallel {
  private InParallel() {}

  /** Returns when all have ended. */
  static void run(List<Callable<Void>> work) throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (Future<Void> one : threads.invokeAll(work)) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }
}

package portcullis.background;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that serve one task after the other. The scheduler runs a new thread only when a processor has
 * nothing else to do: while a thousand clients keep it busy, that takes seconds. A thread that waits, and is woken by
 * another virtual thread, runs after those that were ready before. So some wait here; more are started where they do
 * not suffice, and end when there are enough again. Thread safe.
 */
public final class VirtualThreadPool implements Executor {
  /** The threads for connections and requests. */
  public static final VirtualThreadPool SHARED = new VirtualThreadPool("request");

  /** The number of threads that wait. */
  private static final int MOST_WAITING = 128;

  private final String name;
  /** The threads that wait, as a stack: who waited least has its memory at hand. */
  private final AtomicReference<Worker> waiting = new AtomicReference<>();
  private final AtomicInteger size = new AtomicInteger();

  /** @param name of the threads */
  VirtualThreadPool(String name) {
    this.name = name;
  }

  /** Starts the threads that are to wait, as far as they are missing. */
  public void fill() {
    for (int i = size.get(); i < MOST_WAITING; i++) {
      Thread.ofVirtual().name(name).start(this::serve);
    }
  }

  /** Runs a task; called on a virtual thread it does not wait for a processor without work. */
  @Override
  public void execute(Runnable task) {
    Worker worker = taken();
    if (worker == null) {
      Thread.ofVirtual().name(name).start(() -> {
        run(task);
        serve();
      });
    } else {
      worker.next = task;
      LockSupport.unpark(worker.thread);
    }
  }

  /** One wait of a thread. */
  private static final class Worker {
    private final Thread thread = Thread.currentThread();
    private Worker below;
    private volatile Runnable next;
  }

  private void serve() {
    while (size.incrementAndGet() <= MOST_WAITING) {
      Worker worker = new Worker();
      add(worker);
      while (worker.next == null) {
        LockSupport.park(this);
        Thread.interrupted(); // one that was meant for the task before
      }
      run(worker.next);
    }
    size.decrementAndGet();
  }

  private void add(Worker worker) {
    do {
      worker.below = waiting.get();
    } while (!waiting.compareAndSet(worker.below, worker));
  }

  /** Takes one away, each of which is added only once; null if there is none. */
  private Worker taken() {
    Worker worker = waiting.get();
    while (worker != null && !waiting.compareAndSet(worker, worker.below)) {
      worker = waiting.get();
    }
    if (worker != null) {
      size.decrementAndGet();
    }
    return worker;
  }

  /** An error ends its task only; an interrupt was for it. */
  private static void run(Runnable task) {
    BackgroundTask.guarded(task);
    Thread.interrupted();
  }

  /** Returns how many threads wait. */
  int waiting() {
    int count = 0;
    for (Worker worker = waiting.get(); worker != null; worker = worker.below) {
      count++;
    }
    return count;
  }
}

package portcullis.http.server;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The requests of one connection that have not been begun, in the order in which they came. A few at a time wait for a
 * processor, and each sends the next to wait when it has got one. So a client with many requests does not delay those
 * of others that come after them, and one that takes its requests back does not cost much. Thread safe.
 */
final class StreamQueue<T> {
  /** How many have a thread that waits for a processor: as many as HTTP/1.1 serves in a row. */
  private static final int MOST_SCHEDULED = 4;
  /** How many are held: each has a head of some KB, which counts against no limit before it is begun. */
  private static final int MOST_WAITING = 16;

  private final Executor threads;
  private final Consumer<T> handler;
  // not a monitor: who waited for one is woken by another thread, and gets a processor after all that have one
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition begun = lock.newCondition();
  private final ArrayDeque<T> waiting = new ArrayDeque<>(MOST_WAITING);
  private int scheduled;

  /** @param handler of a request, which may keep its thread for as long as it takes */
  StreamQueue(Executor threads, Consumer<T> handler) {
    this.threads = threads;
    this.handler = handler;
  }

  /** Adds a request, and waits while there are too many: only the thread that reads the connection may do that. */
  void add(T stream) throws IOException {
    lock.lock();
    try {
      waiting.add(stream);
      schedule();
      while (waiting.size() >= MOST_WAITING) {
        begun.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted between requests");
    } finally {
      lock.unlock();
    }
  }

  /** Takes back a request; false if it has been begun. */
  boolean remove(T stream) {
    lock.lock();
    try {
      return waiting.removeLastOccurrence(stream);
    } finally {
      lock.unlock();
    }
  }

  /** Takes back all that there are. */
  List<T> clear() {
    lock.lock();
    try {
      List<T> out = List.copyOf(waiting);
      waiting.clear();
      return out;
    } finally {
      lock.unlock();
    }
  }

  private void schedule() {
    if (scheduled < Math.min(waiting.size(), MOST_SCHEDULED)) {
      threads.execute(this::handle);
      scheduled++;
    }
  }

  private void handle() {
    T stream;
    boolean isLast;
    lock.lock();
    try {
      scheduled--;
      stream = waiting.poll();
      if (waiting.size() <= MOST_WAITING - MOST_SCHEDULED) {
        begun.signal();
      }
      isLast = isRestScheduled();
    } finally {
      lock.unlock();
    }
    try {
      if (stream != null) {
        handler.accept(stream);
      }
    } finally {
      if (!isLast) {
        handle();
      }
    }
  }

  /** Returns false where there is no memory for another thread, so that this one has to go on. */
  private boolean isRestScheduled() {
    try {
      schedule();
    } catch (OutOfMemoryError e) {
      if (scheduled == 0) {
        scheduled++;
        return false;
      }
    }
    return true;
  }
}

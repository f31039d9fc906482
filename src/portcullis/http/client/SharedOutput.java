package portcullis.http.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.wire.DeadlineTimer;

/**
 * The output of a connection that several exchanges share, written by a thread of its own: an interrupt of a writing
 * thread would close the connection of all others. For any threads.
 */
final class SharedOutput extends OutputStream implements Runnable {
  private static final int FIRST_SIZE = 4096;
  private static final int MOST = 256 * 1024;

  private record Batch(byte[] bytes, int size) {}

  private final Transport link;
  private final DeadlineTimer.Deadline deadline;
  private final long limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition emptied = lock.newCondition();
  private byte[] waiting = new byte[FIRST_SIZE];
  private int size;
  private boolean closed;

  /**
   * Creates the output of a transport.
   *
   * @param deadline of each write to it, closed with this
   * @param limit nanoseconds that a write may take
   */
  SharedOutput(Transport link, DeadlineTimer.Deadline deadline, long limit) {
    this.link = link;
    this.deadline = deadline;
    this.limit = limit;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  /** Waits only where much is waiting already. */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    lock.lock();
    try {
      while (size > MOST && !closed) {
        emptied.awaitUninterruptibly();
      }
      if (closed) {
        throw new IOException("the connection has ended");
      }
      if (waiting.length < size + length) {
        waiting = Arrays.copyOf(waiting, Math.max(size + length, waiting.length * 2));
      }
      System.arraycopy(bytes, offset, waiting, size, length);
      size += length;
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run() {
    byte[] spare = new byte[FIRST_SIZE];
    try {
      for (Optional<Batch> batch = next(spare); batch.isPresent(); batch = next(spare)) {
        spare = send(batch.get());
      }
    } catch (IOException e) {
      link.abort();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      link.abort();
    } catch (RuntimeException | Error e) {
      link.abort();
      throw e;
    } finally {
      close();
    }
  }

  private byte[] send(Batch batch) throws IOException {
    deadline.set(limit);
    link.output().write(batch.bytes(), 0, batch.size());
    deadline.clear();
    return batch.bytes().length > MOST ? new byte[FIRST_SIZE] : batch.bytes();
  }

  /**
   * Waits for bytes to send and returns them in exchange for an empty buffer; an empty result at the end. Bytes written
   * before it was closed are still sent.
   */
  private Optional<Batch> next(byte[] spare) throws InterruptedException {
    lock.lock();
    try {
      while (size == 0 && !closed) {
        filled.await();
      }
      if (size == 0) {
        return Optional.empty();
      }
      Batch out = new Batch(waiting, size);
      waiting = spare;
      size = 0;
      emptied.signalAll();
      return Optional.of(out);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    deadline.close();
    lock.lock();
    try {
      closed = true;
      filled.signalAll();
      emptied.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

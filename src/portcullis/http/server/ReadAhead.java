package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Optional;

/**
 * Reads a connection while no other code does, to detect its end at once; received bytes are kept for the next reader.
 * It ends with the read during which a reader begins to wait for it, or when its buffer is full.
 */
final class ReadAhead implements Runnable {
  private static final int ROOM = 1024;

  private final InputStream in;
  private final byte[] room = new byte[ROOM];
  private Runnable left;
  private int from;
  private int to;
  private boolean wanted;
  private boolean stopped;
  private boolean ended;
  private Optional<IOException> error = Optional.empty();

  /** @param left run where the connection ends; must not block */
  ReadAhead(InputStream in, Runnable left) {
    this.in = in;
    this.left = left;
  }

  /** Sets what runs at the end, at once if that has come already. */
  synchronized void tell(Runnable other) {
    left = other;
    if (ended) {
      left.run();
    }
  }

  @Override
  public void run() {
    while (goesOn()) {
      read();
    }
  }

  private synchronized boolean goesOn() {
    stopped = wanted && to > 0 || to == ROOM || ended;
    if (stopped) {
      notifyAll();
    }
    return !stopped;
  }

  private void read() {
    try {
      read(in.read(room, to, ROOM - to), Optional.empty());
    } catch (IOException e) {
      read(-1, Optional.of(e));
    }
  }

  private synchronized void read(int n, Optional<IOException> broken) {
    to += Math.max(n, 0);
    ended = n < 0;
    error = broken;
    notifyAll();
    if (ended) {
      left.run();
    }
  }

  /**
   * Waits for something to take, or for the end.
   *
   * @param millis that it may wait, 0 for any time
   * @return false where all has been taken, and the connection is to be read itself again
   * @throws SocketTimeoutException where nothing comes in that time
   */
  synchronized boolean comes(int millis) throws IOException {
    wanted = true;
    long end = System.nanoTime() + millis * 1_000_000L;
    while (from == to && !stopped && !ended) {
      await(millis == 0 ? 0 : (end - System.nanoTime()) / 1_000_000, millis == 0);
    }
    return from < to || ended;
  }

  /** Returns what was read, like a read of the connection; called after {@link #comes}. */
  synchronized int take(byte[] into, int offset, int length) throws IOException {
    if (from == to && error.isPresent()) {
      throw error.get();
    }
    int n = from == to ? -1 : Math.min(length, to - from);
    if (n > 0) {
      System.arraycopy(room, from, into, offset, n);
      from += n;
    }
    return n;
  }

  private void await(long millis, boolean endless) throws IOException {
    if (millis <= 0 && !endless) {
      throw new SocketTimeoutException("nothing comes");
    }
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** Returns how many bytes can be taken without waiting. */
  synchronized int available() {
    return to - from;
  }

  /** Returns whether all has been taken and the connection is to be read itself again. */
  synchronized boolean isSpent() {
    return stopped && from == to && !ended;
  }
}

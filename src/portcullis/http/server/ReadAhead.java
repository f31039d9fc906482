package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a connection while no other code does, to detect its end at once; received bytes are kept for the next reader.
 * It ends with the read during which a reader begins to wait for it, unless the reader has its request by then, or when
 * its buffer is full: the end of a client that has sent that much behind its request is not seen.
 */
final class ReadAhead implements Runnable {
  private static final int ROOM = 1024;
  private static final int MOST = 8192;
  private static final int FIRST_LOOK_MILLIS = 1000;
  private static final int LONGEST_LOOK_MILLIS = 8000;

  private final InputStream in;
  private final Socket socket;
  private byte[] room = new byte[ROOM];
  private Runnable left;
  private int from;
  private int to;
  private boolean wanted;
  private boolean stopped;
  private boolean ended;
  private Optional<IOException> error = Optional.empty();
  private boolean released;
  private boolean looks;
  private int idleMillis;

  /**
   * @param socket that is read in the end, perhaps through TLS
   * @param idleMillis the read timeout of the socket
   * @param left run where the connection ends; must not block
   */
  ReadAhead(InputStream in, Socket socket, int idleMillis, Runnable left) {
    this.in = in;
    this.socket = socket;
    this.idleMillis = idleMillis;
    this.left = left;
  }

  /**
   * Sets what runs at the end, at once if that has come already; no thread waits to read for now.
   *
   * @return whether it has ended with the read before, and is to be run again
   */
  synchronized boolean tell(Runnable other) {
    left = other;
    released = false;
    wanted = false;
    if (ended) {
      left.run();
    }
    boolean again = stopped && !ended && to - from < MOST;
    stopped &= !again;
    return again;
  }

  @Override
  public void run() {
    for (int millis = FIRST_LOOK_MILLIS; goesOn(); millis = Math.min(2 * millis, LONGEST_LOOK_MILLIS)) {
      read(millis);
    }
  }

  private synchronized boolean goesOn() {
    if (!wanted) {
      System.arraycopy(room, from, room, 0, to - from);
      to -= from;
      from = 0;
    }
    stopped = wanted && to > 0 || to == MOST || ended || looks && (released && to == 0 || wanted);
    if (stopped) {
      timeout(idleMillis);
      notifyAll();
    } else if (to == room.length) {
      room = Arrays.copyOf(room, MOST);
    }
    return !stopped;
  }

  /** Stops soon if nothing comes, as the connection is to be watched otherwise. */
  synchronized void release() {
    released = true;
  }

  /** Sets the read timeout that the socket has for others. */
  synchronized void idleLimit(int millis) {
    idleMillis = millis;
    if (stopped) {
      timeout(millis);
    }
  }

  private void timeout(int millis) {
    try {
      socket.setSoTimeout(millis);
    } catch (IOException _) {
      // it has been closed
    }
  }

  private synchronized void begin(int millis) {
    looks = false;
    timeout(millis);
  }

  /** @param millis after which it is looked whether to go on */
  private void read(int millis) {
    begin(millis);
    try {
      read(in.read(room, to, room.length - to), Optional.empty());
    } catch (SocketTimeoutException _) {
      looks = true;
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

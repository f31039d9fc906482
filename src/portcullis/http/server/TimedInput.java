package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import portcullis.background.TimeSlice;
import portcullis.background.VirtualThreadPool;
import portcullis.http.message.DirectInput;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.MalformedMessageException;

/**
 * Reads from a connection no longer than its pace allows. For one thread at a time, and one that reads ahead of it
 * while it does not read.
 */
final class TimedInput extends InputStream implements DirectInput {
  private final InputStream in;
  private final DeadlineTimer.Deadline deadline;
  private final ReadDeadline pace;
  private final Socket socket;
  private final Optional<SocketChannel> channel;
  private final TimeSlice slice = new TimeSlice();
  private volatile Optional<ReadAhead> ahead = Optional.empty();
  private volatile int idleMillis;

  /**
   * @param socket that is read in the end
   * @param channel that the input reads, where it passes bytes unchanged
   */
  TimedInput(InputStream in, DeadlineTimer.Deadline deadline, ReadDeadline pace, Socket socket,
      Optional<SocketChannel> channel) {
    this.socket = socket;
    this.in = in;
    this.deadline = deadline;
    this.pace = pace;
    this.channel = channel;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return read(() -> next(into, offset, length));
  }

  @Override
  public boolean isDirect() {
    return channel.isPresent() && isUnread();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return read(() -> next(into));
  }

  /** Lets others have a processor if the thread that reads has had one for long enough. */
  void checkSlice() {
    slice.check();
  }

  private interface Source {
    int read() throws IOException;
  }

  private int read(Source source) throws IOException {
    long since = System.nanoTime();
    int n = readWithin(source);
    slice.read(since, n);
    return n;
  }

  private int readWithin(Source source) throws IOException {
    if (pace.isEndless()) {
      return source.read();
    }
    boolean inTime = deadline.until(pace.end());
    int n = inTime ? readInTime(source) : -1;
    if (n < 0 && deadline.hasPassed()) {
      throw new MalformedMessageException(408, "the request did not come in time");
    }
    pace.received(n);
    return n;
  }

  private int readInTime(Source source) throws IOException {
    try {
      return source.read();
    } catch (IOException e) {
      if (deadline.hasPassed()) {
        return -1;
      }
      throw e;
    } finally {
      deadline.clear();
    }
  }

  private int next(byte[] into, int offset, int length) throws IOException {
    if (ahead.isPresent() && ahead.get().comes(idleMillis)) {
      return ahead.get().take(into, offset, length);
    }
    ahead = Optional.empty();
    return in.read(into, offset, length);
  }

  private int next(ByteBuffer into) throws IOException {
    if (isDirect()) {
      return channel.get().read(into);
    }
    byte[] some = new byte[into.remaining()];
    int n = next(some, 0, some.length);
    into.put(some, 0, Math.max(n, 0));
    return n;
  }

  /**
   * Reads the connection on a thread of its own until the next read here, which gets all that was read.
   *
   * @param left run where the connection ends; must not block
   */
  void readAhead(Runnable left) {
    if (ahead.isPresent() && !ahead.get().isSpent()) {
      if (ahead.get().tell(left)) {
        VirtualThreadPool.SHARED.execute(ahead.get());
      }
      return;
    }
    ReadAhead next = new ReadAhead(in, socket, idleMillis, left);
    ahead = Optional.of(next);
    VirtualThreadPool.SHARED.execute(next);
  }

  /** Returns whether no thread reads the connection, and nothing that was read ahead is left. */
  boolean isUnread() {
    return ahead.isEmpty() || ahead.get().isSpent();
  }

  /** Returns whether something was read ahead that has not been taken yet. */
  boolean holdsAhead() {
    return ahead.isPresent() && ahead.get().available() > 0;
  }

  /** Returns whether what can be read without waiting, as the rest of a decrypted record, has been read. */
  boolean isDrained() {
    try {
      return in.available() == 0;
    } catch (IOException _) {
      return true;
    }
  }

  /** Lets a thread that reads ahead stop soon, if nothing comes. */
  void endReadingAhead() {
    ahead.ifPresent(ReadAhead::release);
  }

  /** Sets the read timeout of the socket; zero for none. */
  void idleLimit(int millis) throws IOException {
    idleMillis = millis;
    if (ahead.isPresent()) {
      ahead.get().idleLimit(millis);
    } else {
      socket.setSoTimeout(millis);
    }
  }

  @Override
  public int available() throws IOException {
    return ahead.isPresent() && !ahead.get().isSpent() ? ahead.get().available() : in.available();
  }
}

package portcullis.http.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import portcullis.http.message.Fields;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.Malformed;
import portcullis.http.wire.Watch;

/** The body of an answer on a connection that it has for itself. */
final class Http1Body extends AnswerBody {
  private final Exchange exchange;
  private final BodyInput in;
  private final Watch.Deadline deadline;
  private final long idle;
  private long end = Long.MAX_VALUE;
  private final AtomicBoolean ended = new AtomicBoolean();

  Http1Body(Exchange exchange, BodyInput in, Watch.Deadline deadline, long idle) {
    this.exchange = exchange;
    this.in = in;
    this.deadline = deadline;
    this.idle = idle;
  }

  @Override
  void endBy(long time) {
    end = time;
  }

  @Override
  boolean isComplete() {
    return in.isComplete();
  }

  @Override
  Fields trailers() {
    return in.trailers();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (ended.get()) {
      return endOfStream();
    }
    if (length == 0) {
      return 0;
    }
    try {
      deadline.set(Math.min(idle, left()));
      int n = in.read(into, offset, length);
      if (!deadline.clear()) {
        throw new IOException("late");
      }
      endWhenComplete();
      return n;
    } catch (IOException e) {
      close();
      throw explained(e);
    }
  }

  private long left() {
    return end == Long.MAX_VALUE ? end : Math.max(end - System.nanoTime(), 1);
  }

  private int endOfStream() throws IOException {
    if (!in.isComplete()) {
      throw new IOException("the body has been closed");
    }
    return -1;
  }

  /** Gives the connection back as soon as all has been read: who knows the length need not read the end. */
  void endWhenComplete() {
    if (in.isComplete() && ended.compareAndSet(false, true)) {
      exchange.complete();
    }
  }

  /** Leaves the connection to someone else; there is nothing to read. */
  void detach() {
    ended.set(true);
  }

  private IOException explained(IOException e) {
    if (deadline.hasPassed()) {
      return end == Long.MAX_VALUE ? new BrokenBody("the answer's body stalled")
          : new AnswerLate("the answer's body took too long");
    }
    return e instanceof Malformed ? new BrokenBody(e.getMessage(), e)
        : new BrokenBody("the answer's body broke off", e);
  }

  @Override
  public int available() throws IOException {
    return ended.get() ? 0 : in.available();
  }

  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      exchange.giveUp();
    }
  }
}

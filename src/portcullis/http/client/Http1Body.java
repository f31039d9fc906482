package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.DeadlineTimer;

/** The body of a response on a connection of HTTP/1.1. */
final class Http1Body extends ResponseBody implements PausableBody {
  private final Connection connection;
  private final BodyInput in;
  /** Since when nothing has come, by {@link System#nanoTime}. */
  private long waitsSince;
  private boolean waits;

  Http1Body(Exchange exchange, Connection connection, BodyInput in, long idle) {
    super(exchange, idle);
    this.connection = connection;
    this.in = in;
  }

  @Override
  boolean isComplete() {
    return in.isComplete();
  }

  @Override
  public Fields trailers() {
    return in.trailers();
  }

  @Override
  int receive(byte[] into, int offset, int length, long nanos) throws IOException {
    DeadlineTimer.Deadline deadline = connection.deadline();
    try {
      deadline.set(waits ? Math.clamp(idle() - (System.nanoTime() - waitsSince), 1, nanos) : nanos);
      waits = false;
      int n = in.read(into, offset, length);
      if (!deadline.clear()) {
        throw new SocketTimeoutException("nothing comes");
      }
      return n;
    } catch (IOException e) {
      throw deadline.hasPassed() ? new SocketTimeoutException("nothing comes") : e;
    }
  }

  @Override
  public int available() throws IOException {
    return in.isComplete() ? 0 : in.available();
  }

  @Override
  public boolean begins(int millis) throws IOException {
    waitsSince = System.nanoTime();
    waits = true;
    return isComplete() || arrives(millis);
  }

  @Override
  public boolean comes(int millis) throws IOException {
    long now = System.nanoTime();
    waitsSince = waits ? waitsSince : now;
    waits = true;
    long left = (idle() - (now - waitsSince)) / 1_000_000;
    if (isComplete() || left < millis) {
      return true;
    }
    return arrives(millis) || !exchange().forgetsRequest(); // a response may begin before its request has ended
  }

  private boolean arrives(int millis) throws IOException {
    connection.link().readLimit(millis);
    try {
      return in.comes();
    } finally {
      connection.link().readLimit(0);
    }
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public void pause(Runnable coming) {
    throw new UnsupportedOperationException("a body with a connection of its own");
  }

  @Override
  public Source pause() {
    connection.pause();
    return new Source(connection.link().channel(),
        Duration.ofNanos(Math.max(idle() - (System.nanoTime() - waitsSince), 1)));
  }

  @Override
  public void resume(boolean late) {
    connection.resume();
    if (late) {
      connection.deadline().set(idle());
      connection.deadline().passNow();
    }
  }
}

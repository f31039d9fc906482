package portcullis.http.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.wire.DeadlineTimer;

/** The body of a response on a stream of HTTP/2. */
final class Http2Body extends ResponseBody implements PausableBody {
  private static final Runnable NOTHING = () -> {};

  private final Http2Stream in;
  /** Since when nothing has come, by {@link System#nanoTime}. */
  private long waitsSince;
  private boolean waits;
  private Optional<DeadlineTimer.Deadline> pauseEnd = Optional.empty();

  Http2Body(Exchange exchange, Http2Stream in, long idle) {
    super(exchange, idle);
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
  int receive(byte[] into, int offset, int length, long nanos) throws IOException, InterruptedException {
    long now = System.nanoTime();
    long most = waits ? Math.min(nanos, Math.max(idle() - (now - waitsSince), 1)) : nanos;
    waits = false;
    int n = in.take(into, offset, length, now + most);
    if (n == 0) {
      throw new SocketTimeoutException("nothing comes");
    }
    return n;
  }

  @Override
  public int available() {
    return in.available();
  }

  @Override
  public boolean begins(int millis) throws IOException {
    waitsSince = System.nanoTime();
    waits = true;
    return isComplete() || arrives(waitsSince + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Override
  public boolean comes(int millis) throws IOException {
    long now = System.nanoTime();
    waitsSince = waits ? waitsSince : now;
    waits = true;
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    if (isComplete() || idle() - (now - waitsSince) < nanos) {
      return true;
    }
    return arrives(now + nanos) || !exchange().forgetsRequest();
  }

  private boolean arrives(long end) throws IOException {
    try {
      return in.comes(end);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public Source pause() {
    throw new UnsupportedOperationException("a body on a connection that others share");
  }

  @Override
  public void pause(Runnable coming) {
    DeadlineTimer.Deadline late = exchange().setting().watch().roughDeadline(coming);
    pauseEnd = Optional.of(late);
    late.until(waitsSince + idle());
    in.whenContentComes(coming);
  }

  @Override
  public void resume(boolean late) {
    pauseEnd.ifPresent(DeadlineTimer.Deadline::close);
    in.whenContentComes(NOTHING);
  }
}

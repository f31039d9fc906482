package portcullis.http.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import portcullis.http.message.Fields;

/** The body of an answer on a stream of HTTP/2. */
final class Http2Body extends AnswerBody {
  private final Http2Exchange exchange;
  private final Http2Stream in;
  private final long idle;
  private final AtomicBoolean ended = new AtomicBoolean();
  private long end = Long.MAX_VALUE;

  Http2Body(Http2Exchange exchange, Http2Stream in, long idle) {
    this.exchange = exchange;
    this.in = in;
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
    if (length == 0) {
      return 0;
    }
    try {
      int n = in.read(into, offset, length, Math.min(idle, left()));
      exchange.refill();
      endWhenComplete();
      return n;
    } catch (SocketTimeoutException e) {
      close();
      throw end == Long.MAX_VALUE ? new BrokenBody("the answer's body stalled")
          : new AnswerLate("the answer's body took too long");
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new BrokenBody("the answer's body broke off", new InterruptedIOException());
    } catch (IOException e) {
      close();
      throw new BrokenBody("the answer's body broke off: " + e.getMessage(), e);
    }
  }

  private long left() {
    return end == Long.MAX_VALUE ? end : end - System.nanoTime();
  }

  void endWhenComplete() {
    if (in.isComplete() && ended.compareAndSet(false, true)) {
      exchange.complete();
    }
  }

  @Override
  public int available() {
    return in.available();
  }

  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      in.abandon(new IOException("closed"));
      exchange.giveUp();
    }
  }
}

package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Fields;
import portcullis.http.wire.MalformedMessageException;

/**
 * The body of a response as it comes in. A read past what came of a body that broke off, stalled or is badly framed
 * fails with {@link ResponseBodyException}; nothing of it ever looks like an end. For one thread, but closing, which
 * gives up what is not yet read, may be done by any.
 */
abstract class ResponseBody extends InputStream {
  private final Exchange exchange;
  private final long idle;
  private volatile boolean ended;
  private long end = Long.MAX_VALUE;

  /** @param idle nanoseconds that each read may take */
  ResponseBody(Exchange exchange, long idle) {
    this.exchange = exchange;
    this.idle = idle;
  }

  /**
   * Sets the deadline of the whole body besides the limit of each read, by {@link System#nanoTime}; the greatest value
   * for none.
   */
  final void endBy(long time) {
    end = time;
  }

  /** Returns the exchange whose response it is. */
  final Exchange exchange() {
    return exchange;
  }

  /** Returns how many nanoseconds each read may take. */
  final long idle() {
    return idle;
  }

  /** Returns whether all of it has been read; its connection has been returned by then. */
  abstract boolean isComplete();

  /** Returns the trailer section, once all has been read; none before. */
  public abstract Fields trailers();

  /**
   * Waits for content for that many nanoseconds at most, and reads some of it; -1 at the end.
   *
   * @throws SocketTimeoutException where none comes in time
   */
  abstract int receive(byte[] into, int offset, int length, long nanos) throws IOException, InterruptedException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] into, int offset, int length) throws IOException {
    if (ended) {
      return endOfStream();
    }
    if (length == 0) {
      return 0;
    }
    try {
      int n = receive(into, offset, length, Math.min(idle, left()));
      endWhenComplete();
      return n;
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new ResponseBodyException("the answer's body broke off", new InterruptedIOException());
    } catch (IOException e) {
      close();
      throw explained(e);
    }
  }

  private int endOfStream() throws IOException {
    if (!isComplete()) {
      throw new IOException("the body has been closed");
    }
    return -1;
  }

  private long left() {
    return end == Long.MAX_VALUE ? end : Math.max(end - System.nanoTime(), 1);
  }

  private IOException explained(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return end == Long.MAX_VALUE ? new ResponseBodyException("the answer's body stalled", e)
          : new ResponseTimeoutException("the answer's body took too long");
    }
    return e instanceof MalformedMessageException || e instanceof Http2Exception
        ? new ResponseBodyException(e.getMessage(), e)
        : new ResponseBodyException("the answer's body broke off", e);
  }

  /** Returns the connection as soon as all has been read: with a known length the end need not be read. */
  final void endWhenComplete() {
    if (isComplete() && ends()) {
      exchange.complete();
    }
  }

  /** Returns whether this call is the one that ends it. */
  private synchronized boolean ends() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  /** Leaves the connection to another owner; there is nothing to read. */
  final void detach() {
    ended = true;
  }

  @Override
  public final void close() {
    if (ends()) {
      exchange.giveUp();
    }
  }
}

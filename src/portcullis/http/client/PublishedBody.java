package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a request that a publisher supplies buffer by buffer, each requested when it is needed. For one reader.
 */
final class PublishedBody extends InputStream implements Flow.Subscriber<ByteBuffer> {
  private sealed interface Signal {
    record Next(ByteBuffer bytes) implements Signal {}

    record Failed(Throwable cause) implements Signal {}

    record Done() implements Signal {}
  }

  private final BodyPublisher publisher;
  private final Duration limit;
  private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
  private volatile Flow.Subscription subscription;
  private ByteBuffer current = ByteBuffer.allocate(0);
  private boolean begun;
  private boolean ended;

  /**
   * Subscribes to that publisher with the first read.
   *
   * @param limit how long it may take for a buffer
   */
  PublishedBody(BodyPublisher publisher, Duration limit) {
    this.publisher = publisher;
    this.limit = limit;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    signals.add(new Signal.Next(bytes));
  }

  @Override
  public void onError(Throwable cause) {
    signals.add(new Signal.Failed(cause));
  }

  @Override
  public void onComplete() {
    signals.add(new Signal.Done());
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    begin();
    while (!current.hasRemaining() && !ended) {
      take(await());
    }
    if (ended) {
      return -1;
    }
    int n = Math.min(length, current.remaining());
    current.get(into, offset, n);
    return n;
  }

  private void begin() {
    if (!begun) {
      begun = true;
      publisher.subscribe(this);
    }
  }

  private Signal await() throws IOException {
    try {
      Signal next = signals.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new IOException("the publisher of the body yields nothing");
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
  }

  private void take(Signal signal) throws IOException {
    switch (signal) {
      case Signal.Next(ByteBuffer bytes) -> {
        current = bytes;
        subscription.request(1);
      }
      case Signal.Failed(Throwable cause) -> throw cause instanceof IOException io ? io : new IOException(cause);
      case Signal.Done() -> ended = true;
    }
  }

  /** Returns what the publisher yields without being waited for. */
  @Override
  public int available() throws IOException {
    begin();
    if (!current.hasRemaining() && !signals.isEmpty()) {
      take(signals.remove());
    }
    return current.remaining();
  }

  @Override
  public void close() {
    if (subscription != null && !ended) {
      subscription.cancel();
    }
  }
}

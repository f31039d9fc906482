package portcullis.http.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Feeds a response's body to a subscriber: a request for more reads the connection, on the requesting thread. Who asks
 * while being fed, or while another thread feeds, returns at once and is served by that one.
 */
final class PulledBody implements Flow.Subscription {
  private static final int MOST = 16 * 1024;
  private static final int LEAST = 1024;

  private final ResponseBody in;
  private final BodySubscriber<?> subscriber;
  private final AtomicLong demand = new AtomicLong();
  private final AtomicBoolean done = new AtomicBoolean();
  private long left;

  /**
   * Creates the body for a subscriber.
   *
   * @param limit bytes that it may get; a longer body is an error
   */
  PulledBody(ResponseBody in, BodySubscriber<?> subscriber, long limit) {
    this.in = in;
    this.subscriber = subscriber;
    this.left = limit;
  }

  /** Hands the subscription over; a body without content ends without a request. */
  void begin() {
    subscriber.onSubscribe(this);
    if (in.isComplete()) {
      complete();
    }
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      fail(new IllegalArgumentException("not a number of buffers: " + n));
    } else if (demand.getAndAccumulate(n, PulledBody::sum) == 0) {
      feed();
    }
  }

  private static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  private void feed() {
    do {
      next();
    } while (!done.get() && demand.decrementAndGet() > 0);
  }

  private void next() {
    if (done.get()) {
      return;
    }
    try {
      byte[] piece = new byte[Math.clamp(in.available(), LEAST, MOST)];
      int n = in.read(piece);
      left -= Math.max(n, 0);
      if (left < 0) {
        in.close();
        throw new InvalidResponseException("the answer's body is longer than allowed");
      }
      if (n > 0) {
        subscriber.onNext(List.of(ByteBuffer.wrap(piece, 0, n).slice().asReadOnlyBuffer()));
      }
      if (in.isComplete()) {
        complete();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void complete() {
    if (done.compareAndSet(false, true)) {
      subscriber.onComplete();
    }
  }

  private void fail(Throwable cause) {
    if (done.compareAndSet(false, true)) {
      in.close();
      subscriber.onError(cause);
    }
  }

  @Override
  public void cancel() {
    done.set(true);
    in.close();
  }
}

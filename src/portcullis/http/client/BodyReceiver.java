package portcullis.http.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads the body of a response as its handler requires: streams directly, whole bodies on the caller's thread and
 * within limits, and lazily consumed bodies such as lines when they are consumed.
 *
 * @param end when a body of which the whole is awaited must be there, by {@link System#nanoTime}; the greatest for no
 * such time
 */
record BodyReceiver(ClientLimits limits, long end) {
  // the JDK's own handlers and subscribers of streams have no names, but each is of one class
  private static final Class<?> STREAM_HANDLER = BodyHandlers.ofInputStream().getClass();
  private static final Class<?> STREAM = BodySubscribers.ofInputStream().getClass();

  private record ReceivedHead(OpenResponse open) implements ResponseInfo {
    @Override
    public int statusCode() {
      return open.head().status();
    }

    @Override
    public HttpHeaders headers() {
      return ClientResponse.headers(open.head().fields());
    }

    @Override
    public HttpClient.Version version() {
      return open.version();
    }
  }

  <T> T body(OpenResponse open, BodyHandler<T> handler) throws IOException, InterruptedException {
    if (handler.getClass().equals(STREAM_HANDLER)) {
      return stream(open.body());
    }
    boolean done = false;
    try {
      T body = body(open.body(), handler.apply(new ReceivedHead(open)));
      done = true;
      return body;
    } finally {
      if (!done) {
        open.body().close();
      }
    }
  }

  private <T> T body(ResponseBody in, BodySubscriber<T> subscriber) throws IOException, InterruptedException {
    if (subscriber.getClass().equals(STREAM)) {
      return stream(in);
    }
    CompletableFuture<T> future = subscriber.getBody().toCompletableFuture();
    if (future.isDone()) {
      PulledBody later = new PulledBody(in, subscriber, Long.MAX_VALUE);
      Thread.ofVirtual().name("client-body").start(later::begin);
    } else {
      in.endBy(end);
      new PulledBody(in, subscriber, limits.maxBufferedBytes()).begin();
    }
    return result(future, Math.min(end - System.nanoTime(), limits.bodyIdle().toNanos()));
  }

  // the handler is one of input streams: that is what T stands for
  @SuppressWarnings("unchecked")
  private static <T> T stream(ResponseBody in) {
    return (T) in;
  }

  private static <T> T result(CompletableFuture<T> future, long nanos) throws IOException, InterruptedException {
    try {
      return future.get(Math.max(nanos, 1), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ResponseTimeoutException("the answer's body took too long");
    } catch (ExecutionException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw e.getCause() instanceof IOException io ? io
          : new IOException("the answer's body could not be taken in", e.getCause());
    }
  }
}

package portcullis.http.client;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import portcullis.background.VirtualThreadPool;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.ChannelRelay;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.DirectBuffers;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.ResponseHead;

/**
 * One request and its response, on a connection of HTTP/1.1 or a stream of HTTP/2. Runs on the caller's thread; a body
 * that is not at hand is sent by a thread of its own.
 */
abstract sealed class Exchange implements Upload.Listener permits Http1Exchange, Http2Exchange {
  /**
   * Everything an exchange needs beside its request.
   *
   * @param relay awaits responses on connections of HTTP/1.1 that no thread reads
   * @param threads of which each awaits one that comes soon, most likely
   */
  record Setting(Pool pool, DeadlineTimer watch, ClientLimits limits, HeadLimits heads, DirectBuffers buffers,
      ChannelRelay relay, Semaphore threads) {}

  // methods that may be sent again unasked (RFC 9110, 9.2.2), less PUT and DELETE, whose second answer may be another
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final int MAX_INTERIM = 64;
  private static final int AT_ONCE = 8 * 1024;
  private static final Duration GRACE = Duration.ofMillis(50);
  /** One that ends later has not been idle: it has the request, which perhaps is why it ends. */
  private static final long MOST_IDLE = TimeUnit.SECONDS.toNanos(3);
  /** What is refused later is not sent again, so that its client does not wait for much longer than its time limit. */
  private static final long MOST_REFUSED = TimeUnit.SECONDS.toNanos(1);
  /** After so long without a head its thread is given up, which costs less than to hold its memory. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_PATIENCE = TimeUnit.SECONDS.toNanos(16);
  /** What has less time left keeps its thread. */
  private static final long WORTHWHILE = TimeUnit.SECONDS.toNanos(6);
  private static final byte[] NO_BODY = {};

  private static final WireRequest.Parts FORGOTTEN = new WireRequest.Parts("GET", URI.create("http://localhost"), "/",
      Fields.NONE, InputStream.nullInputStream(), 0, () -> Fields.NONE, (_, _) -> {}, Duration.ZERO, Duration.ZERO);

  private WireRequest.Parts parts;
  private final Setting setting;
  private final long end;
  /** When the head has to have come; {@link #end} until all of the request has been sent. */
  private volatile long headEnd;
  private Optional<Upload> upload = Optional.empty();
  private boolean sent;
  private final long begin = System.nanoTime();
  /** Whether the body has been used. */
  private boolean used;
  /** All that has been sent of the body, as long as it may have to be sent again. */
  private Optional<byte[]> kept = Optional.empty();
  private Optional<WireRequest.Parts> again = Optional.empty();

  /**
   * Prepares an exchange.
   *
   * @param end when the head must have come whatever happens before, by {@link System#nanoTime}; the greatest for no
   * such time
   */
  Exchange(WireRequest.Parts parts, Setting setting, long end) {
    this.parts = parts;
    this.setting = setting;
    this.end = end;
    this.headEnd = end;
  }

  final WireRequest.Parts parts() {
    return parts;
  }

  /** Returns the request for another attempt, where the result of this one is empty. */
  final WireRequest.Parts again() {
    return again.orElse(parts);
  }

  /** Returns when it was begun, by {@link System#nanoTime}. */
  final long begun() {
    return begin;
  }

  final Setting setting() {
    return setting;
  }

  final long end() {
    return end;
  }

  /** Begins the time for the head, as all of the request has been sent. */
  final void limitHead() {
    headEnd = Math.min(end, System.nanoTime() + parts.headLimit().toNanos());
  }

  /** Returns when the head has to have come, by {@link System#nanoTime}; the greatest for no such time yet. */
  final long headEnd() {
    return headEnd;
  }

  /** Returns the nanoseconds that are left for the head. */
  final long left() {
    return headEnd == Long.MAX_VALUE ? headEnd : headEnd - System.nanoTime();
  }

  /**
   * Sends the request and waits for the head of its final response.
   *
   * @return empty exactly if the upstream has not processed the request, or closed a used connection before anything of
   * a response came, and the request may be sent again
   */
  final Optional<OpenResponse> run() throws IOException, InterruptedException {
    return guarded(() -> {
      send();
      return await();
    });
  }

  /**
   * Sends the request and waits a while for a response; {@link #finish} is called next.
   *
   * @return whether it is quiet, and may be awaited without a thread; empty as from {@link #run}
   */
  final Optional<Boolean> begin() throws IOException, InterruptedException {
    return guarded(() -> {
      send();
      return isQuiet();
    });
  }

  /** Waits for the head of the final response; empty as from {@link #run}. */
  final Optional<OpenResponse> finish() throws IOException, InterruptedException {
    return guarded(this::await);
  }

  private interface Step<T> {
    T result() throws IOException, InterruptedException;
  }

  private <T> Optional<T> guarded(Step<T> step) throws IOException, InterruptedException {
    boolean done = false;
    try {
      T result = step.result();
      done = true;
      return Optional.of(result);
    } catch (IOException e) {
      IOException explained = explained(e);
      again = explained instanceof NoResponseException ? repeated(e) : Optional.empty();
      if (again.isPresent()) {
        return Optional.empty();
      }
      throw explained;
    } finally {
      if (!done) {
        giveUp();
        if (upload.isEmpty() && again.isEmpty()) {
          parts.body().close();
        }
      }
    }
  }

  /** Returns the request, if it may be sent again after that failure. */
  private Optional<WireRequest.Parts> repeated(IOException e) throws InterruptedException {
    boolean refused = isRefused(e);
    if (System.nanoTime() - begin >= (refused ? MOST_REFUSED : MOST_IDLE)) {
      return Optional.empty();
    }
    if (parts.length() == 0 || refused && !used) {
      boolean idle = REPEATABLE.contains(parts.method()) && hasEndedIdle(e);
      return refused || idle ? Optional.of(parts) : Optional.empty();
    }
    if (!refused) {
      return Optional.empty();
    }
    return (upload.isPresent() ? upload.get().keptWithin(GRACE) : kept).map(ByteArrayInputStream::new).map(parts::with);
  }

  private void send() throws IOException {
    if (parts.length() == 0) {
      sent = sendWhole(NO_BODY);
    } else if (isAtHand()) {
      sent = sendWhole(body());
    } else {
      Upload.Sink sink = sendHead();
      used = true;
      Upload started = new Upload(parts, sink, this, setting.buffers(), isRefusable());
      upload = Optional.of(started);
      VirtualThreadPool.SHARED.execute(started);
    }
  }

  /** Returns whether all of the body can be had without waiting, and is small. */
  private boolean isAtHand() throws RequestBodyException {
    try {
      return parts.length() > 0 && parts.length() <= AT_ONCE && parts.body().available() >= parts.length()
          && !parts.fields().has("Expect");
    } catch (IOException e) {
      throw new RequestBodyException(e);
    }
  }

  private byte[] body() throws RequestBodyException {
    used = true;
    try (InputStream body = parts.body()) {
      byte[] all = body.readNBytes((int) parts.length());
      if (all.length < parts.length()) {
        throw new EOFException("the body is shorter than its length says");
      }
      kept = isRefusable() ? Optional.of(all) : kept;
      return all;
    } catch (IOException e) {
      throw new RequestBodyException(e);
    }
  }

  private OpenResponse await() throws IOException, InterruptedException {
    for (int i = 0; i < MAX_INTERIM; i++) {
      ResponseHead head = head();
      if (head.status() >= 200 || head.status() == 101) {
        forgetBody();
        return answered(head);
      }
      if (head.status() == 100) {
        upload.ifPresent(Upload::proceed);
      } else {
        parts.interim().accept(head.status(), head.fields());
      }
    }
    throw new InvalidResponseException("more than " + MAX_INTERIM + " interim responses");
  }

  private void forgetBody() {
    kept = Optional.empty();
    upload.ifPresent(Upload::forget);
  }

  private IOException explained(IOException e) throws InterruptedException {
    Optional<Throwable> source = sourceFailure();
    if (source.isPresent()) {
      return new RequestBodyException(source.get());
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return translated(e);
  }

  /** Ends the exchange after a complete response; the rest of an incomplete request is dropped. */
  final void complete() {
    if (isReusable() && isSent()) {
      release();
    } else {
      giveUp();
    }
  }

  /** Returns whether the request has been sent, or is within a moment. */
  final boolean isSent() {
    try {
      return sent || upload.isPresent() && upload.get().isWholeWithin(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns whether all of the request has been sent; then it forgets it, as its response may take long. */
  final boolean forgetsRequest() {
    boolean forgets = endsUpload();
    if (forgets) {
      parts = FORGOTTEN;
    }
    return forgets;
  }

  /** Returns whether all of the request has been sent; then it keeps what it needs for another attempt only. */
  final boolean endsUpload() {
    sent = sent || upload.isPresent() && upload.get().isWhole();
    if (sent) {
      forgetBody();
      upload = Optional.empty();
      parts = parts.length() == 0 ? parts : parts.sent();
    }
    return sent;
  }

  /** Aborts the exchange. */
  final void giveUp() {
    upload.ifPresent(Upload::giveUp);
    abandon();
  }

  /**
   * Sends head and body.
   *
   * @return false where the upstream did not take all of the body, but may answer nevertheless
   */
  abstract boolean sendWhole(byte[] body) throws IOException;

  /** Sends the head of a request and returns where its body goes. */
  abstract Upload.Sink sendHead() throws IOException;

  /**
   * Waits a while for the next head. It waits with its thread where it is not worth giving that up, or a thread waits
   * for the request's body anyway.
   *
   * @return true if none came, and it may be awaited without a thread
   */
  boolean isQuiet() throws IOException, InterruptedException {
    for (long nanos = PATIENCE; !comes(nanos); nanos = Math.min(2 * nanos, MOST_PATIENCE)) {
      if (headEnd != Long.MAX_VALUE && left() < WORTHWHILE) {
        return false;
      }
      if (headEnd != Long.MAX_VALUE && endsUpload()) {
        return true;
      }
    }
    return false;
  }

  /** Waits for the next head, at most that long; returns false if nothing came. */
  abstract boolean comes(long nanos) throws IOException, InterruptedException;

  /** Has an action run once {@link #finish} no longer waits for a head, or has to fail. */
  abstract void whenComes(Runnable action);

  /** Waits for the next head, interim or final. */
  abstract ResponseHead head() throws IOException, InterruptedException;

  abstract OpenResponse answered(ResponseHead head) throws IOException, InterruptedException;

  /** Returns why the source of the request body failed, if it did. */
  abstract Optional<Throwable> sourceFailure();

  /** Returns what the caller gets for that failure. */
  abstract IOException translated(IOException e);

  /** Returns whether an upstream may say that it has not processed a request. */
  abstract boolean isRefusable();

  /** Returns whether the upstream has said that, or nothing has been sent to it. */
  abstract boolean isRefused(IOException e);

  /** Returns whether a connection that was used before has ended before anything came for this request. */
  abstract boolean hasEndedIdle(IOException e);

  /** Returns whether the connection may be used again, as far as the response goes. */
  abstract boolean isReusable();

  /** Returns the connection to the pool. */
  abstract void release();

  /** Ends what carries the exchange. */
  abstract void abandon();
}

package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.Optional;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.ResponseHead;

/**
 * One request on one stream of HTTP/2, and its answer (RFC 9113, 8.1). The connection goes on whatever becomes of it.
 * Runs on the thread of who asks; a body that is not at hand is sent by a thread of its own.
 */
final class Http2Exchange implements Upload.Listener {
  private static final Duration GRACE = Duration.ofMillis(50);

  private final Http2Connection connection;
  private final WireRequest.Parts parts;
  private final Exchange.Setting setting;
  private final long end;
  private final long begin = System.nanoTime();
  private Optional<Upload> upload = Optional.empty();
  private Optional<Http2Stream> opened = Optional.empty();
  private volatile long headEnd = Long.MAX_VALUE;
  private volatile Optional<Throwable> sourceFault = Optional.empty();

  /**
   * Of that request on that connection.
   *
   * @param end when the head must have come whatever happens before, by {@link System#nanoTime}; the greatest for no
   * such time
   */
  Http2Exchange(Http2Connection connection, WireRequest.Parts parts, Exchange.Setting setting, long end) {
    this.connection = connection;
    this.parts = parts;
    this.setting = setting;
    this.end = end;
  }

  /**
   * Sends the request and waits for the head of its final answer.
   *
   * @return empty exactly if the upstream has not looked at it, or the connection ended before anything of an answer
   * came,
   *     and the request may be sent again
   */
  Optional<OpenAnswer> run() throws IOException, InterruptedException {
    boolean done = false;
    try {
      send();
      OpenAnswer open = await();
      done = true;
      return Optional.of(open);
    } catch (IOException e) {
      if (isRepeatable(e)) {
        return Optional.empty();
      }
      throw explained(e);
    } finally {
      if (!done) {
        giveUp();
        if (upload.isEmpty()) {
          parts.body().close();
        }
      }
    }
  }

  private boolean isRepeatable(IOException e) {
    boolean unheard = opened.isEmpty() || !opened.get().isHeard();
    boolean dead = !(e instanceof Http2Exception) && !(e instanceof SocketTimeoutException)
        && Exchange.REPEATABLE.contains(parts.method());
    return parts.length() == 0 && unheard && (e instanceof Http2Refused || dead && connection.isUsed());
  }

  private void send() throws IOException {
    boolean bare = parts.method().equals("HEAD");
    Http2Stream stream = connection.open(bare, Http2Head.pseudo(parts, connection.route().origin()),
        Http2Head.lines(parts),
        parts.length() == 0);
    opened = Optional.of(stream);
    if (parts.length() == 0) {
      ended();
      return;
    }
    Upload.Sink sink = new Http2Sink(connection, stream, setting.limits().bodyIdle());
    if (Exchange.isAtHand(parts)) {
      byte[] body = Exchange.small(parts);
      sink.write(body, body.length);
      sink.end(Fields.NONE);
      ended();
    } else {
      headEnd = end;
      Upload started = new Upload(parts, sink, this);
      upload = Optional.of(started);
      Thread.ofVirtual().name("client-upload").start(started);
    }
  }

  /** The time for the head begins once everything is sent. */
  @Override
  public void ended() {
    headEnd = Math.min(end, System.nanoTime() + parts.headLimit().toNanos());
    opened.ifPresent(Http2Stream::limitChanged);
  }

  @Override
  public void broken(Throwable cause) {
    sourceFault = Optional.of(cause);
    opened.ifPresent(stream -> {
      stream.abandon(new IOException("the request's body broke off"));
      connection.cancel(stream);
    });
  }

  private OpenAnswer await() throws IOException, InterruptedException {
    Http2Stream stream = opened.orElseThrow();
    while (true) {
      ResponseHead head = stream.head(() -> headEnd == Long.MAX_VALUE ? headEnd : headEnd - System.nanoTime());
      if (head.status() >= 200) {
        Http2Body body = new Http2Body(this, stream, parts.idleLimit().toNanos());
        body.endWhenComplete();
        return new OpenAnswer(head, body, Optional.empty(), Version.HTTP_2, connection.link().session());
      }
      if (head.status() == 100) {
        upload.ifPresent(Upload::proceed);
      } else {
        parts.interim().accept(head.status(), head.fields());
      }
    }
  }

  private IOException explained(IOException e) throws InterruptedException {
    if (sourceFault.isPresent()) {
      return new BrokenSource(sourceFault.get());
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (e instanceof SocketTimeoutException) {
      if (connection.isSilentSince(begin)) {
        connection.retire();
      }
      return new AnswerLate("no answer in time");
    }
    if (e instanceof ClientFault) {
      return e;
    }
    return e instanceof Http2Exception ? new BadAnswer(e.getMessage(), e)
        : new NoAnswer("the stream ended without an "
            + "answer", e);
  }

  /** Lets the upstream send as much as has been read. */
  void refill() throws IOException {
    Http2Stream stream = opened.orElseThrow();
    int bytes = stream.refill();
    if (bytes > 0) {
      connection.frames().write(() -> connection.frames().windowUpdate(stream.id(), bytes));
    }
  }

  /** The answer has come to its end: a request that is not whole by then is of no interest (RFC 9113, 8.1). */
  void complete() {
    if (isSent()) {
      leave();
    } else {
      giveUp();
    }
  }

  private boolean isSent() {
    try {
      return upload.isEmpty() || upload.get().isWholeWithin(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends the stream, whatever is under way on it. */
  void giveUp() {
    upload.ifPresent(Upload::giveUp);
    opened.ifPresent(connection::cancel);
    leave();
  }

  private void leave() {
    opened.ifPresent(connection::close);
    setting.pool().leave(connection);
  }
}

package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient.Version;
import java.util.Optional;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Outbound;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.ResponseHead;

/** An exchange on a stream of HTTP/2 (RFC 9113, 8.1). The connection goes on whatever becomes of it. */
final class Http2Exchange extends Exchange {
  private record Sink(Outbound out) implements Upload.Sink {
    @Override
    public void write(byte[] bytes, int length) throws IOException {
      out.send(bytes, 0, length);
    }

    @Override
    public void end(Fields trailers) throws IOException {
      out.end(trailers);
    }

    @Override
    public void close() {}
  }

  private final Http2Connection connection;
  private Optional<Http2Stream> opened = Optional.empty();
  private Optional<DeadlineTimer.Deadline> waitEnd = Optional.empty();
  private volatile Optional<Throwable> sourceFailure = Optional.empty();

  Http2Exchange(Http2Connection connection, WireRequest.Parts parts, Setting setting, long end) {
    super(parts, setting, end);
    this.connection = connection;
  }

  /** A response may be whole before the request is, and the stream be reset then (RFC 9113, 8.1): it counts. */
  @Override
  boolean sendWhole(byte[] body) throws IOException {
    Http2Stream stream = open(body.length == 0);
    boolean whole = true;
    try {
      if (body.length > 0) {
        outbound(stream).end(body, 0, body.length, Fields.NONE);
      }
    } catch (IOException e) {
      whole = false;
    }
    ended();
    return whole;
  }

  private Http2Stream open(boolean end) throws IOException {
    Http2Stream stream = connection.open(parts().method().equals("HEAD"),
        Http2Head.pseudo(parts(), connection.route().origin()), Http2Head.lines(parts()), end);
    opened = Optional.of(stream);
    return stream;
  }

  private Outbound outbound(Http2Stream stream) {
    return new Outbound(stream, connection, Optional.empty(), setting().limits().bodyIdle().toNanos(), () -> {});
  }

  @Override
  Upload.Sink sendHead() throws IOException {
    return new Sink(outbound(open(false)));
  }

  /** The time for the head begins once everything is sent. */
  @Override
  public void ended() {
    limitHead();
    opened.ifPresent(Http2Stream::limitChanged);
  }

  @Override
  public void broken(Throwable cause) {
    sourceFailure = Optional.of(cause);
    opened.ifPresent(stream -> {
      stream.abandon(new IOException("the request's body broke off"));
      connection.cancel(stream);
    });
  }

  @Override
  Optional<Throwable> sourceFailure() {
    return sourceFailure;
  }

  @Override
  ResponseHead head() throws IOException, InterruptedException {
    waitEnd.ifPresent(DeadlineTimer.Deadline::close);
    waitEnd = Optional.empty();
    return opened.orElseThrow().head(this::left);
  }

  @Override
  boolean comes(long nanos) throws InterruptedException {
    long patient = System.nanoTime() + nanos;
    return opened.orElseThrow().comes(() -> Math.min(patient - System.nanoTime(), left()));
  }

  @Override
  void whenComes(Runnable action) {
    DeadlineTimer.Deadline late = setting().watch().roughDeadline(action);
    waitEnd = Optional.of(late);
    late.until(headEnd());
    opened.orElseThrow().whenComes(action);
  }

  @Override
  OpenResponse answered(ResponseHead head) {
    Http2Body body = new Http2Body(this, opened.orElseThrow(), parts().idleLimit().toNanos());
    body.endWhenComplete();
    return new OpenResponse(head, body, Optional.empty(), Version.HTTP_2, connection.link().session());
  }

  @Override
  IOException translated(IOException e) {
    if (e instanceof SocketTimeoutException) {
      if (connection.isSilentSince(begun())) {
        connection.retire();
      }
      return new ResponseTimeoutException("no answer in time");
    }
    if (e instanceof ClientException) {
      return e;
    }
    return e instanceof Http2Exception ? new InvalidResponseException(e.getMessage(), e)
        : new NoResponseException("the stream ended without an answer", e);
  }

  @Override
  boolean isRefusable() {
    return true;
  }

  @Override
  boolean isRefused(IOException e) {
    return e instanceof StreamRefusedException && (opened.isEmpty() || !opened.get().isHeard());
  }

  /** A stream that is reset may have been processed (RFC 9113, 8.7), as may any if the connection was not idle. */
  @Override
  boolean hasEndedIdle(IOException e) {
    return !(e instanceof NoResponseException) && connection.isUsed() && connection.isSilentSince(begun());
  }

  @Override
  boolean isReusable() {
    return true;
  }

  @Override
  void release() {
    opened.ifPresent(connection::close);
    setting().pool().leave(connection);
  }

  /** Ends the stream at any point of the exchange. */
  @Override
  void abandon() {
    opened.ifPresent(stream -> {
      stream.abandon(new IOException("closed"));
      connection.cancel(stream);
    });
    release();
  }
}

package portcullis.http.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.Framing;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.ResponseHead;

/**
 * An exchange on a connection of HTTP/1.1, which returns to the pool exactly if request and response were whole and
 * neither side asked to close it; any other end closes it (RFC 9112, 9.3).
 */
final class Http1Exchange extends Exchange {
  /** What the end of a wait that is too long may take. */
  private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

  private final Connection connection;
  private boolean heard;
  private boolean reusable;
  private boolean answered;
  private volatile boolean stalled;
  private Optional<Waiting> waiting = Optional.empty();
  private volatile Optional<Throwable> sourceFailure = Optional.empty();

  /**
   * The wait for a head without a thread.
   *
   * @param end ends it
   * @param over whether nothing else uses the connection any more
   */
  private record Waiting(Runnable end, CountDownLatch over) {}

  Http1Exchange(Connection connection, WireRequest.Parts parts, Setting setting, long end) {
    super(parts, setting, end);
    this.connection = connection;
  }

  @Override
  boolean sendWhole(byte[] body) throws IOException {
    RequestText.write(parts(), connection.route(), connection.out());
    limitHead();
    connection.deadline().until(headEnd());
    connection.out().write(body);
    connection.out().flush();
    return true;
  }

  /** Returns what is left for the head of the response, the request being whole now. */
  private long headNanos() {
    long limit = parts().headLimit().toNanos();
    return end() == Long.MAX_VALUE ? limit : Math.min(limit, Math.max(end() - System.nanoTime(), 1));
  }

  /** While a body is on its way only its source and the writes of it are bounded, unless there is an end to all. */
  @Override
  Upload.Sink sendHead() throws IOException {
    RequestText.write(parts(), connection.route(), connection.out());
    connection.deadline().set(headNanos());
    connection.out().flush();
    if (end() == Long.MAX_VALUE) {
      connection.deadline().clear();
    }
    return new BodySink(parts().length(), connection.out(), setting().watch().deadline(this::stalled),
        setting().limits().bodyIdle());
  }

  private void stalled() {
    stalled = true;
    connection.link().abort();
  }

  /** The time for the head begins once everything is sent. */
  @Override
  public synchronized void ended() {
    if (!answered) {
      limitHead();
      connection.deadline().until(headEnd());
    }
  }

  @Override
  public synchronized void broken(Throwable cause) {
    if (!answered) {
      sourceFailure = Optional.of(cause);
      connection.link().abort();
    }
  }

  @Override
  Optional<Throwable> sourceFailure() {
    return sourceFailure;
  }

  /**
   * Most responses come soon: those are waited for without a limit of their own, as the timer of the JDK for one takes
   * a tenth of what a small request does. A request that may become a tunnel waits with its thread.
   */
  @Override
  boolean isQuiet() throws IOException, InterruptedException {
    if (!setting().threads().tryAcquire()) {
      return !parts().fields().has("Upgrade") && super.isQuiet();
    }
    try {
      connection.in().comes();
      return false;
    } finally {
      setting().threads().release();
    }
  }

  @Override
  boolean comes(long nanos) throws IOException {
    return connection.comes((int) TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  @Override
  void whenComes(Runnable action) {
    CountDownLatch over = new CountDownLatch(1);
    connection.pause();
    try {
      Runnable end = setting().relay().await(List.of(connection.link().channel()),
          Duration.ofNanos(Math.max(left(), 1)), _ -> {
            over.countDown();
            action.run();
          });
      waiting = Optional.of(new Waiting(end, over));
    } catch (IOException _) {
      connection.resume();
      connection.deadline().until(headEnd());
      action.run(); // without a selector it waits with its thread
    }
  }

  /** Takes the connection back, whose deadline reports where the wait was too long. */
  private void resume(Waiting wait) throws InterruptedException {
    waiting = Optional.empty();
    connection.resume();
    connection.deadline().until(headEnd());
    wait.end().run();
    boolean unused = wait.over().await(Math.max(left(), 0) + SLACK, TimeUnit.NANOSECONDS);
    if (!unused) {
      connection.abort();
    }
  }

  @Override
  ResponseHead head() throws IOException, InterruptedException {
    if (waiting.isPresent()) {
      resume(waiting.get());
    }
    ResponseHead head = ResponseHead.read(connection.in(), setting().heads())
        .orElseThrow(() -> new EOFException("closed"));
    heard = true;
    return head;
  }

  @Override
  OpenResponse answered(ResponseHead head) throws IOException {
    if (head.status() == 101) {
      return switched(head);
    }
    Framing framing = Framing.of(head, parts().method());
    headDone();
    reusable = !framing.equals(Framing.UNTIL_CLOSE) && isPersistent(head) && !isMisframed(head);
    Http1Body body = body(framing);
    body.endWhenComplete();
    return new OpenResponse(head, body, Optional.empty(), Version.HTTP_1_1, connection.link().session());
  }

  private Http1Body body(Framing framing) {
    BodyInput in = BodyInput.of(framing, connection.in(), setting().heads());
    return new Http1Body(this, connection, in, parts().idleLimit().toNanos());
  }

  private synchronized void headDone() throws IOException {
    answered = true;
    if (!connection.deadline().clear()) {
      throw new IOException("closed");
    }
  }

  /** The upstream switches to the requested protocol (RFC 9110, 7.8): the connection belongs to the tunnel now. */
  private OpenResponse switched(ResponseHead head) throws IOException {
    Optional<String> wanted = parts().fields().joined("Upgrade");
    Optional<String> chosen = head.fields().joined("Upgrade");
    boolean fits = wanted.isPresent() && chosen.isPresent() && TokenList.has(wanted.get(), chosen.get().strip())
        && TokenList.has(head.fields().joined("Connection").orElse(""), "upgrade");
    if (!fits) {
      throw new InvalidResponseException("a switch to a protocol that was not requested");
    }
    if (!isSent()) {
      throw new InvalidResponseException("a switch of protocols before the request was whole");
    }
    headDone();
    Http1Body none = body(Framing.NONE);
    none.detach();
    TransportTunnel tunnel = new TransportTunnel(connection, setting().pool(), parts().idleLimit());
    return new OpenResponse(head, none, Optional.of(tunnel), Version.HTTP_1_1, connection.link().session());
  }

  /** Returns whether the upstream lets the connection go on (RFC 9112, 9.3). */
  private static boolean isPersistent(ResponseHead head) {
    String options = head.fields().joined("Connection").orElse("");
    return head.minor() == 1 ? !TokenList.has(options, "close") : TokenList.has(options, "keep-alive");
  }

  /** Returns whether content is announced where none may be (RFC 9110, 15.3.5): some may come after all. */
  private static boolean isMisframed(ResponseHead head) {
    boolean announced = head.fields().has("Transfer-Encoding")
        || !head.fields().first("Content-Length").orElse("0").equals("0");
    return head.status() == 204 && announced;
  }

  @Override
  IOException translated(IOException e) {
    if (stalled || connection.deadline().hasPassed()) {
      return new ResponseTimeoutException(stalled ? "the upstream takes no more of the request" : "no answer in time");
    }
    if (e instanceof ClientException) {
      return e;
    }
    if (heard || connection.in().hasBuffered() || e instanceof MalformedMessageException) {
      return new InvalidResponseException(
          e instanceof MalformedMessageException ? e.getMessage() : "the answer broke off in its head", e);
    }
    return new NoResponseException("the connection ended without an answer", e);
  }

  @Override
  boolean isRefusable() {
    return false;
  }

  @Override
  boolean isRefused(IOException e) {
    return false;
  }

  @Override
  boolean hasEndedIdle(IOException e) {
    return connection.isUsed();
  }

  @Override
  boolean isReusable() {
    return reusable && !connection.in().hasBuffered();
  }

  @Override
  void release() {
    setting().pool().release(connection);
  }

  @Override
  void abandon() {
    setting().pool().discard(connection);
  }
}

package portcullis.http.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.Framing;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.Malformed;
import portcullis.http.wire.ResponseHead;
import portcullis.http.wire.Watch;

/**
 * One request on one connection, and its answer. The connection goes back to the pool exactly if both were whole and
 * nobody asked to close it; any other end closes it (RFC 9112, 9.3). Runs on the thread of who asks; a body that is not
 * at hand is sent by a thread of its own.
 */
final class Exchange implements Upload.Listener {
  /** Everything an exchange needs beside its request. */
  record Setting(Pool pool, Watch watch, ClientLimits limits, HeadLimits heads) {}

  // methods that may be sent again unasked (RFC 9110, 9.2.2), less PUT and DELETE, whose second answer may be another
  static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final int MAX_INTERIM = 64;
  private static final int AT_ONCE = 8 * 1024;
  private static final Duration GRACE = Duration.ofMillis(50);

  private final Connection connection;
  private final WireRequest.Parts parts;
  private final Setting setting;
  private final long end;
  private Optional<Upload> upload = Optional.empty();
  private boolean heard;
  private boolean reusable;
  private boolean answered;
  private volatile boolean stalled;
  private volatile Optional<Throwable> sourceFault = Optional.empty();

  /**
   * Of that request on that connection.
   *
   * @param end when the head must have come whatever happens before, by {@link System#nanoTime}; the greatest for no
   * such time
   */
  Exchange(Connection connection, WireRequest.Parts parts, Setting setting, long end) {
    this.connection = connection;
    this.parts = parts;
    this.setting = setting;
    this.end = end;
  }

  /**
   * Sends the request and waits for the head of its final answer.
   *
   * @return empty exactly if a used connection had been closed before anything of an answer came, and the request may
   * be
   *     sent again
   */
  Optional<OpenAnswer> run() throws IOException, InterruptedException {
    boolean done = false;
    try {
      send();
      OpenAnswer open = await();
      done = true;
      return Optional.of(open);
    } catch (IOException e) {
      IOException explained = explained(e);
      if (explained instanceof NoAnswer && connection.isUsed() && isRepeatable()) {
        return Optional.empty();
      }
      throw explained;
    } finally {
      if (!done) {
        giveUp();
        closeUnsentBody();
      }
    }
  }

  private void closeUnsentBody() throws IOException {
    if (upload.isEmpty()) {
      parts.body().close();
    }
  }

  private boolean isRepeatable() {
    return parts.length() == 0 && REPEATABLE.contains(parts.method());
  }

  private void send() throws IOException {
    RequestText.write(parts, connection.route(), connection.out());
    connection.deadline().set(headNanos());
    if (parts.length() == 0) {
      connection.out().flush();
    } else if (isAtHand(parts)) {
      connection.out().write(small(parts), 0, (int) parts.length());
      connection.out().flush();
    } else {
      connection.out().flush();
      limitUpload();
      startUpload();
    }
  }

  /** What is left for the head of the answer, the request being whole now. */
  private long headNanos() {
    long limit = parts.headLimit().toNanos();
    return end == Long.MAX_VALUE ? limit : Math.min(limit, Math.max(end - System.nanoTime(), 1));
  }

  /** While a body is on its way only its source and the writes of it are bounded, unless there is an end to all. */
  private void limitUpload() {
    if (end == Long.MAX_VALUE) {
      connection.deadline().clear();
    }
  }

  /** Whether all of the body can be had without waiting, and is little. */
  static boolean isAtHand(WireRequest.Parts parts) throws BrokenSource {
    try {
      return parts.length() > 0 && parts.length() <= AT_ONCE && parts.body().available() >= parts.length()
          && !parts.fields().has("Expect");
    } catch (IOException e) {
      throw new BrokenSource(e);
    }
  }

  /** All of such a body. */
  static byte[] small(WireRequest.Parts parts) throws BrokenSource {
    try (InputStream body = parts.body()) {
      byte[] all = body.readNBytes((int) parts.length());
      if (all.length < parts.length()) {
        throw new EOFException("the body is shorter than its length says");
      }
      return all;
    } catch (IOException e) {
      throw new BrokenSource(e);
    }
  }

  private void startUpload() {
    Watch.Deadline writes = setting.watch().deadline(this::stalled);
    Upload started = new Upload(parts,
        new BodySink(parts.length(), connection.out(), writes, setting.limits().bodyIdle()), this);
    upload = Optional.of(started);
    Thread.ofVirtual().name("client-upload").start(started);
  }

  private void stalled() {
    stalled = true;
    connection.link().abort();
  }

  /** The time for the head begins once everything is sent. */
  @Override
  public synchronized void ended() {
    if (!answered) {
      connection.deadline().set(headNanos());
    }
  }

  @Override
  public synchronized void broken(Throwable cause) {
    if (!answered) {
      sourceFault = Optional.of(cause);
      connection.link().abort();
    }
  }

  private OpenAnswer await() throws IOException, InterruptedException {
    for (int i = 0; i < MAX_INTERIM; i++) {
      ResponseHead head = ResponseHead.read(connection.in(), setting.heads())
          .orElseThrow(() -> new EOFException("closed"));
      heard = true;
      if (head.status() == 101) {
        return switched(head);
      }
      if (head.status() >= 200) {
        return answered(head);
      }
      interim(head);
    }
    throw new BadAnswer("more interim answers than anybody needs");
  }

  private void interim(ResponseHead head) {
    if (head.status() == 100) {
      upload.ifPresent(Upload::proceed);
    } else {
      parts.interim().accept(head.status(), head.fields());
    }
  }

  private OpenAnswer answered(ResponseHead head) throws IOException {
    Framing framing = Framing.of(head, parts.method());
    headDone();
    reusable = !framing.equals(Framing.UNTIL_CLOSE) && isPersistent(head) && !isMisframed(head);
    Http1Body body = body(framing);
    body.endWhenComplete();
    return new OpenAnswer(head, body, Optional.empty(), Version.HTTP_1_1, connection.link().session());
  }

  private Http1Body body(Framing framing) {
    BodyInput in = BodyInput.of(framing, connection.in(), setting.heads());
    return new Http1Body(this, in, connection.deadline(), parts.idleLimit().toNanos());
  }

  private synchronized void headDone() throws IOException {
    answered = true;
    if (!connection.deadline().clear()) {
      throw new IOException("closed");
    }
  }

  /** The upstream speaks what it was asked to speak (RFC 9110, 7.8): from here on the connection is the tunnel's. */
  private OpenAnswer switched(ResponseHead head) throws IOException, InterruptedException {
    Optional<String> asked = parts.fields().joined("Upgrade");
    Optional<String> chosen = head.fields().joined("Upgrade");
    boolean fits = asked.isPresent() && chosen.isPresent() && Words.has(asked.get(), chosen.get().strip())
        && Words.has(head.fields().joined("Connection").orElse(""), "upgrade");
    if (!fits) {
      throw new BadAnswer("a switch of protocols that was not asked for");
    }
    if (upload.isPresent() && !upload.get().isWholeWithin(GRACE)) {
      throw new BadAnswer("a switch of protocols before the request was whole");
    }
    headDone();
    Http1Body none = body(Framing.NONE);
    none.detach();
    LinkTunnel tunnel = new LinkTunnel(connection, setting.pool(), parts.idleLimit());
    return new OpenAnswer(head, none, Optional.of(tunnel), Version.HTTP_1_1, connection.link().session());
  }

  /** Whether the upstream lets the connection go on (RFC 9112, 9.3). */
  private static boolean isPersistent(ResponseHead head) {
    String options = head.fields().joined("Connection").orElse("");
    return head.minor() == 1 ? !Words.has(options, "close") : Words.has(options, "keep-alive");
  }

  /** What tells of content where none may be (RFC 9110, 15.3.5): some may come after all. */
  private static boolean isMisframed(ResponseHead head) {
    boolean told = head.fields().has("Transfer-Encoding")
        || !head.fields().first("Content-Length").orElse("0").equals("0");
    return head.status() == 204 && told;
  }

  private IOException explained(IOException e) throws InterruptedException {
    if (sourceFault.isPresent()) {
      return new BrokenSource(sourceFault.get());
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (stalled || connection.deadline().hasPassed()) {
      return new AnswerLate(stalled ? "the upstream takes no more of the request" : "no answer in time");
    }
    if (e instanceof ClientFault) {
      return e;
    }
    if (heard || connection.in().hasBuffered() || e instanceof Malformed) {
      return new BadAnswer(e instanceof Malformed ? e.getMessage() : "the answer broke off in its head", e);
    }
    return new NoAnswer("the connection ended without an answer", e);
  }

  /** The answer has come to its proper end. */
  void complete() {
    if (reusable && isSent() && !connection.in().hasBuffered()) {
      setting.pool().release(connection);
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

  /** Ends the connection, whatever is under way on it. */
  void giveUp() {
    upload.ifPresent(Upload::giveUp);
    setting.pool().discard(connection);
  }
}

package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.BodyOutput;
import portcullis.http.wire.Framing;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.WireOutput;

/** One exchange on a connection of HTTP/1. For the exchange's thread, but for {@link #abort}. */
final class Http1Carrier implements Carrier {
  private static final byte[] CONTINUE = StatusLine.of(100);
  // the rest of an unread body is read up to this length, so that the connection can be kept
  private static final int WASTE = 65536;

  private final Connection connection;
  private final RequestHead head;
  private final RequestCheck check;
  private final Http1Head heads;
  private final RequestBody body;
  private volatile Optional<Thread> owner = Optional.of(Thread.currentThread());
  private Runnable left = () -> {};
  private volatile Optional<BodyOutput> answer = Optional.empty();
  private boolean keep;
  private boolean awaited;
  private volatile boolean answered;
  private boolean upgraded;
  private volatile boolean endsWithConnection;
  private volatile boolean aborted;

  Http1Carrier(Connection connection, RequestHead head, RequestCheck check, ServerLimits limits, Http1Head heads) {
    this.connection = connection;
    this.head = head;
    this.check = check;
    this.heads = heads;
    this.body = check.framing().equals(Framing.NONE) ? RequestBody.NONE : body(limits);
    this.awaited = check.awaitsContinue();
    this.keep = check.keep();
  }

  private RequestBody body(ServerLimits limits) {
    BodyInput framed = BodyInput.of(check.framing(), connection.input(), limits.head());
    return new RequestBody(framed, limits.maxBodyBytes(), this::beginBody);
  }

  @Override
  public RequestCheck check() {
    return check;
  }

  @Override
  public InputStream body() {
    return body;
  }

  // 100 only when the handler reads the body, and only if it has not arrived anyway (RFC 9110, 10.1.1).
  private void beginBody() throws IOException {
    connection.pace().body();
    if (awaited && !answered && !connection.input().hasBuffered()) {
      WireOutput out = connection.output();
      out.write(CONTINUE);
      out.write("\r\n");
      out.flush();
    }
    awaited = false;
  }

  @Override
  public OptionalLong length() {
    return switch (check.framing()) {
      case Framing.None() -> OptionalLong.of(0);
      case Framing.Length(long bytes) -> OptionalLong.of(bytes);
      case Framing.Chunked(),Framing.UntilClose() -> OptionalLong.empty();
    };
  }

  @Override
  public Fields trailers() {
    return body.trailers();
  }

  @Override
  public OutputStream respond(int status, Fields fields, long length) throws IOException {
    WireOutput out = connection.output();
    // a client that waits for 100 may send the body or not, so that what comes next is ambiguous
    boolean wanted = keep && !awaited && !body.isBroken() && !connection.isLastResponse() && !Http1Head.closes(fields);
    int mark = out.mark();
    Framing framing;
    try {
      framing = heads.write(out, head, status, fields, length, wanted);
    } catch (IllegalArgumentException e) {
      out.reset(mark);
      throw e;
    }
    answered = true;
    endsWithConnection = framing.equals(Framing.UNTIL_CLOSE);
    keep = wanted && !endsWithConnection;
    BodyOutput framed = BodyOutput.of(framing, out);
    answer = Optional.of(framed);
    if (framing.equals(Framing.NONE)) {
      out.flush();
      return length == 0 ? framed : OutputStream.nullOutputStream();
    }
    return framed;
  }

  @Override
  public void trail(Fields trailers) {
    answer.ifPresent(to -> to.trail(trailers));
  }

  @Override
  public void inform(int status, Fields fields) throws IOException {
    if (head.minor() == 0) {
      return;
    }
    WireOutput out = connection.output();
    int mark = out.mark();
    try {
      Http1Head.interim(out, status, fields);
    } catch (IllegalArgumentException e) {
      out.reset(mark);
      throw e;
    }
    out.flush();
  }

  @Override
  public Tunnel upgrade(Fields fields) throws IOException {
    if (head.minor() == 0 || !head.fields().has("Upgrade") || !body.isComplete()) {
      throw new IOException("no request that can become a tunnel");
    }
    inform(101, fields);
    connection.unwatchClient();
    answered = true;
    upgraded = true;
    keep = false;
    connection.pace().endless();
    connection.endOnDrain(true);
    Http1Tunnel tunnel = new Http1Tunnel(connection);
    connection.waits(tunnel);
    return tunnel;
  }

  @Override
  public void watchClient(Runnable leaving) {
    left = leaving;
    connection.watchClient(body::isWhole, left, head.fields().has("Upgrade"));
  }

  @Override
  public boolean mayPause() {
    return connection.mayPause() && body.isWhole();
  }

  @Override
  public boolean canPause() {
    return connection.canPause(left);
  }

  @Override
  public void pause(PausableBody.Source source, Consumer<Boolean> action) {
    PausedExchange exchange = connection.paused().orElseGet(() -> new PausedExchange(this));
    exchange.pause(source, action);
    connection.pause(Optional.of(exchange));
    owner = Optional.empty();
  }

  /** Goes on after a pause, on the current thread. */
  void resume() {
    owner = Optional.of(Thread.currentThread());
    connection.resume(left);
    connection.watchClient(body::isWhole, left, false);
  }

  // The exchange's own thread flushes what has been written; any other one may find it writing.
  @Override
  public void abort() {
    boolean own = owner.equals(Optional.of(Thread.currentThread()));
    if (aborted) {
      return;
    }
    aborted = true;
    if (answered && endsWithConnection) {
      connection.reset();
    } else if (own) {
      flushQuietly();
      connection.close();
    } else {
      connection.drop();
    }
  }

  private void flushQuietly() {
    try {
      if (answer.isPresent()) {
        answer.get().flush();
        connection.output().flush();
      }
    } catch (IOException e) {
      // the client has gone
    }
  }

  /**
   * Ends the exchange once its handler is done with it.
   *
   * @return whether another request may come on this connection
   */
  boolean end() throws IOException {
    connection.unwatchClient();
    if (!upgraded && !(answer.isPresent() && answer.get().isComplete())) {
      abort();
    }
    if (aborted || upgraded) {
      return false;
    }
    connection.output().flush();
    return keep && !awaited && !body.isBroken() && drained();
  }

  private boolean drained() throws IOException {
    if (body.isComplete()) {
      return true;
    }
    if (check.framing() instanceof Framing.Length(long bytes) && bytes - body.count() > WASTE) {
      return false;
    }
    byte[] waste = new byte[4096];
    for (int n = 0, all = 0; n >= 0 && all < WASTE; all += n) {
      n = body.read(waste);
    }
    return body.isComplete();
  }
}

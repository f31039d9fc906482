package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.function.Consumer;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.RunningResponse;
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
  private final Http1Response response;
  private boolean awaited;

  Http1Carrier(Connection connection, RequestHead head, RequestCheck check, ServerLimits limits, Http1Head heads) {
    this.connection = connection;
    this.head = head;
    this.check = check;
    this.heads = heads;
    this.body = check.framing().equals(Framing.NONE) ? RequestBody.NONE : body(limits);
    this.response = new Http1Response(connection);
    this.awaited = check.awaitsContinue();
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
    if (awaited && !response.isBegun() && !connection.input().hasBuffered()) {
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
    boolean wanted = check.keep() && !awaited && !body.isBroken() && !connection.isLastResponse()
        && !Http1Head.closes(fields);
    int mark = out.mark();
    Framing framing;
    try {
      framing = heads.write(out, head, status, fields, length, wanted);
    } catch (IllegalArgumentException e) {
      out.reset(mark);
      throw e;
    }
    BodyOutput framed = response.begin(framing, wanted);
    if (framing.equals(Framing.NONE)) {
      out.flush();
      return length == 0 ? framed : OutputStream.nullOutputStream();
    }
    return framed;
  }

  @Override
  public void trail(Fields trailers) {
    response.trail(trailers);
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
    response.handOver();
    connection.pace().endless();
    connection.onDrain(() -> connection.deadline(connection::endInput).set(LastingConnection.LAST_MESSAGE_NANOS));
    Http1Tunnel tunnel = new Http1Tunnel(connection);
    connection.waits(tunnel);
    return tunnel;
  }

  @Override
  public void watchClient(Runnable left) {
    response.watch(left);
    connection.watchClient(body::isWhole, left, head.fields().has("Upgrade"));
  }

  /** For the same exchanges: its client is watched while no thread reads the connection. */
  @Override
  public boolean maySuspend() {
    return mayPause();
  }

  @Override
  public void suspend(Suspension suspension, Runnable rest) {
    response.suspend(suspension, rest);
  }

  @Override
  public boolean mayPause() {
    return response.mayPause() && body.isWhole() && !body.isBroken();
  }

  @Override
  public boolean canPause() {
    return response.canPause();
  }

  @Override
  public RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    return response.pause(source, action);
  }

  @Override
  public void afterwards(Runnable action) {
    connection.afterwards(action);
  }

  @Override
  public void abort() {
    response.abort();
  }

  /**
   * Ends the exchange once its handler is done with it.
   *
   * @return whether another request may come on this connection
   */
  boolean end() throws IOException {
    return response.end() && !awaited && !body.isBroken() && drained();
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

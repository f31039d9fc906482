package portcullis.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.http.h2.FlowControl;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.Http2Error;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.Framing;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.WireOutput;

/** One exchange on a stream of HTTP/2. The handler's thread uses it, the connection's tells it what comes. */
final class Http2Stream implements Carrier, Http2Body.Reader {
  private final int id;
  private final Http2 connection;
  private final RequestHead head;
  private final FlowControl.Window window;
  private final OptionalLong length;
  private final Http2Body body;
  private final Pace pace;
  private volatile ServerLimits.Waits waits;
  private Optional<Http2Answer> answer = Optional.empty();
  private boolean awaited;
  private volatile boolean reset;
  private volatile Runnable left = () -> {};

  /** @param ended whether the request has no body, as its head is all of it */
  Http2Stream(int id, Http2 connection, RequestHead head, RequestCheck check, boolean ended) {
    this.id = id;
    this.connection = connection;
    this.head = head;
    this.window = connection.flow().open();
    this.awaited = check.awaitsContinue();
    boolean told = head.fields().has("content-length");
    long expected = check.framing() instanceof Framing.Length(long bytes) ? bytes : told ? 0 : -1;
    this.length = ended ? OptionalLong.of(0) : expected < 0 ? OptionalLong.empty() : OptionalLong.of(expected);
    this.waits = connection.limits().waits();
    this.pace = new Pace(waits);
    this.body = new Http2Body(id, expected, connection.limits().maxBodyBytes(), pace, this);
  }

  @Override
  public void allowPauses() {
    waits = waits.forCalls();
    pace.change(waits);
  }

  int id() {
    return id;
  }

  /** The wait for more of the request's body, where its handler is waiting. */
  Optional<ClientWait> clientWait(ServerLimits limits) {
    OptionalLong since = body.waitsSince();
    if (since.isEmpty()) {
      return Optional.empty();
    }
    boolean expected = !waits.equals(limits.waits());
    return Optional.of(new ClientWait(since.getAsLong(), expected, () -> body.fail(Http2Body.late())));
  }

  RequestHead head() {
    return head;
  }

  FlowControl flow() {
    return connection.flow();
  }

  FlowControl.Window window() {
    return window;
  }

  FrameOutput output() {
    return connection.output();
  }

  /** What comes of the request's body. */
  @Override
  public Http2Body body() {
    return body;
  }

  @Override
  public OptionalLong length() {
    return length;
  }

  @Override
  public Fields trailers() {
    return body.trailers();
  }

  @Override
  public void begin() throws IOException {
    if (awaited && answer.isEmpty() && body.available() == 0) {
      interim(100, Fields.NONE);
    }
    awaited = false;
  }

  @Override
  public void consumed(int bytes) throws IOException {
    boolean ended = body.isEnded() || reset;
    connection.consumed(bytes, ended ? 0 : id);
  }

  @Override
  public OutputStream respond(int status, Fields fields, long length) throws IOException {
    boolean bare = head.method().equals("HEAD") || status == 204 || status == 304;
    List<Field> lines = new ArrayList<>(fields.size() + 2);
    boolean dated = false;
    for (Field line : fields.lines()) {
      boolean kept = !isOurs(line) || bare && length <= 0 && status != 204 && line.is("Content-Length");
      if (kept) {
        WireOutput.check(line);
        lines.add(line);
        dated |= line.is("Date");
      }
    }
    if (!dated) {
      lines.add(new Field("Date", connection.date().value()));
    }
    if (length > 0 && status != 204 || length == 0 && !bare) {
      lines.add(new Field("Content-Length", Long.toString(length)));
    }
    Fields[] block = {Fields.of(":status", Integer.toString(status)), Fields.of(lines)};
    long nanos = waits.write().toNanos();
    Http2Answer out = new Http2Answer(this, block, bare ? 0 : length, nanos, this::ended);
    answer = Optional.of(out);
    if (bare || length == 0) {
      out.close();
      return length == 0 ? out : OutputStream.nullOutputStream();
    }
    return out;
  }

  /** Lines that have no meaning here, or that the answer itself tells (RFC 9113, 8.2.2). */
  private static boolean isOurs(Field line) {
    return Http1Head.isOurs(line) || line.is("Upgrade");
  }

  @Override
  public void trail(Fields trailers) {
    trailers.forEach(WireOutput::check);
    answer.ifPresent(to -> to.trail(trailers));
  }

  @Override
  public void inform(int status, Fields fields) throws IOException {
    fields.forEach(WireOutput::check);
    interim(status, fields.without(Http2Stream::isOurs));
  }

  private void interim(int status, Fields fields) throws IOException {
    output().write(() -> output().headers(id, Fields.of(":status", Integer.toString(status)), fields, false));
  }

  @Override
  public Tunnel upgrade(Fields fields) throws IOException {
    throw new IOException("no request that can become a tunnel");
  }

  @Override
  public void abort() {
    reset(Http2Error.INTERNAL_ERROR);
  }

  /** The peer's side or ours ended it before its time: whoever waits on it waits no longer. */
  void cancel(IOException why) {
    reset = true;
    body.fail(why);
    connection.flow().close(window);
    left.run();
  }

  @Override
  public void watchClient(Runnable leaving) {
    left = leaving;
    if (reset) {
      leaving.run();
    }
  }

  private void reset(Http2Error error) {
    if (!reset) {
      cancel(new IOException("the stream has been reset"));
      connection.reset(id, error);
    }
  }

  // All of the answer is about to be sent. Where the request has not ended it will not matter any more (RFC 9113, 8.1).
  private void ended() {
    if (body.isEnded()) {
      connection.forget(id);
    }
  }

  /** Ends the exchange once its handler is done with it. */
  void end() {
    boolean whole = answer.isPresent() && answer.get().isComplete();
    if (!whole) {
      reset(Http2Error.INTERNAL_ERROR);
    } else if (!body.isEnded()) {
      reset(Http2Error.NO_ERROR);
    }
    connection.forget(id);
    connection.discarded(body.discard());
  }
}

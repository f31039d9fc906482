package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.HeaderBlock;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Inbound;
import portcullis.http.h2.Outbound;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.RunningResponse;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.Framing;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.WireOutput;

/** One exchange on a stream of HTTP/2, for the handler's thread; the connection's brings what comes in. */
final class Http2Stream extends Inbound implements Carrier, RunningResponse {
  private static final Runnable NOTHING = () -> {};

  private final RequestCheck check;
  private final Http2 connection;
  private final RequestHead head;
  private final OptionalLong length;
  private final Http2RequestBody body;
  private final ReadDeadline pace;
  private volatile ServerLimits.Waits waits;
  private Optional<Http2ResponseBody> answer = Optional.empty();
  private Optional<Suspended> suspended = Optional.empty();
  private Runnable afterwards = NOTHING;
  private volatile Runnable waking = NOTHING;
  private boolean awaited;
  private volatile boolean reset;
  private volatile Runnable left = NOTHING;

  /** What goes on with a stream whose handler has returned without an answer. */
  record Suspended(Suspension suspension, Runnable rest) {}

  /** @param ended whether the request has no body, as its head is all of it */
  Http2Stream(int id, Http2 connection, RequestHead head, RequestCheck check, boolean ended) {
    super(id, connection);
    this.connection = connection;
    this.head = head;
    this.check = check;
    this.awaited = check.awaitsContinue();
    boolean announced = head.fields().has("content-length");
    long bytes = check.framing() instanceof Framing.Length(long n) ? n : announced ? 0 : -1;
    this.length = ended ? OptionalLong.of(0) : bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    this.waits = connection.limits().waits();
    this.pace = new ReadDeadline(waits);
    this.body = new Http2RequestBody(this, pace);
    expect(bytes);
  }

  // --- the connection's side

  /** Records that the request has no body. */
  void endContent() throws Http2Exception {
    end(Fields.NONE);
  }

  /** A header block behind that of the request is a trailer section (RFC 9113, 8.1). */
  @Override
  public RequestCheck check() {
    return check;
  }

  @Override
  protected void headers(HpackDecoder.Block block, boolean end) throws Http2Exception {
    requireOpen();
    if (!end || !block.whole()) {
      throw error(Http2Error.PROTOCOL_ERROR, "trailers that do not end the stream, or are too long");
    }
    end(HeaderBlock.trailers(id(), block.fields()));
  }

  @Override
  protected void data(byte[] content, int whole, boolean end) throws IOException {
    if (received() + content.length > connection.limits().maxBodyBytes()) {
      fail(new MalformedMessageException(413, "a body longer than allowed"));
    }
    super.data(content, whole, end);
  }

  /** Returns the wait for more of the request's body, where its handler is waiting. */
  Optional<ClientWait> clientWait(ServerLimits limits) {
    OptionalLong since = body.waitsSince();
    if (since.isEmpty()) {
      return Optional.empty();
    }
    boolean expected = !waits.equals(limits.waits());
    ClientWait wait = new ClientWait(since.getAsLong(), pace.isSlow(), expected, () -> fail(Http2RequestBody.late()));
    return Optional.of(wait);
  }

  /** Records that either side ended the stream early: reads and writes fail from now on. */
  void cancel(IOException why) {
    reset = true;
    fail(why);
    connection.flow().close(window());
    left.run();
    waking.run();
  }

  // --- the handler's side

  RequestHead head() {
    return head;
  }

  @Override
  public void allowPauses() {
    waits = connection.callWaits();
    pace.change(waits);
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public OptionalLong length() {
    return length;
  }

  /** The client may leave it waiting, as the thread of the connection notices its end. */
  @Override
  public boolean maySuspend() {
    return isComplete();
  }

  @Override
  public void suspend(Suspension suspension, Runnable rest) {
    suspended = Optional.of(new Suspended(suspension, rest));
  }

  @Override
  public boolean mayPause() {
    return true;
  }

  @Override
  public boolean canPause() {
    return isComplete();
  }

  /** Nothing but the stream itself is left of the exchange. */
  @Override
  public RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    Suspension pause = new Suspension();
    AtomicBoolean late = new AtomicBoolean();
    suspended = Optional.of(new Suspended(pause, () -> {
      waking = NOTHING;
      action.accept(late.get());
    }));
    answer.ifPresent(Http2ResponseBody::rest);
    waking = connection.pauses().begin(source, Optional.empty(), nothingCame -> {
      late.set(nothingCame);
      pause.wake();
    });
    if (reset) {
      waking.run();
    }
    return this;
  }

  @Override
  public OutputStream getResponseBody() {
    return answer.isPresent() ? answer.get() : OutputStream.nullOutputStream();
  }

  @Override
  public byte[] room() {
    return connection.spares().take();
  }

  @Override
  public void recycle(byte[] room) {
    connection.spares().give(room);
  }

  @Override
  public void afterwards(Runnable action) {
    if (suspended.isPresent()) {
      afterwards = action;
    } else {
      action.run();
    }
  }

  /** Does what is to be done at the end of an exchange that has outlasted its handler. */
  void over() {
    afterwards.run();
  }

  /** Ends the suspension, and returns what it was; empty if it has not been suspended. */
  Optional<Suspended> resume() {
    Optional<Suspended> out = suspended;
    suspended = Optional.empty();
    return out;
  }

  /** Requests the body for the handler (RFC 9110, 10.1.1). */
  void begin() throws IOException {
    if (awaited && answer.isEmpty() && available() == 0) {
      interim(100, Fields.NONE);
    }
    awaited = false;
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
    Http2ResponseBody out = new Http2ResponseBody(
        new Outbound(this, connection, Optional.of(block), nanos, this::ended),
        bare ? 0 : length);
    answer = Optional.of(out);
    if (bare || length == 0) {
      out.close();
      return length == 0 ? out : OutputStream.nullOutputStream();
    }
    return out;
  }

  /** Fields that have no meaning on a stream, or that the server itself sets (RFC 9113, 8.2.2). */
  private static boolean isOurs(Field line) {
    return ConnectionFields.isConnectionSpecific(line.name()) || line.is("Content-Length");
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
    FrameOutput out = connection.output();
    out.write(() -> out.headers(id(), Fields.of(":status", Integer.toString(status)), fields, false));
  }

  @Override
  public Tunnel upgrade(Fields fields) throws IOException {
    throw new IOException("no request that can become a tunnel");
  }

  @Override
  public void abort() {
    reset(Http2Error.INTERNAL_ERROR);
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
      connection.reset(id(), error);
    }
  }

  // All of the answer is about to be sent. Where the request has not ended it will not matter any more (RFC 9113, 8.1).
  private void ended() {
    if (isEnded()) {
      connection.forget(this);
    }
  }

  /** Ends the exchange once its handler is done with it. */
  void end() {
    boolean whole = answer.isPresent() && answer.get().isComplete();
    if (!whole) {
      reset(Http2Error.INTERNAL_ERROR);
    } else if (!isEnded()) {
      reset(Http2Error.NO_ERROR);
    }
    connection.forget(this);
    connection.discarded(discard());
  }
}

package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import portcullis.http.h2.FlowControl;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Http2Settings;
import portcullis.http.message.Fields;
import portcullis.http.wire.Malformed;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.Watch;

/**
 * Serves one connection of HTTP/2 (RFC 9113): what the streams share. The calling thread reads the frames, each request
 * is handled on a thread of its own.
 */
final class Http2 implements ClientWaits {
  /** {@code PRI * HTTP/2.0 CRLF CRLF SM CRLF CRLF} (RFC 9113, 3.4). */
  static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);

  private static final int MAX_STREAMS = 128;
  private static final int WINDOW = 1 << 20;

  private final Connection connection;
  private final ServerLimits limits;
  private final Dispatch dispatch;
  private final Refusals refusals;
  private final DateLine date;
  private final Http2Reader reader;
  private final FrameOutput out;
  private final FlowControl flow = new FlowControl();
  private final Map<Integer, Http2Stream> streams = new ConcurrentHashMap<>();
  private final LinkedHashMap<Integer, Boolean> reset = new LinkedHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger credit = new AtomicInteger();
  private final AtomicInteger window = new AtomicInteger(WINDOW);
  private final Watch.Deadline idle;
  private volatile long quietSince = System.nanoTime();
  private volatile int last;
  private volatile boolean leaving;

  Http2(Connection connection, ServerLimits limits, Dispatch dispatch, Refusals refusals, DateLine date) {
    this.connection = connection;
    this.limits = limits;
    this.dispatch = dispatch;
    this.refusals = refusals;
    this.date = date;
    connection.output().keepApart();
    this.out = new FrameOutput(connection.output());
    this.reader = new Http2Reader(this, connection.input());
    this.idle = connection.deadline(connection::endInput);
  }

  /** Waits for the first frame behind the preface; false where there is none in time. Nothing has been sent then. */
  boolean begins() throws IOException {
    return reader.begins();
  }

  /** Serves from the first frame on until the connection ends, and closes it. */
  void serve() throws IOException {
    connection.waits(this);
    connection.onDrain(() -> Thread.ofVirtual().name("drain").start(this::leave));
    Http2Error end = Http2Error.NO_ERROR;
    try {
      greet();
      reader.read();
    } catch (Http2Exception e) {
      end = e.error();
      refusals.refused(connection.peer(), Optional.empty(), 400, e.getMessage());
    } finally {
      idle.close();
      leaving = true;
      streams.values().forEach(stream -> stream.cancel(new Malformed(400, "the connection ended inside a body")));
      goAway(end);
      connection.close();
    }
  }

  FrameOutput output() {
    return out;
  }

  FlowControl flow() {
    return flow;
  }

  ServerLimits limits() {
    return limits;
  }

  DateLine date() {
    return date;
  }

  /** The stream of that number, where it is open. */
  Optional<Http2Stream> stream(int id) {
    return Optional.ofNullable(streams.get(id));
  }

  /** The highest stream that the client has opened. */
  int last() {
    return last;
  }

  /** Says hello (RFC 9113, 3.4): what we take. */
  private void greet() throws IOException {
    out.write(() -> {
      out.settings(Http2Settings.Name.MAX_CONCURRENT_STREAMS.ordinal() + 1, MAX_STREAMS,
          Http2Settings.Name.INITIAL_WINDOW_SIZE.ordinal() + 1, Http2Body.WINDOW,
          Http2Settings.Name.MAX_HEADER_LIST_SIZE.ordinal() + 1, limits.head().maxBytes());
      out.windowUpdate(0, WINDOW - Http2Settings.INITIAL.initialWindow());
    });
    connection.pace().endless();
    await(limits.waits().idle().toNanos());
  }

  /** What the settings allow is written only behind their acknowledgement (RFC 9113, 6.5.3). */
  void settings(Http2Settings now) throws IOException {
    out.write(() -> {
      out.maxFrame(now.maxFrame());
      flow.initial(now.initialWindow(), streams.values().stream().map(Http2Stream::window).toList());
      out.settingsAck();
    });
  }

  /** Lets the client wait no longer than that for its next frame, unless streams are open. */
  synchronized void await(long nanos) {
    if (isQuiet()) {
      idle.set(nanos);
    } else {
      idle.clear();
    }
  }

  /** A head may be in the middle of its frames for only so long, whatever else is going on. */
  synchronized void awaitHead() {
    idle.set(limits.waits().head().toNanos());
  }

  /** The client has opened a stream, whatever will become of it. */
  void begun(int id) {
    last = id;
  }

  /** A request has begun. */
  void open(int id, RequestHead head, boolean ended) throws IOException {
    if (leaving) {
      return;
    }
    if (streams.size() >= MAX_STREAMS || running.get() >= 2 * MAX_STREAMS) {
      reset(id, Http2Error.REFUSED_STREAM);
      return;
    }
    try {
      start(new Http2Stream(id, this, head, RequestCheck.of(head, limits.maxBodyBytes()), ended), ended);
    } catch (Malformed e) {
      refuse(id, head, e, ended);
    }
  }

  /** A request whose head is longer than allowed. */
  void tooLong(int id, boolean ended) throws IOException {
    refuse(id, new RequestHead("GET", "/", 1, Fields.NONE), new Malformed(431, "the head is longer than allowed"),
        ended);
  }

  private void refuse(int id, RequestHead head, Malformed fault, boolean ended) throws IOException {
    refusals.refused(connection.peer(), Optional.of(head), fault.status(), fault.reason());
    Fields block = Fields.of(":status", Integer.toString(fault.status()));
    if (!ended) {
      noteReset(id);
    }
    out.write(() -> {
      out.headers(id, block, Fields.of("date", date.value(), "content-length", "0"), true);
      if (!ended) {
        out.reset(id, Http2Error.NO_ERROR);
      }
    });
  }

  private void start(Http2Stream stream, boolean ended) throws IOException {
    if (ended) {
      stream.body().end(Fields.NONE);
    }
    synchronized (this) {
      streams.put(stream.id(), stream);
      running.incrementAndGet();
      idle.clear();
    }
    Thread.ofVirtual().name("stream").start(() -> run(stream));
  }

  private void run(Http2Stream stream) {
    try {
      dispatch.handle(stream.head(), "HTTP/2.0", connection, stream);
    } catch (IOException e) {
      // nobody takes the answer any more
    } finally {
      stream.end();
      running.decrementAndGet();
      settle();
    }
  }

  /** A stream has ended on both sides; its handler may still be at work. */
  void forget(int id) {
    streams.remove(id);
  }

  private boolean isQuiet() {
    return streams.isEmpty() && running.get() == 0;
  }

  // Only now that everything has been sent the connection may be idle, or end where it was to.
  private synchronized void settle() {
    if (isQuiet() && leaving) {
      connection.endInput();
    } else if (isQuiet()) {
      quietSince = System.nanoTime();
      idle.set(limits.waits().idle().toNanos());
    }
  }

  /** It waits for its client where no stream is open, or all that are open do. */
  @Override
  public Optional<ClientWait> connection() {
    if (isQuiet()) {
      return Optional.of(new ClientWait(quietSince, false, connection::endInput));
    }
    List<ClientWait> waits = requests();
    if (waits.isEmpty() || waits.size() < running.get()) {
      return Optional.empty();
    }
    boolean expected = waits.stream().anyMatch(ClientWait::expected);
    return Optional.of(new ClientWait(waits.getLast().since(), expected, connection::endInput));
  }

  @Override
  public List<ClientWait> requests() {
    return streams.values().stream().flatMap(stream -> stream.clientWait(limits).stream()).toList();
  }

  /** Takes data off the connection's window, as its stream does of its own. */
  void received(int bytes) throws Http2Exception {
    if (window.addAndGet(-bytes) < 0) {
      throw Http2Exception.connection(Http2Error.FLOW_CONTROL_ERROR, "more data than the window has room for");
    }
  }

  /** Gives windows back: the connection's now or with others, and that of a stream unless it is 0. */
  void consumed(int bytes, int stream) throws IOException {
    int all = credit.addAndGet(bytes);
    int due = all >= WINDOW / 4 ? credit.getAndSet(0) : 0;
    if (due > 0 || stream > 0) {
      window.addAndGet(due);
      out.write(() -> {
        if (due > 0) {
          out.windowUpdate(0, due);
        }
        if (stream > 0) {
          out.windowUpdate(stream, bytes);
        }
      });
    }
  }

  void discarded(int bytes) {
    try {
      consumed(bytes, 0);
    } catch (IOException e) {
      // the connection has ended
    }
  }

  void reset(int id, Http2Error error) {
    noteReset(id);
    try {
      out.write(() -> out.reset(id, error));
    } catch (IOException e) {
      // the connection has ended
    }
  }

  private synchronized void noteReset(int id) {
    reset.put(id, true);
    if (reset.size() > MAX_STREAMS) {
      reset.pollFirstEntry();
    }
  }

  /**
   * Whether we have reset that stream lately: its client may not know yet, and what it sends is no fault (RFC 9113,
   * 5.1).
   */
  synchronized boolean wasReset(int id) {
    return reset.containsKey(id);
  }

  /** Takes no more requests, and ends once those under way have been answered (RFC 9113, 6.8). */
  private void leave() {
    leaving = true;
    goAway(Http2Error.NO_ERROR);
    settle();
  }

  private void goAway(Http2Error error) {
    try {
      out.write(() -> out.goAway(last, error));
    } catch (IOException e) {
      // the connection has ended
    }
  }
}

package portcullis.http.server;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import portcullis.background.VirtualThreadPool;
import portcullis.http.h2.Endpoint;
import portcullis.http.h2.FrameBudget;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.HeaderBlock;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Http2Settings.Name;
import portcullis.http.h2.Http2Settings;
import portcullis.http.h2.StreamMemory;
import portcullis.http.message.Fields;
import portcullis.http.wire.ByteArrayPool;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.RequestHead;

/**
 * Serves one connection of HTTP/2 (RFC 9113). The calling thread reads the frames, each request is handled on a thread
 * of its own.
 */
final class Http2 extends Endpoint<Http2Stream> implements ClientWaits {
  private static final int MAX_STREAMS = 128;
  /** More than the time from the end of a head to the beginning of its stream. */
  private static final long DISPATCH_NANOS = 1_000_000_000L;
  private static final Allowance ALLOWANCE = new Allowance(1 << 20, false, 2000, 1000, StreamMemory.REQUESTS);

  private final Connection connection;
  private final ServerLimits limits;
  private final Dispatch dispatch;
  private final RejectionListener refusals;
  private final DateHeader date;
  private final Pauses pauses;
  private final FrameBudget resets = new FrameBudget(500, 100);
  private final LinkedHashMap<Integer, Boolean> reset = new LinkedHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private final StreamQueue<Http2Stream> queue = new StreamQueue<>(VirtualThreadPool.SHARED, this::run);
  private final DeadlineTimer.Deadline idle;
  /** The same for all calls, of which there may be many. */
  private final ServerLimits.Waits callWaits;
  private volatile long quietSince = System.nanoTime();
  private boolean inBlock;
  private volatile int last;
  private volatile boolean leaving;

  Http2(Connection connection, ServerLimits limits, Dispatch dispatch, RejectionListener refusals, DateHeader date,
      Pauses pauses) {
    super(connection.input(), connection.output(), limits.head(), ALLOWANCE);
    this.connection = connection;
    this.limits = limits;
    this.dispatch = dispatch;
    this.refusals = refusals;
    this.date = date;
    this.pauses = pauses;
    this.callWaits = limits.waits().forCalls();
    connection.output().keepApart();
    this.idle = connection.deadline(connection::endInput);
  }

  /** Serves from the first frame on until the connection ends, and closes it. */
  void serve() throws IOException {
    connection.waits(this);
    connection.onDrain(() -> Thread.ofVirtual().name("drain").start(this::leave));
    Http2Error end = Http2Error.NO_ERROR;
    try {
      greet();
      read();
    } catch (Http2Exception e) {
      end = e.error();
      refusals.refused(connection.peer(), Optional.empty(), 400, e.getMessage());
    } finally {
      idle.close();
      leaving = true;
      streams().values()
          .forEach(stream -> stream.cancel(new MalformedMessageException(400, "the connection ended inside a body")));
      if (end != Http2Error.NO_ERROR) {
        dropUnbegun();
      }
      endOutput(end);
      connection.close();
      awaitHandlers();
    }
  }

  /** Takes back what a client that has broken the rules had sent before; it may send that again elsewhere. */
  private void dropUnbegun() {
    List<Http2Stream> dropped = queue.clear();
    if (!dropped.isEmpty()) {
      last = Math.max(0, dropped.getFirst().id() - 2);
    }
    dropped.forEach(this::ended);
  }

  /** Lets a stop of the server wait for what handlers still have to do, though their client has gone. */
  private synchronized void awaitHandlers() {
    try {
      while (running.get() > 0) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends the reason for the end behind all that handlers have written; what they write later is not sent. */
  private void endOutput(Http2Error reason) {
    try {
      output().writeLast(() -> output().goAway(last, reason));
    } catch (IOException e) {
      // the client has gone
    }
  }

  ServerLimits limits() {
    return limits;
  }

  ServerLimits.Waits callWaits() {
    return callWaits;
  }

  ByteArrayPool spares() {
    return connection.spares();
  }

  DateHeader date() {
    return date;
  }

  Pauses pauses() {
    return pauses;
  }

  private void greet() throws IOException {
    output().write(() -> greet(Name.MAX_CONCURRENT_STREAMS, MAX_STREAMS));
    connection.pace().endless();
    await(limits.waits().idle().toNanos());
  }

  /** What the settings allow is written only behind their acknowledgement (RFC 9113, 6.5.3). */
  @Override
  protected void settings(Http2Settings now) throws IOException {
    output().write(() -> {
      apply(now);
      output().settingsAck();
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

  /** A frame, or the frames of a head, may be incomplete for only so long, whatever else is going on. */
  @Override
  protected synchronized void blockBegins() {
    inBlock = true;
    idle.set(limits.waits().head().toNanos());
  }

  @Override
  protected synchronized void blockEnds() {
    inBlock = false;
    long left = limits.waits().idle().toNanos() - (System.nanoTime() - quietSince);
    await(Math.max(DISPATCH_NANOS, left)); // frames in pieces prolong no idle connection
  }

  @Override
  protected boolean isOpened(int id) {
    return id <= last;
  }

  /** A client opens streams with odd numbers, each higher than the one before (RFC 9113, 5.1.1). */
  @Override
  protected void opening(int id, HpackDecoder.Block block, boolean ended) throws IOException {
    if (id % 2 == 0) {
      throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR, "a stream of an even number opened by a client");
    }
    last = id;
    if (!block.whole()) {
      refuse(id, new RequestHead("GET", "/", 1, Fields.NONE),
          new MalformedMessageException(431, "the head is longer than allowed"),
          ended);
      return;
    }
    RequestHead head = HeaderBlock.request(id, block.fields());
    if (leaving) {
      return;
    }
    if (streams().size() >= MAX_STREAMS || running.get() >= 2 * MAX_STREAMS) {
      reset(id, Http2Error.REFUSED_STREAM);
      return;
    }
    try {
      start(new Http2Stream(id, this, head, RequestCheck.of(head, limits.maxBodyBytes()), ended), ended);
    } catch (MalformedMessageException e) {
      refuse(id, head, e, ended);
    }
  }

  private void refuse(int id, RequestHead head, MalformedMessageException reason, boolean ended) throws IOException {
    refusals.refused(connection.peer(), Optional.of(head), reason.status(), reason.reason());
    Fields block = Fields.of(":status", Integer.toString(reason.status()));
    if (!ended) {
      noteReset(id);
    }
    output().write(() -> {
      output().headers(id, block, Fields.of("date", date.value(), "content-length", "0"), true);
      if (!ended) {
        output().reset(id, Http2Error.NO_ERROR);
      }
    });
  }

  private void start(Http2Stream stream, boolean ended) throws IOException {
    streams().put(stream.id(), stream);
    if (ended) {
      stream.endContent();
    }
    synchronized (this) {
      running.incrementAndGet();
      idle.clear();
    }
    queue.add(stream);
  }

  private void run(Http2Stream stream) {
    try {
      dispatch.handle(stream.head(), "HTTP/2.0", connection, stream);
    } catch (IOException e) {
      // the client has gone
    } finally {
      returned(stream);
    }
  }

  private void returned(Http2Stream stream) {
    Optional<Http2Stream.Suspended> suspended = stream.resume();
    if (suspended.isEmpty()) {
      ended(stream);
      return;
    }
    suspended.get().suspension().returned(() -> {
      try {
        suspended.get().rest().run();
      } finally {
        returned(stream);
      }
    });
  }

  private void ended(Http2Stream stream) {
    try {
      stream.end();
      stream.over();
    } finally {
      running.decrementAndGet();
      settle();
    }
  }

  /** A stream has ended on both sides; its handler may still be at work. */
  void forget(Http2Stream stream) {
    flow().close(stream.window());
    streams().remove(stream.id());
  }

  private boolean isQuiet() {
    return streams().isEmpty() && running.get() == 0;
  }

  // Only now that everything has been sent the connection may be idle, or end where it was to.
  private synchronized void settle() {
    notifyAll();
    if (isQuiet() && leaving) {
      connection.endInput();
    } else if (isQuiet()) {
      quietSince = System.nanoTime();
      output().shrink();
      if (!inBlock) {
        idle.set(limits.waits().idle().toNanos());
      }
    }
  }

  /** Returns the wait for the client if no stream is open or all open ones wait. */
  @Override
  public Optional<ClientWait> connection() {
    if (isQuiet()) {
      return Optional.of(new ClientWait(quietSince, false, false, connection::endInput));
    }
    List<ClientWait> waits = requests();
    if (waits.isEmpty() || waits.size() < running.get()) {
      return Optional.empty();
    }
    boolean expected = waits.stream().anyMatch(ClientWait::expected);
    return Optional.of(new ClientWait(waits.getLast().since(), false, expected, connection::endInput));
  }

  @Override
  public List<ClientWait> requests() {
    return streams().values().stream().flatMap(stream -> stream.clientWait(limits).stream()).toList();
  }

  void discarded(int bytes) {
    try {
      consumed(bytes, 0);
    } catch (IOException e) {
      // the connection has ended
    }
  }

  @Override
  protected void reply(FrameOutput.Part part) throws IOException {
    output().write(part);
  }

  @Override
  protected void resetByPeer(int id, Http2Error error) throws IOException {
    resets.spend();
    stream(id).ifPresent(stream -> {
      stream.cancel(new IOException("the client has reset the stream"));
      forget(stream);
      isTakenBack(stream);
    });
  }

  /** What the stream had taken of the connection's window is returned when its handler ends. */
  @Override
  protected void failed(Http2Exception error) throws IOException {
    resets.spend();
    Optional<Http2Stream> stream = stream(error.stream());
    stream.ifPresent(s -> s.cancel(error));
    reset(error.stream(), error.error());
    stream.ifPresent(this::forget);
    if (stream.isPresent() && isTakenBack(stream.get())) {
      refusals.refused(connection.peer(), stream.map(Http2Stream::head), 400, error.getMessage());
    }
  }

  /** The handler of a stream that has ended before it was begun does not run; false if it was begun. */
  private boolean isTakenBack(Http2Stream stream) {
    boolean isTaken = queue.remove(stream);
    if (isTaken) {
      ended(stream);
    }
    return isTaken;
  }

  void reset(int id, Http2Error error) {
    noteReset(id);
    trySend(() -> output().reset(id, error));
  }

  private synchronized void noteReset(int id) {
    reset.put(id, true);
    if (reset.size() > MAX_STREAMS) {
      reset.pollFirstEntry();
    }
  }

  /** The client of a stream that was reset lately may not know yet (RFC 9113, 5.1). */
  @Override
  protected synchronized boolean ignoresLate(int id) {
    return reset.containsKey(id);
  }

  /** Accepts no more requests, and ends after those in progress have been answered (RFC 9113, 6.8). */
  private void leave() {
    leaving = true;
    trySend(() -> output().goAway(last, Http2Error.NO_ERROR));
    settle();
  }
}

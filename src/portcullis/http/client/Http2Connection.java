package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.h2.FlowControl;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Http2Settings.Name;
import portcullis.http.h2.Http2Settings;
import portcullis.http.message.Fields;
import portcullis.http.wire.Watch;
import portcullis.http.wire.WireOutput;

/**
 * A connection of HTTP/2 to an upstream (RFC 9113), shared by as many exchanges as the upstream allows. A thread of its
 * own reads it; whoever has something to send writes it.
 */
final class Http2Connection implements Carrier {
  /** What a stream may hold that nobody has read yet. */
  static final int WINDOW = 256 * 1024;
  /** What the upstream may send on all streams together before it is told that it has arrived. */
  static final int WINDOW_OF_ALL = 8 * 1024 * 1024;

  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);
  // until the upstream has said how many it takes; more could only be refused (RFC 9113, 6.5.2)
  private static final int PLACES = 100;
  private static final int LAST_STREAM = Integer.MAX_VALUE - 2;
  private static final Duration FAREWELL = Duration.ofSeconds(1);
  private static final int MAX_PENDING = 64;

  private final Route route;
  private final Link link;
  private final Pool pool;
  private final SharedOutput shared;
  private final Thread writer;
  private final WireOutput out;
  private final FrameOutput frames;
  private final FlowControl flow = new FlowControl();
  private final Watch.Deadline unused;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Http2Stream> streams = new HashMap<>();
  private final AtomicInteger pending = new AtomicInteger();
  private Http2Settings settings = Http2Settings.INITIAL;
  private int taken;
  private int places = PLACES;
  private int next = 1;
  private boolean closing;
  private Optional<IOException> ended = Optional.empty();
  private volatile long heard = System.nanoTime();

  private Http2Connection(Route route, Link link, Watch watch, Pool pool, Duration idle) {
    this.route = route;
    this.link = link;
    this.pool = pool;
    this.unused = watch.deadline(() -> pool.late(this));
    this.shared = new SharedOutput(link, watch.deadline(this::abort), idle.toNanos());
    this.writer = Thread.ofVirtual().name("client-http2-out").unstarted(shared);
    this.out = new WireOutput(shared);
    this.frames = new FrameOutput(out);
  }

  /** Says hello and begins to read; ends in {@link Pool#discard}. */
  static Http2Connection begin(Route route, Link link, Watch watch, Pool pool, ClientLimits limits) throws IOException {
    Http2Connection connection = new Http2Connection(route, link, watch, pool, limits.bodyIdle());
    connection.greet(limits.maxHeadBytes());
    connection.writer.start();
    Thread.ofVirtual().name("client-http2-in").start(new Http2Reader(connection, link, limits));
    return connection;
  }

  private void greet(int maxHeadBytes) throws IOException {
    frames.write(() -> {
      out.write(PREFACE);
      frames.settings(Name.ENABLE_PUSH.ordinal() + 1, 0, Name.INITIAL_WINDOW_SIZE.ordinal() + 1, WINDOW,
          Name.MAX_HEADER_LIST_SIZE.ordinal() + 1, maxHeadBytes);
      frames.windowUpdate(0, WINDOW_OF_ALL - Http2Settings.INITIAL.initialWindow());
    });
  }

  @Override
  public Route route() {
    return route;
  }

  Link link() {
    return link;
  }

  FrameOutput frames() {
    return frames;
  }

  FlowControl flow() {
    return flow;
  }

  // --- places for exchanges

  @Override
  public boolean wake() {
    lock.lock();
    try {
      if (closing || taken >= places || !unused.clear()) {
        return false;
      }
      taken++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives one place back; true where the connection is of no use any more. */
  boolean rest(long nanos) {
    lock.lock();
    try {
      taken--;
      if (taken == 0 && !closing) {
        unused.set(nanos);
      }
      return taken == 0 && closing;
    } finally {
      lock.unlock();
    }
  }

  /** Whether there has been an exchange before the present one. */
  boolean isUsed() {
    lock.lock();
    try {
      return next > 3;
    } finally {
      lock.unlock();
    }
  }

  boolean isIdle() {
    lock.lock();
    try {
      return taken == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more exchanges; those under way go on. */
  void retire() {
    lock.lock();
    try {
      closing = true;
    } finally {
      lock.unlock();
    }
  }

  // --- streams

  /** Opens a stream with the head of a request; such as are opened at once go out in the order of their numbers. */
  Http2Stream open(boolean bare, Fields first, Fields fields, boolean end) throws IOException {
    Http2Stream[] out = new Http2Stream[1];
    boolean done = false;
    try {
      frames.write(() -> {
        out[0] = opened(bare);
        frames.headers(out[0].id(), first, fields, end);
      });
      done = true;
      return out[0];
    } finally {
      if (!done && out[0] != null) {
        close(out[0]);
      }
    }
  }

  private Http2Stream opened(boolean bare) throws IOException {
    lock.lock();
    try {
      if (ended.isPresent()) {
        throw ended.get();
      }
      Http2Stream stream = new Http2Stream(next, bare, flow.open());
      next += 2;
      closing |= next > LAST_STREAM;
      streams.put(stream.id(), stream);
      return stream;
    } finally {
      lock.unlock();
    }
  }

  Optional<Http2Stream> stream(int id) {
    lock.lock();
    try {
      return Optional.ofNullable(streams.get(id));
    } finally {
      lock.unlock();
    }
  }

  /** Whether a stream of that number has never been. */
  boolean isUnopened(int id) {
    lock.lock();
    try {
      return id >= next || id % 2 == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a stream; what still comes for it is dropped. */
  void close(Http2Stream stream) {
    flow.close(stream.window());
    lock.lock();
    try {
      streams.remove(stream.id());
    } finally {
      lock.unlock();
    }
  }

  /** Tells the upstream that a stream is of no interest any more, unless it has said so itself (RFC 9113, 5.4.2). */
  void cancel(Http2Stream stream) {
    if (!stream.isOver()) {
      send(() -> frames.reset(stream.id(), Http2Error.CANCEL));
    }
  }

  private void send(FrameOutput.Part part) {
    try {
      frames.write(part);
    } catch (IOException e) {
      // the output has been closed: what went before may still be on its way
      retire();
    }
  }

  // --- what the upstream says of the connection

  void heard() {
    heard = System.nanoTime();
  }

  /** Whether nothing at all has come since that {@link System#nanoTime}. */
  boolean isSilentSince(long time) {
    return heard - time < 0;
  }

  void settings(byte[] payload, int length) throws Http2Exception {
    List<FlowControl.Window> windows;
    lock.lock();
    try {
      settings = settings.with(payload, length);
      places = settings.maxStreams();
      windows = streams.values().stream().map(Http2Stream::window).toList();
    } finally {
      lock.unlock();
    }
    frames.maxFrame(Math.min(settings.maxFrame(), Http2Settings.INITIAL.maxFrame()));
    flow.initial(settings.initialWindow(), windows);
  }

  /** No stream beyond that one has been or will be looked at (RFC 9113, 6.8). */
  void goneAway(int last) {
    List<Http2Stream> refused;
    lock.lock();
    try {
      closing = true;
      refused = streams.values().stream().filter(stream -> stream.id() > last).toList();
    } finally {
      lock.unlock();
    }
    refused.forEach(stream -> stream.fail(new Http2Refused()));
  }

  /** Sends that some time soon: the thread that reads must never wait for one that does not read. */
  void sendSoon(FrameOutput.Part part) throws Http2Exception {
    if (pending.incrementAndGet() > MAX_PENDING) {
      throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "more questions than answers can be sent");
    }
    Thread.ofVirtual().name("client-http2-answer").start(() -> {
      try {
        send(part);
      } finally {
        pending.decrementAndGet();
      }
    });
  }

  /** Nothing comes any more: ends all that is under way. */
  void ended(IOException reason) {
    List<Http2Stream> rest;
    lock.lock();
    try {
      closing = true;
      ended = Optional.of(reason);
      rest = List.copyOf(streams.values());
    } finally {
      lock.unlock();
    }
    if (reason instanceof Http2Exception fault) {
      farewell(fault.error());
    }
    rest.forEach(stream -> {
      flow.close(stream.window());
      stream.fail(reason);
    });
    pool.discard(this);
  }

  /** Says why it ends, if that goes out at once (RFC 9113, 5.4.1). */
  private void farewell(Http2Error error) {
    try {
      frames.writeLast(() -> frames.goAway(0, error));
    } catch (IOException e) {
      retire();
    }
    shared.close();
    try {
      writer.join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void abort() {
    retire();
    unused.close();
    shared.close();
    link.abort();
  }
}

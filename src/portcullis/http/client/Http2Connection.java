package portcullis.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.http.h2.Endpoint;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Http2Settings.Name;
import portcullis.http.h2.Http2Settings;
import portcullis.http.h2.StreamMemory;
import portcullis.http.message.Fields;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/**
 * A connection of HTTP/2 to an upstream (RFC 9113), shared by as many exchanges as the upstream allows. A thread of its
 * own reads it, another one writes it.
 */
final class Http2Connection extends Endpoint<Http2Stream> implements Carrier {
  private static final Allowance ALLOWANCE = new Allowance(8 * 1024 * 1024, true, 20_000, 10_000,
      StreamMemory.RESPONSES);
  // until the upstream's settings have come; more could only be refused (RFC 9113, 6.5.2)
  private static final int PLACES = 100;
  private static final int LAST_STREAM = Integer.MAX_VALUE - 2;
  private static final Duration FAREWELL = Duration.ofSeconds(1);
  private static final int MAX_PENDING = 64;

  private final Route route;
  private final Transport link;
  private final Pool pool;
  private final SharedOutput shared;
  private final Thread writer;
  private final DeadlineTimer.Deadline unused;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger pending = new AtomicInteger();
  private int taken;
  private int places = PLACES;
  private int next = 1;
  private int lastProcessed = Integer.MAX_VALUE;
  private boolean closing;
  private Optional<IOException> ended = Optional.empty();
  private volatile long heard = System.nanoTime();

  private Http2Connection(Route route, Transport link, SharedOutput shared, WireOutput out, DeadlineTimer watch,
      Pool pool,
      HeadLimits heads) {
    super(new WireInput(link.input()), out, heads, ALLOWANCE);
    this.route = route;
    this.link = link;
    this.pool = pool;
    this.unused = watch.deadline(() -> pool.late(this));
    this.shared = shared;
    this.writer = Thread.ofVirtual().name("client-http2-out").unstarted(shared);
  }

  /** Sends preface and settings and begins to read; ends in {@link Pool#discard}. */
  static Http2Connection begin(Route route, Transport link, DeadlineTimer watch, Pool pool, ClientLimits limits)
      throws IOException {
    SharedOutput shared = new SharedOutput(link, watch.deadline(link::abort), limits.bodyIdle().toNanos());
    WireOutput out = new WireOutput(shared);
    Http2Connection connection = new Http2Connection(route, link, shared, out, watch, pool,
        new HeadLimits(limits.maxHeadBytes(), limits.maxHeadFields()));
    connection.output().write(() -> {
      out.write(PREFACE);
      connection.greet(Name.ENABLE_PUSH, 0);
    });
    connection.writer.start();
    Thread.ofVirtual().name("client-http2-in").start(connection::run);
    return connection;
  }

  private void run() {
    try {
      if (begins()) {
        read();
      }
      ended(new IOException("the connection ended"));
    } catch (IOException e) {
      ended(e);
    } catch (RuntimeException | Error e) {
      ended(new IOException("a frame could not be handled", e));
      throw e;
    }
  }

  @Override
  public Route route() {
    return route;
  }

  Transport link() {
    return link;
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

  /** Returns how many exchanges it can carry at once. */
  int places() {
    lock.lock();
    try {
      return places;
    } finally {
      lock.unlock();
    }
  }

  /** Frees one place; true where the connection cannot be used any more. */
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

  /** Returns whether there has been an exchange before the present one. */
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

  /** Accepts no more exchanges; those in progress continue. */
  void retire() {
    lock.lock();
    try {
      closing = true;
    } finally {
      lock.unlock();
    }
  }

  // --- streams

  /** Opens a stream with the head of a request; those opened at once go out in the order of their numbers. */
  Http2Stream open(boolean bare, Fields first, Fields fields, boolean end) throws IOException {
    Http2Stream[] out = new Http2Stream[1];
    boolean done = false;
    try {
      output().write(() -> {
        out[0] = opened(bare);
        output().headers(out[0].id(), first, fields, end);
      });
      done = true;
      return out[0];
    } catch (StreamRefusedException e) {
      throw e;
    } catch (IOException e) {
      throw reasonOfEnd().orElse(e);
    } finally {
      if (!done && out[0] != null) {
        close(out[0]);
      }
    }
  }

  private Optional<IOException> reasonOfEnd() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  private Http2Stream opened(boolean bare) throws IOException {
    lock.lock();
    try {
      if (ended.isPresent() || next > lastProcessed) {
        throw new StreamRefusedException();
      }
      Http2Stream stream = new Http2Stream(next, this, bare);
      next += 2;
      closing |= next > LAST_STREAM;
      streams().put(stream.id(), stream);
      return stream;
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected boolean isOpened(int id) {
    lock.lock();
    try {
      return id % 2 == 1 && id < next;
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected void opening(int id, HpackDecoder.Block head, boolean end) throws IOException {
    throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR, "a stream opened by a server");
  }

  /** Frames for a stream that was closed here are dropped: the upstream may not know yet. */
  @Override
  protected boolean ignoresLate(int id) {
    return true;
  }

  /** Forgets a stream. */
  void close(Http2Stream stream) {
    flow().close(stream.window());
    streams().remove(stream.id());
  }

  /** Ends a stream whose response is not wanted any more, unless the upstream has ended it (RFC 9113, 5.4.2). */
  void cancel(Http2Stream stream) {
    if (!stream.isOver()) {
      send(() -> output().reset(stream.id(), Http2Error.CANCEL));
    }
  }

  private void send(FrameOutput.Part part) {
    if (!trySend(part)) {
      // the output has been closed: what went before may still be on its way
      retire();
    }
  }

  // --- what the upstream says

  @Override
  protected void heard() {
    heard = System.nanoTime();
  }

  /** Returns whether no frame at all has come since that {@link System#nanoTime}. */
  boolean isSilentSince(long time) {
    return heard - time < 0;
  }

  @Override
  protected void settings(Http2Settings now) throws IOException {
    lock.lock();
    try {
      places = now.maxStreams();
    } finally {
      lock.unlock();
    }
    apply(now);
    reply(output()::settingsAck);
  }

  @Override
  protected void goneAway(int lastStream) {
    lock.lock();
    try {
      closing = true;
      lastProcessed = lastStream;
    } finally {
      lock.unlock();
    }
    streams().values().stream().filter(stream -> stream.id() > lastStream)
        .forEach(stream -> stream.fail(new StreamRefusedException()));
  }

  @Override
  protected void resetByPeer(int id, Http2Error error) {
    stream(id).ifPresent(stream -> {
      flow().close(stream.window());
      stream.fail(error == Http2Error.REFUSED_STREAM ? new StreamRefusedException()
          : new NoResponseException("the upstream ended the stream: " + error));
    });
  }

  @Override
  protected void failed(Http2Exception error) throws IOException {
    stream(error.stream()).ifPresent(stream -> stream.fail(error));
    reply(() -> output().reset(error.stream(), error.error()));
  }

  /** Sends on a thread of its own: the thread that reads must never wait for an upstream that does not read. */
  @Override
  protected void reply(FrameOutput.Part part) throws Http2Exception {
    if (pending.incrementAndGet() > MAX_PENDING) {
      throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "more frames to answer than answers can be sent");
    }
    Thread.ofVirtual().name("client-http2-answer").start(() -> {
      try {
        send(part);
      } finally {
        pending.decrementAndGet();
      }
    });
  }

  /** Ends all exchanges in progress, as nothing more is received. */
  private void ended(IOException reason) {
    lock.lock();
    try {
      closing = true;
      ended = Optional.of(reason);
    } finally {
      lock.unlock();
    }
    if (reason instanceof Http2Exception error) {
      farewell(error.error());
    }
    streams().values().forEach(stream -> {
      flow().close(stream.window());
      stream.fail(reason);
    });
    pool.discard(this);
  }

  /** Sends the reason for the end, if that goes out at once (RFC 9113, 5.4.1). */
  private void farewell(Http2Error error) {
    try {
      output().writeLast(() -> output().goAway(0, error));
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

package portcullis.http.message;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends the answer to one request. Exactly one of {@link #send}, {@link #stream} and {@link #upgrade} is called, or
 * {@link #abort}; the exchange is closed afterwards. For the request's thread.
 */
public final class ResponseWriter {
  private static final int CHUNK = 16 << 10;
  private static final int SMALL = 2 << 10;
  /** For so many milliseconds the last piece waits for the end, with which it goes out in one write. */
  private static final int END_PATIENCE = 20;
  /** After so many milliseconds without content the thread is given up: a pause costs less than to hold its memory. */
  private static final int PATIENCE = 1000;
  private static final int LONGEST_PATIENCE = 16_000;
  /** How often it is tried to pause what cannot be paused yet: until then the client may not be watched. */
  private static final int FIRST_TRY = 100;
  private static final int LATER_TRIES = 400;
  /** A pause that ends sooner costs more than it is worth: events that come every few seconds keep their thread. */
  private static final long WORTHWHILE = TimeUnit.SECONDS.toNanos(10);

  /** What is left of an exchange whose connection others have. */
  private static final RunningResponse NOTHING = new RunningResponse() {
    @Override
    public OutputStream getResponseBody() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public void trail(Fields trailers) {}

    @Override
    public byte[] room() {
      return new byte[CHUNK];
    }

    @Override
    public void recycle(byte[] room) {}

    @Override
    public void abort() {}
  };

  /** The exchange, or all that is left of it once it has been paused or given to others. */
  private volatile RunningResponse running;
  private int status;
  private long sent;
  private Optional<Listener> listener = Optional.empty();
  private Optional<PausedCopy> paused = Optional.empty();
  private Runnable headSent = () -> {};

  /** Receives a copy of what is sent. */
  public interface Listener {
    void head(int status, Fields fields);

    /** Receives the first {@code length} bytes of an array that is reused after the call. */
    void body(byte[] bytes, int length);
  }

  /** The end of a streamed response. */
  public enum End {
    /** The whole response was sent. */
    WHOLE,
    /** Its source failed; the connection to the client was aborted, so that it notices. */
    SOURCE_FAILED,
    /** The client disconnected. */
    CLIENT_LEFT,
    /** It has not ended: nothing comes for now. The caller calls {@link #pause}. */
    PAUSED
  }

  private ResponseWriter(HttpExchange exchange) {
    this.running = WireExchange.of(exchange);
  }

  private WireExchange wire() {
    if (running instanceof WireExchange exchange) {
      return exchange;
    }
    throw new IllegalStateException("an answer that has been paused or forgotten");
  }

  /** @throws IllegalArgumentException if the exchange is not one of our server's */
  public static ResponseWriter to(HttpExchange exchange) {
    return new ResponseWriter(exchange);
  }

  /** Returns the status that was sent, 0 before one was. */
  public int status() {
    return status;
  }

  /** Passes a copy of all that is sent from now on to a listener. */
  public void copyTo(Listener copies) {
    listener = Optional.of(copies);
  }

  /** Sets what this thread runs once the head of a streamed response has been sent, unless all was sent with it. */
  public void onHeadSent(Runnable action) {
    headSent = action;
  }

  /** Returns how many bytes of the body were sent. */
  public long sent() {
    return sent;
  }

  /**
   * Sends an answer of our own; {@code Connection: close} among its fields ends the connection.
   *
   * @throws IOException if the client has disconnected
   */
  public void send(Response answer) throws IOException {
    byte[] body = answer.body();
    check(answer.fields());
    try (WireExchange exchange = wire()) {
      begin(answer.status(), answer.fields(), body.length);
      if (body.length > 0 && hasBody()) {
        OutputStream out = exchange.getResponseBody();
        out.write(body);
        listener.ifPresent(l -> l.body(body, body.length));
        out.close();
        sent = body.length;
      }
    }
  }

  /**
   * Sends an answer of our own with a trailer section behind its body; with neither body nor trailers its head is all.
   *
   * @throws IOException if the client has disconnected
   */
  public void send(Response answer, Fields trailers) throws IOException {
    check(answer.fields());
    try (WireExchange exchange = wire()) {
      begin(answer.status(), answer.fields(), -1);
      OutputStream out = exchange.getResponseBody();
      out.write(answer.body());
      sent = answer.body().length;
      exchange.trail(trailers);
      out.close();
    }
  }

  /**
   * Sends the body as it comes in, the head at once where nothing of it is there; see {@link PausableBody#awaitBegin}.
   *
   * @param fields without those of the connection
   * @param length of the body in bytes, -1 if unknown; for an answer to HEAD the length that GET would have
   * @param body closed by this method
   * @param trailers called once the body has ended; those of a {@link PausableBody} have to be its own
   */
  public End stream(int status, Fields fields, long length, InputStream body, Supplier<Fields> trailers) {
    check(fields);
    return ended(body, () -> {
      WireExchange exchange = wire();
      begin(status, fields.without("Connection"), length);
      if (hasBody() && length != 0 && !PausableBody.awaitBegin(body, 1)) {
        flush(exchange.getResponseBody()); // the head, on which clients act before there is content
      }
      End end = hasBody() ? copied(body, length, trailers, PATIENCE) : End.WHOLE;
      if (end == End.WHOLE) {
        exchange.close();
      }
      return end;
    });
  }

  private interface Copying {
    End end() throws IOException;
  }

  private End ended(InputStream body, Copying copying) {
    try {
      End end = copying.end();
      if (end != End.WHOLE && end != End.PAUSED) {
        abort();
      }
      return end;
    } catch (IOException _) {
      abort();
      return End.CLIENT_LEFT;
    } finally {
      if (paused.isEmpty()) {
        close(body);
      }
    }
  }

  /** A body of which nothing comes for now. */
  private static final class PausedCopy implements Consumer<Boolean> {
    private final InputStream body;
    private final long length;
    private final int patience;
    private final long since = System.nanoTime();
    private Runnable then = () -> {};

    PausedCopy(InputStream body, long length, int patience) {
      this.body = body;
      this.length = length;
      this.patience = patience;
    }

    PausableBody source() {
      return (PausableBody) body;
    }

    /** Returns how long to wait the next time: longer, where pausing was hardly worth it. */
    int nextPatience() {
      return System.nanoTime() - since > WORTHWHILE ? PATIENCE : Math.min(2 * patience, LONGEST_PATIENCE);
    }

    @Override
    public void accept(Boolean late) {
      source().resume(late);
      then.run();
    }
  }

  /**
   * Leaves the exchange until something comes; then another thread has it. Nothing else of it may be used meanwhile.
   *
   * @param then run by that thread; it calls {@link #resume}
   */
  public void pause(Runnable then) {
    PausedCopy copy = paused.orElseThrow();
    copy.then = then;
    running = running.pause(copy.source(), copy);
  }

  /** Goes on with a response that was paused. */
  public End resume() {
    PausedCopy copy = paused.orElseThrow();
    paused = Optional.empty();
    return ended(copy.body, () -> copied(copy.body, copy.length, copy.source()::trailers, copy.nextPatience()));
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException _) {
      // makes no difference to the client any more
    }
  }

  /**
   * Copies the body in pieces. One that comes now and then, as calls and events do, waits with a small buffer: there
   * may be many of them. One of a known length, as a download, is looked at only where the last piece was all that had
   * come.
   */
  private End copied(InputStream body, long length, Supplier<Fields> trailers, int patience) throws IOException {
    byte[] small = {};
    int n = 0;
    do {
      boolean quiet = n < CHUNK && sent != length && isWaiting(body);
      boolean waits = quiet && length < 0;
      if (quiet && body instanceof PausableBody pausable && listener.isEmpty() && isSilent(pausable, patience)) {
        paused = Optional.of(new PausedCopy(body, length, patience));
        return End.PAUSED;
      }
      small = waits && small.length == 0 ? new byte[SMALL] : small;
      byte[] room = waits ? small : running.room();
      try {
        n = copied(body, length, room);
      } finally {
        if (!waits) {
          running.recycle(room);
        }
      }
      if (n < -1) {
        return End.SOURCE_FAILED;
      }
    } while (n != -1);
    if (length >= 0 && sent < length) {
      return End.SOURCE_FAILED;
    }
    running.trail(trailers.get());
    running.getResponseBody().close();
    return End.WHOLE;
  }

  /** Waits for something to read, and returns true if nothing came, and the exchange is to be paused. */
  private boolean isSilent(PausableBody body, int patience) throws IOException {
    int next = FIRST_TRY;
    for (int millis = patience; running.mayPause() && !comes(body, millis); next = LATER_TRIES) {
      flush(running.getResponseBody()); // the head, where nothing else has been sent
      if (running.canPause()) {
        return true;
      }
      millis = next;
    }
    return false;
  }

  /** A failure is left to the next read, which has the same. */
  private static boolean comes(PausableBody body, int millis) {
    try {
      return body.comes(millis);
    } catch (IOException _) {
      return true;
    }
  }

  /**
   * Copies the next piece; a failed read means something else than a failed write, so the two are never under one
   * {@code try}.
   *
   * @return the number of bytes, -1 at the end, -2 if the source failed
   */
  private int copied(InputStream body, long length, byte[] buffer) throws IOException {
    int n = read(body, buffer);
    if (n < 0 || length >= 0 && sent + n > length) {
      return n == -1 ? -1 : -2;
    }
    OutputStream out = running.getResponseBody();
    out.write(buffer, 0, n);
    if (listener.isPresent()) {
      listener.get().body(buffer, n);
    }
    sent += n;
    if (sent != length || body instanceof PausableBody && !PausableBody.awaitBegin(body, END_PATIENCE)) {
      flush(out);
    }
    return n;
  }

  private void flush(OutputStream out) throws IOException {
    out.flush();
    headSent.run();
    headSent = () -> {};
  }

  private static boolean isWaiting(InputStream body) {
    try {
      return body.available() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  /** Returns the number of bytes, -1 at the end, -2 if the source failed. */
  private static int read(InputStream body, byte[] buffer) {
    try {
      return body.read(buffer, 0, Math.min(buffer.length, CHUNK));
    } catch (IOException _) {
      return -2;
    }
  }

  private boolean hasBody() {
    return !wire().getRequestMethod().equals("HEAD") && status != 204 && status != 304;
  }

  private void begin(int status, Fields fields, long length) throws IOException {
    this.status = status;
    Fields lines = fields.without(field -> ConnectionFields.endsHere(field.name()) && !field.is("Connection"));
    listener.ifPresent(l -> l.head(status, lines));
    wire().respond(status, lines, length);
  }

  /** Invalid fields are a bug of this program by now: they are never sent. */
  private static void check(Fields fields) {
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.lines().get(i);
      if (!Grammar.isToken(field.name()) || !Grammar.isFieldValue(field.value())) {
        throw new IllegalArgumentException("a header field of an answer cannot be written");
      }
    }
  }

  /** Sends an interim answer. */
  public void inform(int status, Fields fields) throws IOException {
    wire().inform(status, fields);
  }

  /** Answers 101 and hands over the connection. */
  public Tunnel upgrade(Fields fields) throws IOException {
    check(fields);
    status = 101;
    return wire().upgrade(fields);
  }

  /** Forgets the exchange, whose connection others have from now on; what was sent can still be asked for. */
  public void forget() {
    running = NOTHING;
  }

  /** Aborts the connection (HTTP/2: the stream), so that the client does not take a part of an answer for all of it. */
  public void abort() {
    running.abort();
  }
}

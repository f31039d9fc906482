package portcullis.http.message;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The answer to one request, over our server's exchange or a stock one. Exactly one of {@link #send}, {@link #stream}
 * and {@link #upgrade} is called, or {@link #abort}; the exchange is closed afterwards. For the request's thread.
 */
public final class Reply {
  private static final int CHUNK = 16 << 10;

  private final HttpExchange exchange;
  private int status;
  private long sent;
  private Optional<Listener> listener = Optional.empty();

  /** Told of what is sent. */
  public interface Listener {
    void head(int status, Fields fields);

    /** The first bytes of the array, which changes afterwards. */
    void body(byte[] bytes, int length);
  }

  /** How a streamed answer came to its end. */
  public enum End {
    /** All of it was sent. */
    WHOLE,
    /** Its source failed; the client's connection was broken off, so that it sees that. */
    SOURCE_FAILED,
    /** The client went away. */
    CLIENT_LEFT
  }

  private Reply(HttpExchange exchange) {
    this.exchange = exchange;
  }

  public static Reply to(HttpExchange exchange) {
    return new Reply(exchange);
  }

  /** The status that was sent, 0 as long as none was. */
  public int status() {
    return status;
  }

  /** From now on somebody is told of what is sent. */
  public void copyTo(Listener who) {
    listener = Optional.of(who);
  }

  /** How many bytes of the body were sent. */
  public long sent() {
    return sent;
  }

  /**
   * Sends an answer of our own; {@code Connection: close} among its fields ends the connection.
   *
   * @throws IOException where the client has gone
   */
  public void send(Answer answer) throws IOException {
    byte[] body = answer.body();
    check(answer.fields());
    hold();
    try (exchange) {
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
   * @throws IOException where the client has gone, or the server cannot
   */
  public void send(Answer answer, Fields trailers) throws IOException {
    if (!(exchange instanceof WireExchange wire)) {
      throw new IOException("this server sends no trailers");
    }
    check(answer.fields());
    try (exchange) {
      begin(answer.status(), answer.fields(), -1);
      OutputStream out = exchange.getResponseBody();
      out.write(answer.body());
      sent = answer.body().length;
      wire.trail(trailers);
      out.close();
    }
  }

  /**
   * Sends the body as it comes in.
   *
   * @param fields without those of the connection
   * @param length of the body, -1 where only its end will tell; of an answer to HEAD what it would be
   * @param body closed by this
   * @param trailers asked once the body has ended
   */
  public End stream(int status, Fields fields, long length, InputStream body, Supplier<Fields> trailers) {
    check(fields);
    try {
      this.status = status;
      if (!hasBody()) {
        hold();
      }
      begin(status, fields.without("Connection"), length);
      End end = hasBody() ? copied(body, length, trailers) : End.WHOLE;
      if (end == End.WHOLE) {
        exchange.close();
      } else {
        abort();
      }
      return end;
    } catch (IOException _) {
      abort();
      return End.CLIENT_LEFT;
    } finally {
      quit(body);
    }
  }

  private static void quit(InputStream body) {
    try {
      body.close();
    } catch (IOException _) {
      // what its source does now changes nothing for the client
    }
  }

  /** What a failing read means is told from what a failing write means, so the two are never under one {@code try}. */
  private End copied(InputStream body, long length, Supplier<Fields> trailers) throws IOException {
    if (!(exchange instanceof WireExchange wire)) {
      return copied(body, length, trailers, new byte[CHUNK]);
    }
    byte[] room = wire.room();
    try {
      return copied(body, length, trailers, room);
    } finally {
      wire.giveBack(room);
    }
  }

  private End copied(InputStream body, long length, Supplier<Fields> trailers, byte[] buffer) throws IOException {
    OutputStream out = exchange.getResponseBody();
    for (int n = read(body, buffer); n != -1; n = read(body, buffer)) {
      if (n < 0 || length >= 0 && sent + n > length) {
        return End.SOURCE_FAILED;
      }
      out.write(buffer, 0, n);
      if (listener.isPresent()) {
        listener.get().body(buffer, n);
      }
      sent += n;
      if (length < 0 || sent < length) {
        out.flush();
      }
    }
    if (length >= 0 && sent < length) {
      return End.SOURCE_FAILED;
    }
    if (exchange instanceof WireExchange wire) {
      wire.trail(trailers.get());
      wire.hold();
    }
    out.close();
    return End.WHOLE;
  }

  /** The number of bytes, -1 at the end, -2 where the source failed. */
  private static int read(InputStream body, byte[] buffer) {
    try {
      return body.read(buffer, 0, CHUNK);
    } catch (IOException _) {
      return -2;
    }
  }

  private void hold() {
    if (exchange instanceof WireExchange wire) {
      wire.hold();
    }
  }

  private boolean hasBody() {
    return !exchange.getRequestMethod().equals("HEAD") && status != 204 && status != 304;
  }

  private void begin(int status, Fields fields, long length) throws IOException {
    this.status = status;
    Fields lines = fields.without(field -> ConnectionFields.endsHere(field.name()) && !field.is("Connection"));
    listener.ifPresent(l -> l.head(status, lines));
    if (exchange instanceof WireExchange wire) {
      wire.respond(status, lines, length);
    } else {
      beginStock(status, lines, length);
    }
  }

  /** What is no field by now is a fault of ours: it never goes out. */
  private static void check(Fields fields) {
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.lines().get(i);
      if (!Grammar.isToken(field.name()) || !Grammar.isFieldValue(field.value())) {
        throw new IllegalArgumentException("a header field of an answer cannot be written");
      }
    }
  }

  /** The stock server writes no length for HEAD itself, and takes 0 for a body in chunks, -1 for none. */
  private void beginStock(int status, Fields fields, long length) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    fields.forEach(field -> headers.add(field.name(), field.value()));
    if (exchange.getRequestMethod().equals("HEAD") && length >= 0) {
      headers.set("Content-Length", Long.toString(length));
    }
    exchange.sendResponseHeaders(status, !hasBody() || length == 0 ? -1 : Math.max(length, 0));
  }

  /** Sends an interim answer, where the server can. */
  public void inform(int status, Fields fields) throws IOException {
    if (exchange instanceof WireExchange wire) {
      wire.inform(status, fields);
    }
  }

  /** Whether {@link #upgrade} works here. */
  public boolean canUpgrade() {
    return exchange instanceof WireExchange;
  }

  /** Answers 101 and hands over the connection. */
  public Tunnel upgrade(Fields fields) throws IOException {
    if (!(exchange instanceof WireExchange wire)) {
      throw new IOException("this server cannot upgrade");
    }
    check(fields);
    status = 101;
    return wire.upgrade(fields);
  }

  /** Breaks the connection off, so that nobody takes what was sent for a whole answer. */
  public void abort() {
    if (exchange instanceof WireExchange wire) {
      wire.abort();
    } else {
      abortStock();
    }
  }

  /**
   * Closing a stock exchange would end its body properly; interrupted, its channel closes at the next write instead.
   */
  private void abortStock() {
    boolean interrupted = Thread.interrupted();
    Thread.currentThread().interrupt();
    try {
      exchange.close();
    } finally {
      Thread.interrupted();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

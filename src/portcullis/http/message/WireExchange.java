package portcullis.http.message;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The features of an exchange of this server beyond {@link HttpExchange}, which it extends as well. For one thread, but
 * {@link #abort} may be called by any.
 */
public interface WireExchange extends RunningResponse, AutoCloseable {
  /** @throws IllegalArgumentException if the exchange belongs to another server, as that of the JDK */
  static WireExchange of(HttpExchange exchange) {
    if (exchange instanceof WireExchange wire) {
      return wire;
    }
    throw new IllegalArgumentException("not an exchange of this program's server: " + exchange.getClass().getName());
  }

  /** Returns the method of the request. */
  String getRequestMethod();

  /** Returns the address of the other end of the connection, as {@link AddressText} writes it. */
  String client();

  /** Returns the request-target byte for byte, a character a byte (RFC 9112, 3.2). */
  String target();

  /**
   * The header lines of the request in their order and spelling; a value's bytes are characters 0 to 255. Of HTTP/2
   * with {@code Host} made of {@code :authority}.
   */
  Fields fields();

  /** Returns what the request-target names. */
  Target parsedTarget();

  /** Returns the host that {@code Host} names; empty if it is absent (HTTP/1.0) or invalid (gRPC calls only). */
  Optional<Authority> host();

  /** Returns the length of the request's body in bytes, 0 for none; empty if unknown until its end. */
  default OptionalLong length() {
    OptionalLong length = ConnectionFields.contentLength(fields());
    return length.isPresent() || fields().has("Transfer-Encoding") ? length : OptionalLong.of(0);
  }

  /** Returns the trailer section of the request; empty before the body has been read to its end. */
  Fields trailers();

  /**
   * Sends the head of the final answer, in place of {@code sendResponseHeaders}: exactly these lines, apart from
   * framing and connection fields, which the server writes itself.
   *
   * @param length of the body in bytes; 0 for none, -1 for a body that ends when its stream is closed
   */
  void respond(int status, Fields fields, long length) throws IOException;

  /** Sends an interim answer, 102 to 199 apart from 101; without effect for a client of HTTP/1.0. */
  void inform(int status, Fields fields) throws IOException;

  /** Answers 101 with these lines and hands the connection over; the caller closes the tunnel. */
  Tunnel upgrade(Fields fields) throws IOException;

  /**
   * Lets the client pause for as long as a connection may be idle, both in the request's body and in reading the
   * answer: called for an allowed gRPC call before its body is read. Until then it has the deadlines of other requests.
   */
  default void allowPauses() {}

  /**
   * Sets what runs if the client ends its side of the connection, or its stream, before the exchange has ended: on any
   * thread, perhaps twice or a little later. It must not block. With HTTP/1 it takes a while to notice this; while the
   * request's body is being read, the reader gets an error instead.
   */
  default void watchClient(Runnable left) {}

  /** What a handler goes on with. */
  interface Continuation {
    void run() throws IOException;
  }

  /** Returns whether {@link #suspend} is possible once {@link #canPause} is true; if not, it will not be later. */
  default boolean maySuspend() {
    return false;
  }

  /**
   * Lets the handler return although it has not answered yet; for one whose request has been read to its end.
   *
   * @param rest run on a fresh thread, like the handler, once the handler has returned and the exchange has been woken
   * @return wakes the exchange; may be run by any thread and again, without effect then
   */
  default Runnable suspend(Continuation rest) {
    throw new UnsupportedOperationException("an exchange that cannot be suspended");
  }

  /** Ends the exchange, whose response is whole. */
  @Override
  void close();
}

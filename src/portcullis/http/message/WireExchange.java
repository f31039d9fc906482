package portcullis.http.message;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * What our server's exchange says beyond {@link com.sun.net.httpserver.HttpExchange}, which it is as well. The stock
 * server's exchanges are none of these. For one thread, but {@link #abort} may be called by any.
 */
public interface WireExchange {
  /** The address of the other end of the connection, as {@link AddressText} writes it. */
  String client();

  /** The request-target byte for byte, a character a byte (RFC 9112, 3.2). */
  String target();

  /**
   * The header lines of the request in their order and spelling; a value's bytes are characters 0 to 255. Of HTTP/2
   * with {@code Host} made of {@code :authority}.
   */
  Fields fields();

  /** How many bytes the body of the request has, 0 for none; empty where only its end will tell. */
  default OptionalLong length() {
    OptionalLong said = ConnectionFields.contentLength(fields());
    return said.isPresent() || fields().has("Transfer-Encoding") ? said : OptionalLong.of(0);
  }

  /** The trailer section of the request; known once the body has been read to its end, none before. */
  Fields trailers();

  /**
   * Sends the head of the final answer, in place of {@code sendResponseHeaders}: exactly these lines, apart from
   * framing and connection fields, which the server writes itself.
   *
   * @param length of the body in bytes; 0 for none, -1 for a body whose end is told by its stream being closed
   */
  void respond(int status, Fields fields, long length) throws IOException;

  /**
   * What is sent from now on may wait until the handler returns: what it still does, as telling the log, is then done
   * before the client has the whole answer.
   */
  void hold();

  /** Lines to send behind the body; said before the body's stream is closed, else without effect. */
  void trail(Fields trailers);

  /** An array of 16 KiB or more for copying a body, to be given back. */
  byte[] room();

  /** Takes an array back, once, of which nobody keeps hold. */
  void giveBack(byte[] room);

  /** Sends an interim answer, 102 to 199 apart from 101; without effect for a client of HTTP/1.0. */
  void inform(int status, Fields fields) throws IOException;

  /** Answers 101 with these lines and hands the connection over; the caller closes the tunnel. */
  Tunnel upgrade(Fields fields) throws IOException;

  /**
   * Lets the request's body, and the client that takes the answer, pause for as long as a connection may be idle:
   * called for an allowed call of gRPC before its body is read on. Until then it has the deadlines of other requests.
   */
  default void allowPauses() {}

  /**
   * Runs that where the client ends its side of the connection, or its stream, before the exchange has ended: by any
   * thread, perhaps twice or a little later. It must not block. Of a client of HTTP/1 that takes a while to be noticed,
   * and whoever reads the request's body notices it instead.
   */
  default void watchClient(Runnable left) {}

  /** Ends the connection (HTTP/2: the stream) so that no peer takes what was sent for a whole message. */
  void abort();
}

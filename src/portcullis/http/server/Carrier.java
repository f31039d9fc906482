package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.function.Consumer;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.RunningResponse;
import portcullis.http.message.Tunnel;

/** Carries a single exchange: a connection of HTTP/1 for a while, or a stream of HTTP/2. */
interface Carrier {
  /** Returns what the checks of the request's head have found. */
  RequestCheck check();

  /**
   * Returns the request's body, whose reads throw {@link portcullis.http.wire.MalformedMessageException} on invalid
   * input.
   */
  InputStream body();

  /** Returns the length of the request's body in bytes, 0 for none; empty if unknown until its end. */
  OptionalLong length();

  /** Returns the request's trailer section; empty before its body has been read. */
  Fields trailers();

  /**
   * Sends the head of the final answer, or buffers it until the first bytes of its body are written.
   *
   * @param length of the body in bytes; 0 for none, -1 for a body that ends when its stream is closed
   * @return the stream of the body
   * @throws IllegalArgumentException if a field is invalid; nothing has been sent then
   */
  OutputStream respond(int status, Fields fields, long length) throws IOException;

  void trail(Fields trailers);

  void inform(int status, Fields fields) throws IOException;

  Tunnel upgrade(Fields fields) throws IOException;

  /** See {@link portcullis.http.message.WireExchange#allowPauses}. */
  default void allowPauses() {}

  /** See {@link portcullis.http.message.WireExchange#watchClient}. */
  void watchClient(Runnable left);

  /** See {@link portcullis.http.message.WireExchange#maySuspend}. */
  default boolean maySuspend() {
    return false;
  }

  /**
   * Lets the exchange go on after its handler has returned without an answer; called just before that.
   *
   * @param rest with what it goes on
   */
  default void suspend(Suspension suspension, Runnable rest) {
    throw new UnsupportedOperationException("an exchange that cannot be suspended");
  }

  /** See {@link RunningResponse#mayPause}. */
  default boolean mayPause() {
    return false;
  }

  /** See {@link RunningResponse#canPause}. */
  default boolean canPause() {
    return false;
  }

  /** See {@link RunningResponse#pause}. */
  default RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    throw new UnsupportedOperationException("an exchange that cannot be paused");
  }

  /** Has something done at the end of the exchange, whose handler is about to return. */
  void afterwards(Runnable action);

  void abort();
}

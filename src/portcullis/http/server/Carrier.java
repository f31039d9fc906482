package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalLong;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;

/** What a single exchange travels on: a connection of HTTP/1 for a while, or a stream of HTTP/2. */
interface Carrier {
  /** The request's body; faults of the client end in {@link portcullis.http.wire.Malformed}. */
  InputStream body();

  /** Of the request's body, 0 for none; empty where only its end will tell. */
  OptionalLong length();

  /** The request's trailer section, once its body has been read. */
  Fields trailers();

  /**
   * Sends the head of the final answer, or puts it where the first bytes of its body will take it along.
   *
   * @param length of the body; 0 for none, -1 where its end is told by its stream being closed
   * @return where to write the body
   * @throws IllegalArgumentException where the fields cannot be sent as they are; nothing has been sent then
   */
  OutputStream respond(int status, Fields fields, long length) throws IOException;

  /** What is sent from now on may wait until the exchange ends. */
  default void hold() {}

  /** A whole answer that was held goes out. */
  default void release() throws IOException {}

  void trail(Fields trailers);

  void inform(int status, Fields fields) throws IOException;

  Tunnel upgrade(Fields fields) throws IOException;

  /** Lets the request's body, and the client that takes the answer, pause for as long as a connection may be idle. */
  default void allowPauses() {}

  /** Runs that where the client leaves before the exchange has ended, perhaps twice or a little later. */
  void watchClient(Runnable left);

  void abort();
}

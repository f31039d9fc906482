package portcullis.http.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/** A connection that has left HTTP by an upgrade (RFC 9110, 7.8): bytes both ways until it is closed. */
public interface Tunnel extends AutoCloseable {
  InputStream input();

  /** Every write goes out at once. */
  OutputStream output();

  /** A read that waits longer fails with {@link java.net.SocketTimeoutException}. */
  void idleLimit(Duration limit) throws IOException;

  /** Ends the output; the other direction remains open. */
  void endOutput() throws IOException;

  @Override
  void close();
}

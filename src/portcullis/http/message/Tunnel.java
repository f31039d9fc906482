package portcullis.http.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/** A connection that has left HTTP by an upgrade (RFC 9110, 7.8): bytes both ways until it is closed. */
public interface Tunnel extends AutoCloseable {
  InputStream input();

  /** Returns the output; every write is sent at once. */
  OutputStream output();

  /** Sets the timeout of reads, which then fail with {@link java.net.SocketTimeoutException}. */
  void idleLimit(Duration limit) throws IOException;

  /** Ends the output; the other direction remains open. */
  void endOutput() throws IOException;

  @Override
  void close();
}

package portcullis.http.server;

import java.io.IOException;
import java.net.Socket;
import portcullis.http.wire.DeadlineTimer;

/** Prepares an accepted socket: returns it unchanged for clear text, or TLS on top of it. */
interface Handshake {
  Handshake NONE = (socket, _, _) -> socket;

  /** Returns the socket of an accepted connection as this can prepare it. */
  default Socket accepted(Socket socket) throws IOException {
    return socket;
  }

  /** Runs on the connection's thread; a client that takes longer than allowed is disconnected. */
  Socket done(Socket socket, DeadlineTimer watch, ServerLimits.Waits waits) throws IOException;
}

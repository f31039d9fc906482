package portcullis.http.server;

import java.io.IOException;
import java.net.Socket;
import portcullis.http.wire.DeadlineTimer;

/** What is spoken through an accepted socket: itself on clear text, else TLS on it once that is set up. */
interface Handshake {
  Handshake NONE = (socket, _, _) -> socket;

  /** Runs on the connection's thread; who takes longer than allowed is cut off. */
  Socket done(Socket socket, DeadlineTimer watch, ServerLimits.Waits waits) throws IOException;
}

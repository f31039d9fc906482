package portcullis.server;

import java.io.IOException;
import java.net.Socket;
import portcullis.wire.Watch;

/** Makes a connection of an accepted socket: at once on clear text, else once TLS is set up. */
interface Handshake {
  Handshake NONE = (socket, watch, waits) -> new Connection(socket, socket, watch, waits);

  /** Runs on the connection's thread; who takes longer than allowed is cut off. */
  Connection open(Socket socket, Watch watch, ServerLimits.Waits waits) throws IOException;
}

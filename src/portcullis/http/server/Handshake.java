package portcullis.http.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import portcullis.http.wire.DeadlineTimer;

/** Prepares an accepted socket: returns it unchanged for clear text, or TLS on top of it. */
interface Handshake {
  Handshake NONE = (socket, _, _) -> socket;

  /** Returns a server socket, not bound yet, whose connections this can prepare. */
  default ServerSocket listening() throws IOException {
    return ServerSocketChannel.open().socket();
  }

  /** Runs on the connection's thread; a client that takes longer than allowed is disconnected. */
  Socket done(Socket socket, DeadlineTimer watch, ServerLimits.Waits waits) throws IOException;
}

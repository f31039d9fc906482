package portcullis.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;

/** Our server on a free port of the loopback, with a client that sends and receives raw bytes. */
final class RawServer implements AutoCloseable {
  private final WireServer server;

  RawServer(HttpHandler handler) throws IOException {
    server = new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", handler);
    server.start();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /**
   * Returns what comes back until the connection ends or {@code quiet} ms pass in silence, with a mark at the end.
   */
  String say(String message, int quiet) throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(quiet);
      socket.getOutputStream().write(message.getBytes(ISO_8859_1));
      return heard(socket.getInputStream());
    }
  }

  private static String heard(InputStream in) {
    StringBuilder out = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0; c = in.read()) {
        out.append((char) c);
      }
      return out + "<closed>";
    } catch (SocketTimeoutException _) {
      return out + "<open>";
    } catch (IOException _) {
      return out + "<closed>";
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

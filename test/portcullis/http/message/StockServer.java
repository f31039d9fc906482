package portcullis.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's own server on a free port of the loopback, spoken to in raw bytes. */
final class StockServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  StockServer(HttpHandler handler) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0,
        "/", handler);
    server.setExecutor(threads);
    server.start();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
    socket.setSoTimeout(5_000);
    return socket;
  }

  /**
   * What comes back until the connection ends or, where {@code quiet} ms pass in silence, until then, with a mark
   * behind it.
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
    threads.shutdownNow();
  }
}

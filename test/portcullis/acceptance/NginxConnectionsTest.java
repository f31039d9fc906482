package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nginx as config/front has it keeps its connections to the decision service; the other proxies need not. */
class NginxConnectionsTest {
  private static final int REQUESTS = 3_000;

  @Test
  void requestsShareConnections(@TempDir Path folder) throws IOException {
    try (FrontProxy front = new FrontProxy(FrontProxy.Kind.NGINX, folder)) {
      int before = front.connections();
      for (int i = 0; i < 6; i++) {
        request(front, REQUESTS / 6);
      }
      int opened = front.connections() - before;
      assertTrue(opened < REQUESTS / 100, opened + " connections for " + REQUESTS + " requests");
    }
  }

  /** Sends that many requests on one connection. */
  private static void request(FrontProxy front, int times) throws IOException {
    String answer = "\r\n\r\n" + Application.digest("");
    try (Socket socket = front.connect()) {
      for (int i = 0; i < times; i++) {
        socket.getOutputStream().write("GET /open/a HTTP/1.1\r\nHost: app.local\r\n\r\n".getBytes(ISO_8859_1));
        StringBuilder got = new StringBuilder();
        while (got.indexOf(answer) < 0) {
          int c = socket.getInputStream().read();
          assertTrue(c >= 0, () -> "it ended after " + got);
          got.append((char) c);
        }
      }
    }
  }
}

package portcullis.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Answers a request for {@code /body/N} with N bytes, on connections that stay. */
final class Upstream implements AutoCloseable {
  private static final byte[] BLOCK = new byte[64 * 1024];

  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  Upstream() throws IOException {
    server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> answer(socket));
      } catch (IOException _) {
        // it is closed, or the other side was quicker
      }
    }
  }

  private static void answer(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      BufferedReader in = new BufferedReader(
          new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        long size = Long.parseLong(line.split(" ")[1].substring("/body/".length()));
        while (!in.readLine().isEmpty()) {
          // the fields say nothing that is needed
        }
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        for (long left = size; left > 0; left -= BLOCK.length) {
          out.write(BLOCK, 0, (int) Math.min(BLOCK.length, left));
        }
      }
    } catch (IOException _) {
      // the other side has enough
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}

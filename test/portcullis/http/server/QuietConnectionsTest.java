package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Footprint;
import portcullis.fixture.FramePeer;
import portcullis.http.wire.HeadLimits;

/** What a connection holds on which nothing happens any more. */
class QuietConnectionsTest {
  private static final int CONNECTIONS = 200;
  /** What {@code RequestLimits} plans for each. */
  private static final int PLANNED = 48 << 10;
  private static final ServerLimits LIMITS = new ServerLimits(new HeadLimits(8192, 128), Long.MAX_VALUE,
      ServerLimits.Waits.DEFAULT, ServerLimits.Counts.NONE, ServerLimits.DEFAULT.proxies());

  /** A block of 32 KB, as long as may be: it fills the table with the smallest fields, and has one long string. */
  private static byte[] block(int connection) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      out.write(0x40);
      out.write(4);
      out.writeBytes("%04d".formatted(connection * 100 + i & 0x1fff).getBytes(StandardCharsets.US_ASCII));
      out.write(4);
      out.writeBytes("%04x".formatted(connection * 100 + i).getBytes(StandardCharsets.US_ASCII));
    }
    int rest = 32_768 - out.size() - 7;
    out.writeBytes(new byte[] {0, 1, 'a', (byte) 0xff});
    out.write(rest - 127 & 0x7f | 0x80);
    out.write(rest - 127 >> 7 & 0x7f | 0x80);
    out.write(rest - 127 >> 14);
    out.writeBytes("\0".repeat(rest - 1).getBytes(StandardCharsets.US_ASCII)); // `0`, of five bits
    out.write(7);
    return out.toByteArray();
  }

  private static Socket quiet(TestServer server, int number) throws IOException {
    Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
    socket.setSoTimeout(20_000);
    byte[] block = block(number);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(FramePeer.bytes(FramePeer.SETTINGS, 0, 0));
    out.writeBytes(FramePeer.bytes(FramePeer.HEADERS, FramePeer.END_STREAM, 1, Arrays.copyOf(block, 16_384)));
    out.writeBytes(FramePeer.bytes(FramePeer.CONTINUATION, FramePeer.END_HEADERS, 1,
        Arrays.copyOfRange(block, 16_384, block.length)));
    socket.getOutputStream().write(out.toByteArray());
    while (true) {
      byte[] head = socket.getInputStream().readNBytes(9);
      assertTrue(head.length == 9, "the connection goes on");
      socket.getInputStream().readNBytes((head[1] & 0xff) << 8 | head[2] & 0xff);
      if (head[3] == FramePeer.HEADERS) {
        return socket;
      }
    }
  }

  @Test
  void aConnectionHoldsNoMoreThanIsPlanned() throws Exception {
    List<Socket> clients = new ArrayList<>();
    try (TestServer server = new TestServer(LIMITS, TestServer::echo)) {
      clients.add(quiet(server, 0));
      Footprint before = Footprint.now();
      for (int i = 1; i <= CONNECTIONS; i++) {
        clients.add(quiet(server, i));
      }
      before.awaitReturn(10 * CONNECTIONS, 10 * CONNECTIONS, CONNECTIONS * PLANNED);
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }
}

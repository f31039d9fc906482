package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import portcullis.fixture.FramePeer;

/** A client of HTTP/2 on clear text with several streams on one connection (RFC 9113). */
final class Http2Streams implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;

  /** What came. */
  record Frame(int type, int flags, int stream, byte[] payload) {}

  Http2Streams(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    frame(FramePeer.SETTINGS, 0, 0, new byte[0]);
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(9 + payload.length);
    out.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(out.array());
  }

  /** Requests a path with a token. */
  void get(int stream, String path, String token) throws IOException {
    get(stream, path, "http", Map.of("authorization", "Bearer " + token));
  }

  /** Requests a path, with the scheme that the client claims. */
  void get(int stream, String path, String scheme, Map<String, String> more) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(":method", "GET");
    fields.put(":scheme", scheme);
    fields.put(":authority", "a");
    fields.put(":path", path);
    fields.putAll(more);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    fields.forEach((name, value) -> {
      block.write(0); // a literal that is not indexed (RFC 7541, 6.2.2)
      string(block, name);
      string(block, value);
    });
    frame(FramePeer.HEADERS, FramePeer.END_HEADERS | FramePeer.END_STREAM, stream, block.toByteArray());
  }

  private static void string(ByteArrayOutputStream block, String text) {
    int left = text.length() - 127;
    block.write(Math.min(text.length(), 127));
    for (; left >= 128; left >>>= 7) {
      block.write(left & 127 | 128);
    }
    if (text.length() >= 127) {
      block.write(left);
    }
    block.writeBytes(text.getBytes(ISO_8859_1));
  }

  /** Returns the next frame of this type; others are passed over. */
  Frame next(int type) throws IOException {
    while (true) {
      int head = in.readInt();
      Frame frame = new Frame(head & 0xff, in.readUnsignedByte(), in.readInt(), in.readNBytes(head >>> 8));
      if (frame.type == FramePeer.SETTINGS && (frame.flags & FramePeer.ACK) == 0) {
        frame(FramePeer.SETTINGS, FramePeer.ACK, 0, new byte[0]);
      }
      if (frame.type == type) {
        return frame;
      }
    }
  }

  /** Sends a ping. */
  void ping() throws IOException {
    frame(FramePeer.PING, 0, 0, new byte[8]);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

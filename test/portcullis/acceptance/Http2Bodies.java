package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import portcullis.fixture.FramePeer;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.wire.HeadLimits;

/** A client of HTTP/2 on clear text that sends several bodies at once on one connection (RFC 9113). */
final class Http2Bodies implements AutoCloseable {
  private static final int FRAME = 16_384;
  private static final int FIRST_WINDOW = 65_535;

  private final Socket socket;
  private final DataInputStream in;
  private final Map<Integer, Integer> statuses = new HashMap<>();
  private final Map<Integer, Integer> windows = new HashMap<>();
  private final HpackDecoder hpack = new HpackDecoder(4096, new HeadLimits(1 << 20, 1000));
  private int streamWindow = FIRST_WINDOW;
  private int window = FIRST_WINDOW;

  Http2Bodies(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    frame(FramePeer.SETTINGS, 0, 0, new byte[0]);
    next();
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(9 + payload.length);
    out.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(out.array());
  }

  private void next() throws IOException {
    int head = in.readInt();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = in.readNBytes(head >>> 8);
    switch (head & 0xff) {
      case FramePeer.SETTINGS -> settings(flags, payload);
      case FramePeer.WINDOW_UPDATE -> widen(stream, ByteBuffer.wrap(payload).getInt());
      case FramePeer.HEADERS -> statuses.put(stream,
          Integer.parseInt(hpack.read(payload, 0, payload.length).fields().first(":status").orElse("0")));
      case FramePeer.RST_STREAM -> statuses.putIfAbsent(stream, 0);
      case FramePeer.GOAWAY -> throw new EOFException("the server goes away");
      default -> {
      }
    }
  }

  private void settings(int flags, byte[] payload) throws IOException {
    if ((flags & FramePeer.ACK) == 0) {
      for (ByteBuffer each = ByteBuffer.wrap(payload); each.remaining() >= 6;) {
        int name = each.getShort();
        int value = each.getInt();
        streamWindow = name == 4 ? value : streamWindow;
      }
      frame(FramePeer.SETTINGS, FramePeer.ACK, 0, new byte[0]);
    }
  }

  private void widen(int stream, int more) {
    if (stream == 0) {
      window += more;
    } else {
      windows.merge(stream, more, Integer::sum);
    }
  }

  /** Posts the body so many times at once; the statuses of the answers. */
  List<Integer> post(String path, String type, String body, int times) throws IOException {
    byte[] bytes = body.getBytes(ISO_8859_1);
    int[] sent = new int[times];
    for (int i = 0; i < times; i++) {
      windows.put(2 * i + 1, streamWindow);
      frame(FramePeer.HEADERS, FramePeer.END_HEADERS, 2 * i + 1,
          FramePeer.block(":method", "POST", ":scheme", "http", ":path", path,
              ":authority", "h", "content-type", type, "content-length", Integer.toString(bytes.length)));
    }
    while (statuses.size() < times) {
      boolean blocked = true;
      for (int i = 0; i < times; i++) {
        int stream = 2 * i + 1;
        int size = Math.min(Math.min(FRAME, bytes.length - sent[i]), Math.min(window, windows.get(stream)));
        if (size > 0 && !statuses.containsKey(stream)) {
          byte[] part = new byte[size];
          System.arraycopy(bytes, sent[i], part, 0, size);
          sent[i] += size;
          window -= size;
          widen(stream, -size);
          frame(FramePeer.DATA, sent[i] == bytes.length ? FramePeer.END_STREAM : 0, stream, part);
          blocked = false;
        }
      }
      if (blocked) {
        next();
      }
    }
    return new ArrayList<>(statuses.values());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package portcullis.http.server;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import portcullis.http.h2.FrameInput;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.FrameType;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.message.Fields;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/** Says frames to a server, right ones and wrong ones, and reads its frames; every read waits 20 seconds at most. */
final class Http2Client implements AutoCloseable {
  /** What comes on a stream, or the connection. */
  sealed interface Event {
    record Head(int stream, Fields fields, boolean end) implements Event {}

    record Data(int stream, String bytes, boolean end) implements Event {}

    record Reset(int stream, Http2Error error) implements Event {}

    record GoAway(int last, Http2Error error) implements Event {}

    record Pong() implements Event {}

    record Closed() implements Event {}
  }

  private final Socket socket;
  private final FrameInput in;
  private final WireOutput raw;
  private final FrameOutput out;
  private int acknowledged;
  private final HpackDecoder hpack = new HpackDecoder(4096, new HeadLimits(1 << 20, 1000));

  /** Says hello; the server's windows are as it likes, ours as wide as may be. */
  Http2Client(Socket connected) throws IOException {
    this(connected, true);
  }

  private Http2Client(Socket connected, boolean wide) throws IOException {
    socket = connected;
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
    socket.setTcpNoDelay(true);
    in = new FrameInput(new WireInput(socket.getInputStream()));
    raw = new WireOutput(socket.getOutputStream());
    out = new FrameOutput(raw);
    raw.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    say(() -> {
      out.settings(4, wide ? Integer.MAX_VALUE : 65535);
      if (wide) {
        out.windowUpdate(0, Integer.MAX_VALUE - 65535);
      }
    });
  }

  /** One whose windows are as the protocol has them at first, so that they may grow. */
  static Http2Client narrow(TestServer server) throws IOException {
    return new Http2Client(new Socket(server.address().getAddress(), server.address().getPort()), false);
  }

  static Http2Client of(TestServer server) throws IOException {
    return new Http2Client(new Socket(server.address().getAddress(), server.address().getPort()));
  }

  FrameOutput frames() {
    return out;
  }

  void say(FrameOutput.Part part) throws IOException {
    out.write(part);
  }

  /** Says bytes that may be no frame. */
  void bytes(int... octets) throws IOException {
    out.write(() -> {
      for (int octet : octets) {
        raw.write(octet);
      }
    });
  }

  /** How many of our settings the server has acknowledged so far. */
  int acknowledged() {
    return acknowledged;
  }

  static Fields head(String method, String path) {
    return Fields.of(":method", method, ":scheme", "http", ":path", path, ":authority", "h");
  }

  void get(int stream, String path, String... fields) throws IOException {
    say(() -> out.headers(stream, head("GET", path), Fields.of(fields), true));
  }

  void post(int stream, String path, String... fields) throws IOException {
    say(() -> out.headers(stream, head("POST", path), Fields.of(fields), false));
  }

  void data(int stream, String bytes, boolean end) throws IOException {
    say(() -> out.data(stream, bytes.getBytes(), 0, bytes.length(), end));
  }

  void trailers(int stream, String... fields) throws IOException {
    say(() -> out.headers(stream, Fields.NONE, Fields.of(fields), true));
  }

  /** The next thing that is no setting and no window. */
  Event next() throws IOException {
    while (true) {
      try {
        if (!in.next()) {
          return new Event.Closed();
        }
      } catch (SocketException e) {
        return new Event.Closed();
      }
      boolean end = in.has(FrameType.END_STREAM);
      switch (in.type()) {
        case HEADERS -> {
          return new Event.Head(in.stream(), hpack.read(in.payload(), in.from(), in.to()).fields(), end);
        }
        case DATA -> {
          return new Event.Data(in.stream(), new String(in.content()), end);
        }
        case RST_STREAM -> {
          return new Event.Reset(in.stream(), Http2Error.of(in.integer(0)));
        }
        case GOAWAY -> {
          return new Event.GoAway(in.integer(0), Http2Error.of(in.integer(4)));
        }
        case PING -> {
          return new Event.Pong();
        }
        case SETTINGS -> acknowledged += in.has(FrameType.ACK) ? 1 : 0;
        case PRIORITY, PUSH_PROMISE, WINDOW_UPDATE, CONTINUATION, UNKNOWN -> {
        }
      }
    }
  }

  /** Status and body of an answer that comes whole, and nothing between. */
  String answer(int stream) throws IOException {
    StringBuilder out = new StringBuilder();
    while (true) {
      switch (next()) {
        case Event.Head(int id, Fields fields, boolean end) when id == stream -> {
          out.append(fields.first(":status").orElse("trailers " + fields));
          if (end) {
            return out.toString();
          }
          out.append(' ');
        }
        case Event.Data(int id, String bytes, boolean end) when id == stream -> {
          out.append(bytes);
          if (end) {
            return out.toString();
          }
        }
        case Event.Reset(int id, Http2Error error) when id == stream -> {
          return out.append(error).toString();
        }
        case Event.GoAway(int _, Http2Error error) -> {
          return out.append("GOAWAY ").append(error).toString();
        }
        case Event.Closed() -> {
          return out.append("closed").toString();
        }
        default -> {
        }
      }
    }
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

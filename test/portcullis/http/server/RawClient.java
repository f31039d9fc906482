package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.Framing;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.ResponseHead;
import portcullis.http.wire.WireInput;

/** Says bytes to a server and reads its answers; every read waits 20 seconds at most. */
final class RawClient implements AutoCloseable {
  private static final HeadLimits LIMITS = new HeadLimits(65536, 200);

  /** An answer, interim or final; {@code cut} where its body ended before its end. */
  record Answer(int status, Fields fields, String body, boolean cut) {
    String header(String name) {
      return fields.joined(name).orElse("");
    }
  }

  private final Socket socket;
  private final WireInput in;

  RawClient(InetSocketAddress server) throws IOException {
    this(new Socket(server.getAddress(), server.getPort()));
  }

  RawClient(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    in = new WireInput(socket.getInputStream());
  }

  static RawClient of(TestServer server) throws IOException {
    return new RawClient(server.address());
  }

  Socket socket() {
    return socket;
  }

  RawClient say(String raw) throws IOException {
    try {
      socket.getOutputStream().write(raw.getBytes(ISO_8859_1));
    } catch (IOException e) {
      // refused before all was said; the answer may be there all the same
    }
    return this;
  }

  RawClient end() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** The next answer to a GET, interim ones included. */
  Answer answer() throws IOException {
    return answer("GET").orElseThrow(() -> new IOException("closed"));
  }

  Optional<Answer> answer(String method) throws IOException {
    Optional<ResponseHead> head;
    try {
      head = ResponseHead.read(in, LIMITS);
    } catch (SocketException e) {
      return Optional.empty();
    }
    if (head.isEmpty()) {
      return Optional.empty();
    }
    BodyInput body = BodyInput.of(Framing.of(head.get(), method), in, LIMITS);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    boolean cut = false;
    try {
      body.transferTo(read);
    } catch (MalformedMessageException | SocketException e) {
      cut = true;
    }
    return Optional.of(new Answer(head.get().status(), head.get().fields(), read.toString(ISO_8859_1), cut));
  }

  /** All answers to GETs until the server closes the connection. */
  List<Answer> answers() throws IOException {
    List<Answer> out = new ArrayList<>();
    for (Optional<Answer> next = answer("GET"); next.isPresent(); next = answer("GET")) {
      out.add(next.get());
    }
    return out;
  }

  /** What comes until the server closes the connection, or until that many bytes. */
  String read(int most) throws IOException {
    return new String(in.rest().readNBytes(most), ISO_8859_1);
  }

  InputStream rest() {
    return in.rest();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package portcullis.http.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import portcullis.http.h2.FrameInput;
import portcullis.http.h2.FrameType;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.h2.Http2Settings;
import portcullis.http.message.Fields;
import portcullis.http.wire.Malformed;
import portcullis.http.wire.WireInput;

/** Reads the frames that a client of HTTP/2 sends and does what they say (RFC 9113, 5 and 6). */
final class Http2Reader {
  private static final int TABLE = 4096;
  private static final int MOST_CONTINUATIONS = 32;

  private final Http2 connection;
  private final FrameInput in;
  private final HpackDecoder hpack;
  private final FrameBudget resets = new FrameBudget(500, 100);
  private final FrameBudget idling = new FrameBudget(2000, 1000);
  private Http2Settings settings = Http2Settings.INITIAL;

  Http2Reader(Http2 connection, WireInput input) {
    this.connection = connection;
    this.in = new FrameInput(input);
    this.hpack = new HpackDecoder(TABLE, connection.limits().head());
  }

  /** Waits for the first frame; false where there is none in time. */
  boolean begins() throws IOException {
    try {
      return in.next();
    } catch (Malformed e) {
      return false;
    }
  }

  /** Reads from the first frame on until the connection ends. It is the client's settings (RFC 9113, 3.4). */
  void read() throws IOException {
    require(in.type() == FrameType.SETTINGS && !in.has(FrameType.ACK), Http2Error.PROTOCOL_ERROR);
    do {
      try {
        frame();
      } catch (Http2Exception e) {
        if (e.stream() == 0) {
          throw e;
        }
        ended(e);
      }
    } while (in.next());
  }

  // A stream that is at fault; the bytes that it had taken of the window are given back when its handler ends.
  private void ended(Http2Exception fault) throws IOException {
    resets.spend();
    Optional<Http2Stream> stream = connection.stream(fault.stream());
    stream.ifPresent(s -> s.cancel(fault));
    connection.reset(fault.stream(), fault.error());
    connection.forget(fault.stream());
  }

  private static void require(boolean fits, Http2Error error) throws Http2Exception {
    if (!fits) {
      throw Http2Exception.connection(error, "a frame that is out of place");
    }
  }

  private void frame() throws IOException {
    boolean onStream = in.stream() != 0;
    switch (in.type()) {
      case DATA -> data();
      case HEADERS -> headers();
      case PRIORITY -> {
        require(onStream, Http2Error.PROTOCOL_ERROR);
        idling.spend();
      }
      case RST_STREAM -> reset();
      case SETTINGS -> {
        require(!onStream, Http2Error.PROTOCOL_ERROR);
        settings();
      }
      case PING -> {
        require(!onStream, Http2Error.PROTOCOL_ERROR);
        ping();
      }
      case GOAWAY -> require(!onStream, Http2Error.PROTOCOL_ERROR);
      case WINDOW_UPDATE -> windowUpdate();
      case PUSH_PROMISE, CONTINUATION -> require(false, Http2Error.PROTOCOL_ERROR);
      case UNKNOWN -> idling.spend();
    }
  }

  private void data() throws IOException {
    int id = in.stream();
    require(id != 0 && id <= connection.last(), Http2Error.PROTOCOL_ERROR);
    int whole = in.length();
    connection.received(whole);
    Optional<Http2Stream> stream = connection.stream(id);
    if (stream.isEmpty() || stream.get().body().isEnded()) {
      connection.consumed(whole, 0);
      if (connection.wasReset(id)) {
        return;
      }
      throw Http2Exception.stream(id, Http2Error.STREAM_CLOSED, "data behind the end");
    }
    boolean end = in.has(FrameType.END_STREAM);
    if (in.from() == in.to() && !end) {
      idling.spend();
    }
    stream.get().body().add(in.content(), whole);
    if (end) {
      end(stream.get(), Fields.NONE);
    }
  }

  private void end(Http2Stream stream, Fields trailers) throws Http2Exception {
    stream.body().end(trailers);
  }

  private void headers() throws IOException {
    int id = in.stream();
    require((id & 1) == 1, Http2Error.PROTOCOL_ERROR);
    boolean ended = in.has(FrameType.END_STREAM);
    HpackDecoder.Block block = block(id);
    if (id > connection.last()) {
      open(id, block, ended);
      return;
    }
    Optional<Http2Stream> stream = connection.stream(id);
    if (stream.isEmpty() && connection.wasReset(id)) {
      return;
    }
    require(stream.isPresent(), Http2Error.STREAM_CLOSED);
    if (stream.get().body().isEnded()) {
      throw Http2Exception.stream(id, Http2Error.STREAM_CLOSED, "headers behind the end");
    }
    if (!ended || !block.whole()) {
      throw Http2Exception.stream(id, Http2Error.PROTOCOL_ERROR,
          "trailers that do not end the stream, or are too long");
    }
    end(stream.get(), Http2Request.trailers(id, block.fields()));
  }

  private void open(int id, HpackDecoder.Block block, boolean ended) throws IOException {
    connection.begun(id);
    if (block.whole()) {
      connection.open(id, Http2Request.head(id, block.fields()), ended);
    } else {
      connection.tooLong(id, ended);
    }
  }

  /** {@code HEADERS *CONTINUATION}, with nothing between them (RFC 9113, 4.3). */
  private HpackDecoder.Block block(int id) throws IOException {
    if (in.has(FrameType.END_HEADERS)) {
      return hpack.read(in.payload(), in.from(), in.to());
    }
    connection.awaitHead();
    int most = 4 * connection.limits().head().maxBytes();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(in.payload(), in.from(), in.to() - in.from());
    for (int frames = 1; !in.has(FrameType.END_HEADERS); frames++) {
      require(in.next(), Http2Error.PROTOCOL_ERROR);
      require(in.type() == FrameType.CONTINUATION && in.stream() == id, Http2Error.PROTOCOL_ERROR);
      whole.write(in.payload(), in.from(), in.to() - in.from());
      require(frames <= MOST_CONTINUATIONS && whole.size() <= most, Http2Error.ENHANCE_YOUR_CALM);
    }
    connection.await(connection.limits().waits().idle().toNanos());
    return hpack.read(whole.toByteArray(), 0, whole.size());
  }

  private void reset() throws IOException {
    int id = in.stream();
    require(id != 0 && id <= connection.last(), Http2Error.PROTOCOL_ERROR);
    resets.spend();
    Optional<Http2Stream> stream = connection.stream(id);
    stream.ifPresent(s -> s.cancel(new IOException("the client has reset the stream")));
    connection.forget(id);
  }

  private void settings() throws IOException {
    if (in.has(FrameType.ACK)) {
      return;
    }
    idling.spend();
    settings = settings.with(in.payload(), in.to());
    connection.settings(settings);
  }

  private void ping() throws IOException {
    if (!in.has(FrameType.ACK)) {
      idling.spend();
      byte[] opaque = in.content();
      connection.output().write(() -> connection.output().ping(opaque, true));
    }
  }

  private void windowUpdate() throws IOException {
    int id = in.stream();
    int bytes = in.integer(0) & Integer.MAX_VALUE;
    if (id == 0) {
      connection.flow().grant(bytes);
      return;
    }
    require(id <= connection.last(), Http2Error.PROTOCOL_ERROR);
    if (bytes == 0) {
      throw Http2Exception.stream(id, Http2Error.PROTOCOL_ERROR, "a window that grows by nothing");
    }
    Optional<Http2Stream> stream = connection.stream(id);
    if (stream.isPresent()) {
      connection.flow().grant(id, stream.get().window(), bytes);
    }
  }
}

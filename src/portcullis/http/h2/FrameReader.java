package portcullis.http.h2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import portcullis.http.wire.HeadLimits;

/** Reads the frames of a connection in the order in which they come and applies them (RFC 9113, 5 and 6). */
final class FrameReader {
  private static final int TABLE = 4096;
  private static final int MAX_CONTINUATIONS = 32;
  /** After so many frames other connections get a processor: a peer that sends fast never waits. */
  private static final int TURN = 32;

  private final Endpoint<?> endpoint;
  private final FrameInput in;
  private final HpackDecoder hpack;
  private final int maxBlock;
  private final FrameBudget idling;
  private Http2Settings settings = Http2Settings.INITIAL;

  FrameReader(Endpoint<?> endpoint, FrameInput in, HeadLimits heads, FrameBudget idling) {
    this.endpoint = endpoint;
    this.in = in;
    this.hpack = new HpackDecoder(TABLE, heads);
    this.maxBlock = 4 * heads.maxBytes();
    this.idling = idling;
  }

  /** Reads from the first frame on, which has to be the peer's settings (RFC 9113, 3.4), to the connection's end. */
  void read() throws IOException {
    require(in.type() == FrameType.SETTINGS && !in.has(FrameType.ACK), Http2Error.PROTOCOL_ERROR);
    boolean open = true;
    for (int frames = 0; open; frames++) {
      if (frames % TURN == TURN - 1) {
        Thread.yield();
      }
      try {
        open = frames == 0 || in.next();
        if (open) {
          frame();
        }
      } catch (Http2Exception e) {
        if (e.stream() == 0) {
          throw e;
        }
        endpoint.failed(e);
      }
    }
  }

  private static void require(boolean fits, Http2Error error) throws Http2Exception {
    if (!fits) {
      throw Http2Exception.connection(error, "a frame that is out of place");
    }
  }

  private void requireStream(boolean expected) throws Http2Exception {
    require(in.stream() != 0 == expected, Http2Error.PROTOCOL_ERROR);
  }

  private void requireOpened() throws Http2Exception {
    require(in.stream() != 0 && endpoint.isOpened(in.stream()), Http2Error.PROTOCOL_ERROR);
  }

  private void frame() throws IOException {
    endpoint.heard();
    switch (in.type()) {
      case DATA -> data();
      case HEADERS -> headers();
      case PRIORITY -> {
        requireStream(true);
        idling.spend();
      }
      case RST_STREAM -> {
        requireOpened();
        endpoint.resetByPeer(in.stream(), Http2Error.of(in.integer(0)));
      }
      case SETTINGS -> settings();
      case PING -> ping();
      case GOAWAY -> {
        requireStream(false);
        idling.spend();
        endpoint.goneAway(in.integer(0) & Integer.MAX_VALUE);
      }
      case WINDOW_UPDATE -> windowUpdate();
      case PUSH_PROMISE, CONTINUATION -> require(false, Http2Error.PROTOCOL_ERROR);
      case UNKNOWN -> idling.spend();
    }
  }

  /** Padding takes room in the windows as well (RFC 9113, 6.1). */
  private void data() throws IOException {
    requireOpened();
    endpoint.arrived(in.length());
    Optional<? extends Inbound> stream = endpoint.stream(in.stream());
    boolean end = in.has(FrameType.END_STREAM);
    if (in.from() == in.to() && (!end || stream.isEmpty())) {
      idling.spend();
    }
    if (stream.isEmpty()) {
      endpoint.consumed(in.length(), 0);
      late();
      return;
    }
    stream.get().data(in.content(), in.length(), end);
  }

  private void late() throws Http2Exception {
    if (!endpoint.ignoresLate(in.stream())) {
      throw Http2Exception.stream(in.stream(), Http2Error.STREAM_CLOSED, "a frame on a closed stream");
    }
  }

  /** Every block is decoded, since it may change the table, whether its stream is still open or not. */
  private void headers() throws IOException {
    int id = in.stream();
    requireStream(true);
    boolean end = in.has(FrameType.END_STREAM);
    HpackDecoder.Block block = block(id);
    if (!endpoint.isOpened(id)) {
      endpoint.opening(id, block, end);
      return;
    }
    Optional<? extends Inbound> stream = endpoint.stream(id);
    if (stream.isPresent()) {
      stream.get().headers(block, end);
    } else {
      require(endpoint.ignoresLate(id), Http2Error.STREAM_CLOSED);
    }
  }

  /** {@code HEADERS *CONTINUATION}, with nothing between them (RFC 9113, 4.3). */
  private HpackDecoder.Block block(int id) throws IOException {
    if (in.has(FrameType.END_HEADERS)) {
      return hpack.read(in.payload(), in.from(), in.to());
    }
    endpoint.inBlock(true);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(in.payload(), in.from(), in.to() - in.from());
    for (int frames = 1; !in.has(FrameType.END_HEADERS); frames++) {
      require(isNextInBlock(), Http2Error.PROTOCOL_ERROR);
      require(in.type() == FrameType.CONTINUATION && in.stream() == id, Http2Error.PROTOCOL_ERROR);
      whole.write(in.payload(), in.from(), in.to() - in.from());
      require(frames <= MAX_CONTINUATIONS && whole.size() <= maxBlock, Http2Error.ENHANCE_YOUR_CALM);
    }
    endpoint.inBlock(false);
    return hpack.read(whole.toByteArray(), 0, whole.size());
  }

  /** An error of a stream ends the connection here: the block, which all streams share, would be missing. */
  private boolean isNextInBlock() throws IOException {
    try {
      return in.next();
    } catch (Http2Exception e) {
      throw Http2Exception.connection(e.error(), e.getMessage());
    }
  }

  private void settings() throws IOException {
    requireStream(false);
    idling.spend();
    if (!in.has(FrameType.ACK)) {
      int window = settings.initialWindow();
      settings = settings.with(in.payload(), in.to());
      if (settings.initialWindow() != window) {
        spendForWaiting();
      }
      endpoint.settings(settings);
    }
  }

  /** All that wait may go on by another window, as if each had got an update. */
  private void spendForWaiting() throws Http2Exception {
    for (int i = endpoint.flow().waiting(); i > 0; i--) {
      idling.spend();
    }
  }

  private void ping() throws IOException {
    requireStream(false);
    idling.spend();
    if (!in.has(FrameType.ACK)) {
      byte[] opaque = in.content();
      endpoint.reply(() -> endpoint.output().ping(opaque, true));
    }
  }

  private void windowUpdate() throws IOException {
    int id = in.stream();
    int bytes = in.integer(0) & Integer.MAX_VALUE;
    if (!endpoint.flow().expectsUpdate()) {
      idling.spend();
    }
    if (id == 0) {
      endpoint.flow().grant(bytes);
      return;
    }
    requireOpened();
    if (bytes == 0) {
      throw Http2Exception.stream(id, Http2Error.PROTOCOL_ERROR, "a window update of 0 bytes");
    }
    Optional<? extends Inbound> stream = endpoint.stream(id);
    if (stream.isPresent()) {
      endpoint.flow().grant(id, stream.get().window(), bytes);
    }
  }
}
